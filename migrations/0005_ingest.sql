-- Group commit, scopes made on first use, and what quotas are measured by.

create table idempotency_keys (
  tenant_id text not null,
  key text not null check (char_length(key) between 1 and 200),
  operation text not null,
  body_hash bytea not null,
  scope_no bigint not null,
  generation integer not null,
  response json not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, key)
);
create index idempotency_keys_age on idempotency_keys using brin (created_at);

-- The first half of the key of quota locks. They are taken after the locks of scopes, in order of tenants.
create function concord_lock_quota(of_tenant text) returns void language sql as $$
  select pg_advisory_xact_lock(1853187693, hashtext(of_tenant))
$$;

create function concord_usage(of_tenant text, out documents bigint, out bytes bigint, out scopes bigint)
  language sql stable as $$
  select coalesce(sum(registered + attached + queued + processing + indexed + held + rejected + quarantined), 0)::bigint,
         coalesce(sum(bytes), 0)::bigint, count(*)
  from scope_heads where tenant_id = of_tenant
$$;

-- Which limit of the tenant what is about to be added would break, or null. Locks the tenant's usage when it has
-- limits at all; call it after the locks of the scopes.
create function concord_over_quota(of_tenant text, more_documents bigint, more_bytes bigint, more_scopes bigint) returns text
  language plpgsql as $$
declare
  kept jsonb := (select limits from tenants where tenant_id = of_tenant);
  used record;
begin
  if not kept ?| array['documents', 'bytes', 'scopes'] then return null; end if;
  perform concord_lock_quota(of_tenant);
  select * into used from concord_usage(of_tenant);
  if more_documents > 0 and used.documents + more_documents > (kept ->> 'documents')::bigint then return 'documents'; end if;
  if more_bytes > 0 and used.bytes + more_bytes > (kept ->> 'bytes')::bigint then return 'bytes'; end if;
  if more_scopes > 0 and used.scopes + more_scopes > (kept ->> 'scopes')::bigint then return 'scopes'; end if;
  return null;
end $$;

-- Makes the scopes that are missing, in a transaction of its own before the documents': a transaction that waits for
-- another to make the same scope already has its transaction id, and would then append out of commit order.
-- scope.created is an event of the tenant, so that the log of a scope begins with its first document.
-- Answers one of made, exists, quota or tenant for each.
create function concord_make_scopes(p_tenants text[], p_scopes text[]) returns json
  language plpgsql as $$
declare
  answers text[] := array_fill(null::text, array[cardinality(p_tenants)]);
  asked record;
  made bigint;
begin
  for asked in
    select t.n::int as n, t.tenant_id, t.scope_id
    from unnest(p_tenants, p_scopes) with ordinality as t(tenant_id, scope_id, n) order by t.tenant_id, t.scope_id
  loop
    if exists (select from scopes where tenant_id = asked.tenant_id and scope_id = asked.scope_id) then
      answers[asked.n] := 'exists';
      continue;
    end if;
    if not exists (select from tenants where tenant_id = asked.tenant_id and deleted_at is null) then
      answers[asked.n] := 'tenant';
      continue;
    end if;
    if concord_over_quota(asked.tenant_id, 0, 0, 1) is not null then
      answers[asked.n] := 'quota';
      continue;
    end if;
    insert into scopes (tenant_id, scope_id) values (asked.tenant_id, asked.scope_id)
      on conflict do nothing returning scope_no into made;
    if not found then
      answers[asked.n] := 'exists';
      continue;
    end if;
    insert into scope_heads (tenant_id, scope_no) values (asked.tenant_id, made);
    insert into scope_leases (tenant_id, scope_no) values (asked.tenant_id, made);
    insert into events (tenant_id, scope_no, seq, type, data)
      values (asked.tenant_id, 0, nextval('service_events'), 'scope.created', json_build_object('scope_id', asked.scope_id));
    answers[asked.n] := 'made';
  end loop;
  return to_json(answers);
end $$;

-- Rows of tenants with limits that would break one become quota:<limit>, row by row in their order: a row that is too
-- large does not fail the smaller ones behind it. A new revision adds bytes but no document.
create function concord_refuse_over_quota(
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
      join scopes s on s.tenant_id = t.tenant_id and s.scope_id = t.scope_id
      where a.outcome = 'queued' and t.tenant_id = limited.tenant_id
      order by a.n
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

-- Writes the rows whose outcome is queued: documents, their events, their places in the backlog, heads and keys.
-- Counts in heads are of current revisions, so a revision that is replaced leaves the count of its state.
create function concord_write_documents(
  outcomes text[], p_tenants text[], p_scopes text[],
  p_targets int[], p_documents text[], p_named boolean[], p_names text[], p_types text[], p_sources text[],
  p_texts text[], p_hashes bytea[], p_keys text[], p_body_hashes bytea[], p_events text[], p_traces text[],
  out seqs bigint[], out revisions int[]
)
  language plpgsql as $$
begin
  with target as materialized (
    select t.n, s.tenant_id, s.scope_no, s.generation
    from unnest(p_tenants, p_scopes) with ordinality as t(tenant_id, scope_id, n)
    join scopes s on s.tenant_id = t.tenant_id and s.scope_id = t.scope_id
  ), placed as materialized (
    select r.n, t.tenant_id, t.scope_no, t.generation, r.document_id, r.named, r.hash, r.key, r.body_hash,
      row_number() over (partition by t.scope_no order by r.n) - 1 as place,
      row_number() over (partition by t.scope_no, r.document_id order by r.n) as nth,
      lag(r.hash) over (partition by t.scope_no, r.document_id order by r.n) as hash_before,
      lead(r.n) over (partition by t.scope_no, r.document_id order by r.n) is null as current
    from unnest(outcomes, p_targets, p_documents, p_named, p_hashes, p_keys, p_body_hashes)
      with ordinality as r(outcome, target, document_id, named, hash, key, body_hash, n)
    join target t on t.n = r.target
    where r.outcome = 'queued'
  ), before as materialized (
    -- The current revision of documents that were named by the client; an id made by us cannot exist yet.
    select p.tenant_id, p.scope_no, p.generation, p.document_id, d.revision, d.text_hash, d.status, d.erased_at
    from placed p
    cross join lateral (
      select o.revision, o.text_hash, o.status, o.erased_at from documents o
      where o.tenant_id = p.tenant_id and o.scope_no = p.scope_no and o.generation = p.generation and o.document_id = p.document_id
      order by o.revision desc limit 1
    ) d
    where p.named and p.nth = 1
  ), replaced as (
    update documents d set current = false
    from before b
    where d.tenant_id = b.tenant_id and d.scope_no = b.scope_no and d.generation = b.generation
      and d.document_id = b.document_id and d.revision = b.revision
  ), added as materialized (
    select p.scope_no, p.tenant_id, count(*) as events, count(*) filter (where p.current) as documents, sum(octet_length(x.text)) as bytes
    from placed p join unnest(p_texts) with ordinality as x(text, n) on x.n = p.n
    group by p.scope_no, p.tenant_id
  ), left_behind as materialized (
    select scope_no,
      count(*) filter (where status = 'registered') as registered, count(*) filter (where status = 'attached') as attached,
      count(*) filter (where status = 'queued') as queued, count(*) filter (where status = 'processing') as processing,
      count(*) filter (where status = 'indexed') as indexed, count(*) filter (where status = 'held') as held,
      count(*) filter (where status = 'rejected') as rejected, count(*) filter (where status = 'quarantined') as quarantined
    from before group by scope_no
  ), head as materialized (
    update scope_heads h set
      next_seq = h.next_seq + a.events,
      has_backlog = true,
      bytes = h.bytes + a.bytes,
      queued = h.queued + a.documents - coalesce(l.queued, 0),
      registered = h.registered - coalesce(l.registered, 0),
      attached = h.attached - coalesce(l.attached, 0),
      processing = h.processing - coalesce(l.processing, 0),
      indexed = h.indexed - coalesce(l.indexed, 0),
      held = h.held - coalesce(l.held, 0),
      rejected = h.rejected - coalesce(l.rejected, 0),
      quarantined = h.quarantined - coalesce(l.quarantined, 0)
    from added a left join left_behind l on l.scope_no = a.scope_no
    where h.tenant_id = a.tenant_id and h.scope_no = a.scope_no
    returning h.scope_no, h.next_seq - a.events as first_seq
  ), numbered as materialized (
    select p.*, h.first_seq + p.place as seq, (coalesce(b.revision, 0) + p.nth)::int as revision,
      case
        when p.nth > 1 then p.hash_before = p.hash
        else coalesce(b.text_hash = p.hash and b.erased_at is null and b.status in ('queued', 'processing', 'indexed'), false)
      end as unchanged
    from placed p join head h on h.scope_no = p.scope_no
    left join before b on b.scope_no = p.scope_no and b.document_id = p.document_id
  ), documents_written as (
    insert into documents (tenant_id, scope_no, generation, document_id, revision, current, status, name, type, source, text, text_hash,
      unchanged, seq, queued_at, trace)
    select m.tenant_id, m.scope_no, m.generation, m.document_id, m.revision, m.current, 'queued', x.name, x.type, x.source, x.text, m.hash,
      m.unchanged, m.seq, clock_timestamp(), x.trace
    from numbered m
    join unnest(p_names, p_types, p_sources, p_texts, p_traces) with ordinality as x(name, type, source, text, trace, n) on x.n = m.n
  ), events_written as (
    insert into events (tenant_id, scope_no, seq, type, subject, data)
    select m.tenant_id, m.scope_no, m.seq, 'document.queued', m.document_id,
      (x.data || ',"revision":' || m.revision || ',"unchanged":' || case when m.unchanged then 'true}' else 'false}' end)::json
    from numbered m join unnest(p_events) with ordinality as x(data, n) on x.n = m.n
    order by m.n
  ), backlog_written as (
    insert into backlog (tenant_id, scope_no, seq, generation, document_id, revision)
    select tenant_id, scope_no, seq, generation, document_id, revision from numbered
  ), keys_written as (
    -- In the order of keys, so that two flushes never wait for each other in a circle. A key that another transaction
    -- takes at the same moment (under another scope, else its lock would have kept us apart) violates the unique key:
    -- nothing is written, and the caller runs the flush again. Measured: on conflict do nothing costs a third more.
    insert into idempotency_keys (tenant_id, key, operation, body_hash, scope_no, generation, response)
    select tenant_id, key, 'ingest', body_hash, scope_no, generation, json_build_object('document_id', document_id, 'seq', seq)
    from numbered where key is not null
    order by tenant_id, key
  )
  select array_agg(m.seq order by r.n), array_agg(m.revision order by r.n)
  into seqs, revisions
  from unnest(outcomes) with ordinality as r(outcome, n)
  left join numbered m on m.n = r.n;
end $$;

-- One group commit. Targets are the distinct scopes of the flush, rows its documents in the order they came.
-- Answers for each row [outcome, seq, revision, document_id]; outcome is one of
--   queued, replayed, reused (key used for another request), scope (none of that name), tenant (unknown), quota:<limit>.
--
-- Locks come first and reads in later statements, because a statement that locks and reads sees the time before the
-- lock. Nothing is written before every lock is held: the first write takes the transaction id, which must agree with
-- the order of seq. A flush of replays alone writes nothing.
create function concord_ingest(
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
      when t.scope_no is null then 'scope'
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
    delete from idempotency_keys i
    using unnest(p_targets, p_keys) as r(target, key)
    where i.tenant_id = p_tenants[r.target] and i.key = r.key and not exists (
      select from scopes o where o.tenant_id = i.tenant_id and o.scope_no = i.scope_no and o.generation = i.generation);
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
