-- Documents that no model is shown, by their ids: later revisions too. Switched on again only by an admin key.
create table model_off (
  tenant_id text not null,
  scope_no bigint not null,
  generation integer not null,
  document_id text not null,
  set_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, scope_no, generation, document_id)
);
alter table model_off enable row level security;
alter table model_off force row level security;
create policy own_rows on model_off to concord_tenant
  using (tenant_id = nullif(current_setting('concord.tenant', true), '')) with check (tenant_id = nullif(current_setting('concord.tenant', true), ''));
create policy all_rows on model_off to concord_engine using (true) with check (true);
grant select, insert, update, delete on model_off to concord_tenant, concord_engine;

-- A group commit with documents that are kept from models: the marks are on disk with them. The others do not pay for it.
create function concord_ingest_marked(
  p_tenants text[], p_scopes text[],
  p_targets int[], p_documents text[], p_named boolean[], p_names text[], p_types text[], p_sources text[],
  p_texts text[], p_hashes bytea[], p_keys text[], p_body_hashes bytea[], p_events text[], p_traces text[], p_model_off boolean[]
) returns json
  language plpgsql as $$
declare
  answers json := concord_ingest(p_tenants, p_scopes, p_targets, p_documents, p_named, p_names, p_types, p_sources, p_texts, p_hashes, p_keys,
    p_body_hashes, p_events, p_traces);
begin
  insert into model_off (tenant_id, scope_no, generation, document_id)
  select distinct s.tenant_id, s.scope_no, s.generation, a.answer ->> 3
  from json_array_elements(answers) with ordinality as a(answer, n)
  join unnest(p_targets, p_model_off) with ordinality as r(target, model_off, n) on r.n = a.n and r.model_off
  join scopes s on s.tenant_id = p_tenants[r.target] and s.scope_id = p_scopes[r.target]
  where a.answer ->> 0 = 'queued'
  on conflict do nothing;
  return answers;
end $$;
