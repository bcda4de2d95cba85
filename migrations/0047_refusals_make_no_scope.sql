-- A refused text leaves no empty scope behind: a key that was used before and a limit that is reached are seen before the scope is found missing,
-- since what is missing is then made. As before otherwise.
create or replace function concord_ingest(
  p_tenants text[], p_scopes text[],
  p_targets int[], p_documents text[], p_named boolean[], p_names text[], p_types text[], p_sources text[],
  p_texts text[], p_hashes bytea[], p_keys text[], p_body_hashes bytea[], p_events text[], p_traces text[]
) returns json
  language plpgsql as $$
declare
  nos bigint[];
  no bigint;
  outcomes text[];
  some_ended boolean;
  seqs bigint[];
  revisions int[];
  answers json;
begin
  select array_agg(distinct s.scope_no order by s.scope_no) into nos
  from unnest(p_tenants, p_scopes) as t(tenant_id, scope_id) join scopes s using (tenant_id, scope_id);
  if nos is not null then
    foreach no in array nos loop
      perform pg_advisory_xact_lock(no);
    end loop;
  end if;

  -- What each row is, as seen behind the locks.
  select array_agg(
    case
      when not t.known then 'tenant'
      when k.alive and k.operation = 'ingest' and k.body_hash = r.body_hash then 'replayed'
      when k.alive then 'reused'
      -- Also one made since the locks were taken: its lock is not held, so it is answered as missing and written by the next try.
      when t.scope_no is null or t.scope_no <> all (coalesce(nos, '{}')) then 'scope'
      else 'queued'
    end order by r.n), coalesce(bool_or(not k.alive), false)
  into outcomes, some_ended
  from unnest(p_targets, p_keys, p_body_hashes) with ordinality as r(target, key, body_hash, n)
  join (
    select a.n, a.tenant_id, s.scope_no,
      exists (select from tenants o where o.tenant_id = a.tenant_id and o.deleted_at is null) as known
    from unnest(p_tenants, p_scopes) with ordinality as a(tenant_id, scope_id, n)
    left join scopes s on s.tenant_id = a.tenant_id and s.scope_id = a.scope_id
  ) t on t.n = r.target
  left join lateral (
    select i.operation, i.body_hash, i.response,
      exists (select from scopes o where o.tenant_id = i.tenant_id and o.scope_no = i.scope_no and o.generation = i.generation) as alive
    from idempotency_keys i where i.tenant_id = t.tenant_id and i.key = r.key
  ) k on r.key is not null;

  if exists (
    select from tenants where tenant_id = any (p_tenants) and limits ?| array['documents', 'bytes']
  ) then
    outcomes := concord_refuse_over_quota(outcomes, p_tenants, p_scopes, p_targets, p_documents, p_texts);
  end if;

  if some_ended then
    -- Keys of scopes that were reset since are free again.
    delete from idempotency_keys where ctid = any (array(
      select i.ctid from unnest(p_targets, p_keys) as r(target, key)
      join idempotency_keys i on i.tenant_id = p_tenants[r.target] and i.key = r.key
      where not exists (select from scopes o where o.tenant_id = i.tenant_id and o.scope_no = i.scope_no and o.generation = i.generation)
      order by i.tenant_id, i.key for update of i));
  end if;

  if 'queued' = any (outcomes) then
    select w.seqs, w.revisions into seqs, revisions
    from concord_write_documents(outcomes, p_tenants, p_scopes, p_targets, p_documents, p_named, p_names, p_types, p_sources,
      p_texts, p_hashes, p_keys, p_body_hashes, p_events, p_traces) w;
  end if;

  if not 'replayed' = any (outcomes) then
    select json_agg(json_build_array(r.outcome, r.seq, r.revision, r.document_id) order by r.n)
    into answers
    from unnest(outcomes, seqs, revisions, p_documents) with ordinality as r(outcome, seq, revision, document_id, n);
    return answers;
  end if;
  select json_agg(json_build_array(
      r.outcome, coalesce(r.seq, (k.response ->> 'seq')::bigint), r.revision, coalesce(k.response ->> 'document_id', r.document_id)
    ) order by r.n)
  into answers
  from unnest(outcomes, seqs, revisions, p_targets, p_documents, p_keys) with ordinality as r(outcome, seq, revision, target, document_id, key, n)
  left join idempotency_keys k on r.outcome = 'replayed' and k.tenant_id = p_tenants[r.target] and k.key = r.key;
  return answers;
end $$;

-- Rows that wait for their scope count as well, after those that have one.
create or replace function concord_refuse_over_quota(
  outcomes text[], p_tenants text[], p_scopes text[], p_targets int[], p_documents text[], p_texts text[]
) returns text[]
  language plpgsql as $$
declare
  limited record;
  r record;
  used record;
  seen text[];
begin
  for limited in
    select tenant_id, (limits ->> 'documents')::bigint as documents, (limits ->> 'bytes')::bigint as bytes
    from tenants where tenant_id = any (p_tenants) and limits ?| array['documents', 'bytes'] order by tenant_id
  loop
    perform concord_lock_quota(limited.tenant_id);
    select * into used from concord_usage(limited.tenant_id);
    seen := '{}';
    for r in
      select a.n::int as n, octet_length(a.text) as bytes, a.target || ' ' || a.document_id as place,
        not exists (
          select from documents d where d.tenant_id = s.tenant_id and d.scope_no = s.scope_no and d.generation = s.generation
            and d.document_id = a.document_id
        ) as fresh
      from unnest(outcomes, p_targets, p_documents, p_texts) with ordinality as a(outcome, target, document_id, text, n)
      join unnest(p_tenants, p_scopes) with ordinality as t(tenant_id, scope_id, n) on t.n = a.target
      left join scopes s on s.tenant_id = t.tenant_id and s.scope_id = t.scope_id
      where a.outcome in ('queued', 'scope') and t.tenant_id = limited.tenant_id
      -- Rows without a scope are written after the others.
      order by a.outcome = 'scope', a.n
    loop
      if used.bytes + r.bytes > limited.bytes then
        outcomes[r.n] := 'quota:bytes';
      elsif r.fresh and not r.place = any (seen) and used.documents + 1 > limited.documents then
        outcomes[r.n] := 'quota:documents';
      else
        used.bytes := used.bytes + r.bytes;
        if r.fresh and not r.place = any (seen) then
          used.documents := used.documents + 1;
          seen := seen || r.place;
        end if;
      end if;
    end loop;
  end loop;
  return outcomes;
end $$;
