-- A flush writes only into scopes whose lock it holds. The numbers to lock were read by one statement and the scopes read again by the
-- next: one that somebody made in between was written without its lock, beside flushes and commits that held it.
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
      -- Also one made since the locks were taken: its lock is not held, so it is answered as missing and written by the next try.
      when t.scope_no is null or t.scope_no <> all (coalesce(nos, '{}')) then 'scope'
      when k.response is null or not k.alive then 'queued'
      when k.operation = 'ingest' and k.body_hash = r.body_hash then 'replayed'
      else 'reused'
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

-- Tenants in their order, as a flush wakes them: it and this never wait for each other in a circle.
create or replace function concord_take_back(p_tenants text[], p_scopes bigint[], p_reason text) returns bigint
  language plpgsql as $$
declare
  scope record;
  held record;
  taken bigint := 0;
begin
  for scope in
    select s.tenant_id, s.scope_no, s.scope_id, s.generation
    from unnest(p_tenants, p_scopes) as t (tenant_id, scope_no) join scopes s on s.tenant_id = t.tenant_id and s.scope_no = t.scope_no
    order by s.tenant_id, s.scope_no
  loop
    update scope_leases l set fence = l.fence + 1, owner = null, leased_until = null, in_hand_seq = null
    where l.tenant_id = scope.tenant_id and l.scope_no = scope.scope_no;
    select array_agg(d.document_id order by b.seq) as ids, array_agg(d.revision order by b.seq) as revisions,
      array_agg(json_build_object('scope_id', scope.scope_id, 'document_id', d.document_id, 'revision', d.revision, 'name', d.name,
        'status', 'queued', 'reason', p_reason)::text order by b.seq) as events
    into held
    from backlog b join documents d on d.tenant_id = b.tenant_id and d.scope_no = b.scope_no and d.generation = b.generation
      and d.document_id = b.document_id and d.revision = b.revision
    where b.tenant_id = scope.tenant_id and b.scope_no = scope.scope_no and b.generation = scope.generation and d.status = 'processing';
    if held.ids is not null then
      taken := taken + concord_move_documents(scope.tenant_id, scope.scope_no, scope.generation, held.ids, held.revisions,
        'processing', 'queued', 'document.requeued', held.events);
    end if;
  end loop;
  return taken;
end $$;

-- One row of usage for each tenant of a statement, with what changed: each scope of a flush had left two, before and after.
create function concord_note_usage_changed() returns trigger language plpgsql as $$
begin
  insert into tenant_usage (tenant_id, scopes, documents, bytes, derived_bytes, review, resolved, escalated, blocked)
  select c.tenant_id, 0, sum(c.documents), sum(c.bytes), sum(c.derived_bytes), sum(c.review), sum(c.resolved), sum(c.escalated), sum(c.blocked)
  from (
    select r.tenant_id, sign * (r.registered + r.attached + r.queued + r.processing + r.indexed + r.held + r.rejected + r.quarantined) as documents,
      sign * r.bytes as bytes, sign * r.derived_bytes as derived_bytes, sign * (r.finality = 'review')::int as review,
      sign * (r.finality = 'resolved')::int as resolved, sign * (r.finality = 'escalated')::int as escalated,
      sign * (r.finality = 'blocked')::int as blocked
    from (select *, 1 as sign from after_rows union all select *, -1 from before_rows) r
  ) c
  group by c.tenant_id
  having (sum(c.documents), sum(c.bytes), sum(c.derived_bytes), sum(c.review), sum(c.resolved), sum(c.escalated), sum(c.blocked))
    <> (0, 0, 0, 0, 0, 0, 0);
  return null;
end $$;
drop trigger note_usage_changed on scope_heads;
create trigger note_usage_changed after update on scope_heads referencing old table as before_rows new table as after_rows
  for each statement execute function concord_note_usage_changed();
