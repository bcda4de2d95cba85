-- What its submitter says a document is about. Null: what the revision before it was said to be about.
alter table documents add column about text;
create index documents_about on documents (tenant_id, scope_no, generation, document_id, revision) where about is not null;

-- A group commit with documents that are said to be about something. The same text about another thing is compared anew.
create function concord_ingest_marked(
  p_tenants text[], p_scopes text[],
  p_targets int[], p_documents text[], p_named boolean[], p_names text[], p_types text[], p_sources text[],
  p_texts text[], p_hashes bytea[], p_keys text[], p_body_hashes bytea[], p_events text[], p_traces text[], p_model_off boolean[],
  p_abouts text[]
) returns json
  language plpgsql as $$
declare
  answers json := concord_ingest_marked(p_tenants, p_scopes, p_targets, p_documents, p_named, p_names, p_types, p_sources, p_texts, p_hashes,
    p_keys, p_body_hashes, p_events, p_traces, p_model_off);
  r record;
  differs boolean;
begin
  -- In their order: a later one may be a revision of an earlier one.
  for r in
    select s.tenant_id, s.scope_no, s.generation, a.answer ->> 3 as document_id, (a.answer ->> 2)::integer as revision, (a.answer ->> 1)::bigint as seq, g.about
    from json_array_elements(answers) with ordinality as a(answer, n)
    join unnest(p_targets, p_abouts) with ordinality as g(target, about, n) on g.n = a.n and g.about is not null
    join scopes s on s.tenant_id = p_tenants[g.target] and s.scope_id = p_scopes[g.target]
    where a.answer ->> 0 = 'queued'
    order by a.n
  loop
    differs := r.about is distinct from (
      select e.about from documents e
      where e.tenant_id = r.tenant_id and e.scope_no = r.scope_no and e.generation = r.generation and e.document_id = r.document_id
        and e.revision < r.revision and e.about is not null
      order by e.revision desc limit 1);
    update documents d set about = r.about, unchanged = d.unchanged and not differs
    where d.tenant_id = r.tenant_id and d.scope_no = r.scope_no and d.generation = r.generation and d.document_id = r.document_id
      and d.revision = r.revision;
    if differs then
      update events v set data = (v.data::jsonb || '{"unchanged": false}')::json
      where v.tenant_id = r.tenant_id and v.scope_no = r.scope_no and v.seq = r.seq and (v.data ->> 'unchanged')::boolean;
    end if;
  end loop;
  return answers;
end $$;
