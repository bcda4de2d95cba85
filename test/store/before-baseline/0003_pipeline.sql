-- What processing keeps: cautious leases after a dead process, the newest live claims of a slot by index, slots too
-- crowded to be looked at whole, and what certificates are made of.

-- A process died over a batch: documents up to this seq are leased one at a time, so that the next death names its document.
alter table scope_leases add column careful_until_seq bigint;
create index scope_leases_leased on scope_leases (leased_until) where owner is not null;

-- Rolling SHA-256 over the admitted claims, the policy sets decisions were made under, and holds of resolutions and settings that wait for a person.
alter table scope_states add column claims_digest text not null default '';
alter table scope_states add column policy_hashes json not null default '[]';
alter table scope_states add column pending integer not null default 0 check (pending >= 0);

create index decisions_pending on decisions (tenant_id, scope_no, generation, seq) where review = 'pending';

-- Newest first within a slot.
drop index claims_slots;
create index claims_slots on claims (tenant_id, scope_no, generation, slot_hash, claim_no) where superseded_at is null;

-- Figures of slots with more live claims than a round looks at. Written only by rounds that touch such a slot.
create table slot_crowds (
  tenant_id text not null,
  scope_no bigint not null,
  generation integer not null,
  slot_hash bigint not null,
  slot_key text not null,
  live integer not null check (live >= 0),
  best_micros integer not null check (best_micros >= 0),
  primary key (tenant_id, scope_no, generation, slot_hash, slot_key)
);

-- Which extractor read the document; with an equal version a replay from its text must give the same.
alter table documents add column extractor text;
alter table documents add column extractor_version text;

create index documents_quarantined on documents (tenant_id, scope_no, generation, document_id) where current and status = 'quarantined';

do $$
declare t text;
begin
  foreach t in array array['slot_crowds']
  loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy own_rows on %I to concord_tenant using (tenant_id = nullif(current_setting(''concord.tenant'', true), '''')) with check (tenant_id = nullif(current_setting(''concord.tenant'', true), ''''))', t);
    execute format('create policy all_rows on %I to concord_engine using (true) with check (true)', t);
    execute format('grant select, insert, update, delete on %I to concord_tenant, concord_engine', t);
  end loop;
end $$;

-- Moves documents of one scope between states, with one event each and the counts of current revisions; the caller
-- holds the scope's lock. Rows are told by revision; p_events is the data of each event, complete.
create function concord_move_documents(
  of_tenant text, of_scope bigint, of_generation integer, p_documents text[], p_revisions integer[], p_from text, p_to text, p_type text, p_events text[]
) returns integer
  language plpgsql as $$
declare
  moved integer;
  first_seq bigint;
begin
  with told as (
    select t.document_id, t.revision from unnest(p_documents, p_revisions) as t (document_id, revision)
  ), changed as (
    update documents d set status = p_to,
      started_at = case when p_to = 'processing' then clock_timestamp() else d.started_at end,
      finished_at = case when p_to = 'quarantined' then clock_timestamp() else d.finished_at end
    from told t
    where d.tenant_id = of_tenant and d.scope_no = of_scope and d.generation = of_generation
      and d.document_id = t.document_id and d.revision = t.revision and d.status = p_from
    returning d.current
  ), counted as (
    select count(*) as all_rows, count(*) filter (where current) as current_rows from changed
  )
  update scope_heads h set
    next_seq = h.next_seq + cardinality(p_events),
    queued = h.queued + case when p_to = 'queued' then c.current_rows when p_from = 'queued' then -c.current_rows else 0 end,
    processing = h.processing + case when p_to = 'processing' then c.current_rows when p_from = 'processing' then -c.current_rows else 0 end,
    quarantined = h.quarantined + case when p_to = 'quarantined' then c.current_rows when p_from = 'quarantined' then -c.current_rows else 0 end
  from counted c
  where h.tenant_id = of_tenant and h.scope_no = of_scope
  returning h.next_seq - cardinality(p_events), c.all_rows into first_seq, moved;
  if moved is distinct from cardinality(p_documents) then
    raise exception 'a document is not in the state % it was to leave', p_from using errcode = 'CD001';
  end if;
  insert into events (tenant_id, scope_no, seq, type, subject, data)
  select of_tenant, of_scope, first_seq + e.place - 1, p_type, e.document_id, e.data::json
  from unnest(p_documents, p_events) with ordinality as e (document_id, data, place) order by e.place;
  return moved;
end $$;

-- Ends the transaction: a document was to leave a state it is not in.
create function concord_document_moved() returns bigint language plpgsql as $$
begin
  raise exception 'a document is not in the state it was to leave' using errcode = 'CD001';
end $$;

-- Takes the first of the candidates that is free, due and running, and the next of its documents in their order.
-- No rows when none is. Each statement of the function sees what was committed when it begins, so that what is read
-- behind the lock is never older than the lock.
create function concord_lease(
  p_owner text, p_lease_ms integer, p_batch integer, p_tenants text[], p_scopes bigint[]
) returns table (
  tenant_id text, scope_no bigint, scope_id text, generation integer, fence bigint, took_over boolean, seq bigint, document_id text,
  revision integer, attempts integer, current boolean, unchanged boolean, name text, type text, source text, text text, text_hash bytea,
  enqueued_at timestamptz, trace text, approval json
)
  language plpgsql as $$
#variable_conflict use_column
declare
  v_tenant text;
  v_scope bigint;
  v_scope_id text;
  v_generation integer;
  v_fence bigint;
  v_before record;
  v_stranded record;
  v_limit integer;
  v_next bigint;
  v_taken record;
  v_blocking boolean := false;
begin
  loop
    for i in 1 .. cardinality(p_scopes) loop
      v_tenant := p_tenants[i];
      v_scope := p_scopes[i];
      if v_blocking then
        perform pg_advisory_xact_lock(v_scope);
      elsif not pg_try_advisory_xact_lock(v_scope) then
        continue;
      end if;
      select l.owner, l.in_hand_seq, l.careful_until_seq into v_before from scope_leases l
        where l.tenant_id = v_tenant and l.scope_no = v_scope and (l.owner is null or l.leased_until < clock_timestamp());
      continue when not found;
      select s.scope_id, s.generation into v_scope_id, v_generation from scopes s where s.tenant_id = v_tenant and s.scope_no = v_scope;
      continue when concord_effective_state(v_tenant, v_scope) <> 'running';
      select min(b.seq) into v_next from backlog b
        where b.tenant_id = v_tenant and b.scope_no = v_scope and b.generation = v_generation and b.not_before <= clock_timestamp();
      continue when v_next is null;

      -- From here on this scope is the one: the first write takes the transaction's id, and no further lock may follow it.
      -- A process died here: its documents go back, the one in hand has cost an attempt, and until they are through
      -- the scope is leased one document at a time.
      if v_before.owner is not null then
        select array_agg(d.document_id order by d.seq) as ids, array_agg(d.revision order by d.seq) as revisions, max(d.seq) as last_seq,
          array_agg(json_build_object('scope_id', v_scope_id, 'document_id', d.document_id, 'revision', d.revision, 'name', d.name,
            'status', 'queued', 'reason', 'lease_expired')::text order by d.seq) as events
        into v_stranded
        from backlog b join documents d on d.tenant_id = v_tenant and d.scope_no = v_scope and d.generation = v_generation
          and d.document_id = b.document_id and d.revision = b.revision
        where b.tenant_id = v_tenant and b.scope_no = v_scope and b.generation = v_generation and d.status = 'processing';
        if v_stranded.ids is not null then
          perform concord_move_documents(v_tenant, v_scope, v_generation, v_stranded.ids, v_stranded.revisions, 'processing', 'queued',
            'document.requeued', v_stranded.events);
          v_before.careful_until_seq := greatest(v_before.careful_until_seq, v_stranded.last_seq);
        end if;
        if v_before.in_hand_seq is not null then
          update backlog b set attempts = b.attempts + 1
          where b.tenant_id = v_tenant and b.scope_no = v_scope and b.generation = v_generation and b.seq = v_before.in_hand_seq;
          update documents d set attempts = d.attempts + 1, reason = 'The process died while it worked on the document.',
            stage = 'extract', error_class = 'process_death'
          where d.tenant_id = v_tenant and d.scope_no = v_scope and d.generation = v_generation and d.seq = v_before.in_hand_seq
            and d.document_id = any (v_stranded.ids);
        end if;
      end if;

      v_limit := case when v_next <= v_before.careful_until_seq then 1 else p_batch end;
      select array_agg(d.document_id order by x.seq) as ids, array_agg(d.revision order by x.seq) as revisions, array_agg(x.seq order by x.seq) as seqs,
        array_agg(json_build_object('scope_id', v_scope_id, 'document_id', d.document_id, 'revision', d.revision, 'name', d.name,
          'status', 'processing', 'attempt', x.attempts + 1)::text order by x.seq) as events
      into v_taken
      from (
        select b.seq, b.document_id, b.revision, b.attempts from backlog b
        where b.tenant_id = v_tenant and b.scope_no = v_scope and b.generation = v_generation and b.not_before <= clock_timestamp()
        order by b.seq limit v_limit
      ) x join documents d on d.tenant_id = v_tenant and d.scope_no = v_scope and d.generation = v_generation
        and d.document_id = x.document_id and d.revision = x.revision;
      perform concord_move_documents(v_tenant, v_scope, v_generation, v_taken.ids, v_taken.revisions, 'queued', 'processing',
        'document.processing', v_taken.events);
      update scope_leases l set owner = p_owner, fence = l.fence + 1, leased_until = clock_timestamp() + p_lease_ms * interval '1 millisecond',
        served_at = clock_timestamp(), careful_until_seq = v_before.careful_until_seq, one_at_a_time = v_before.careful_until_seq is not null,
        in_hand_seq = case when cardinality(v_taken.seqs) = 1 then v_taken.seqs[1] end
        where l.tenant_id = v_tenant and l.scope_no = v_scope and (l.owner is null or l.leased_until < clock_timestamp())
        returning l.fence into v_fence;
      if not found then
        raise exception 'the lease was taken meanwhile' using errcode = '40001';
      end if;
      return query
        select v_tenant, v_scope, v_scope_id, v_generation, v_fence, v_before.owner is not null, b.seq, d.document_id, d.revision, b.attempts,
          d.current, d.unchanged, d.name, d.type, d.source, d.text, d.text_hash, b.enqueued_at, d.trace, d.approval
        from backlog b join documents d on d.tenant_id = v_tenant and d.scope_no = v_scope and d.generation = v_generation
          and d.document_id = b.document_id and d.revision = b.revision
        where b.tenant_id = v_tenant and b.scope_no = v_scope and b.seq = any (v_taken.seqs)
        order by b.seq;
      return;
    end loop;
    -- Every candidate's lock was taken at that moment. Waiting for the first of them keeps a busy scope from starving.
    exit when v_blocking or cardinality(p_scopes) = 0;
    v_blocking := true;
    p_tenants := p_tenants[1:1];
    p_scopes := p_scopes[1:1];
  end loop;
end $$;

-- Ends the transaction unless it still holds the lease and what it was computed from still stands: CF001 the lease is
-- lost, CV001 a person, a setting, a policy or the queue has moved on and the round must be computed again.
-- CP001 the scope was paused, and more than the one document in hand was to be finished.
-- p_waiting is the number of documents that wait or are held, or null when the rounds do not rest on it.
create function concord_guard(
  of_tenant text, of_scope bigint, p_fence bigint, p_generation integer, p_version bigint, p_round bigint, p_policy text, p_waiting bigint,
  p_documents integer
) returns void
  language plpgsql as $$
declare
  found_now record;
begin
  select l.fence, l.leased_until > clock_timestamp() as held, s.generation, s.version, coalesce(t.round, 0) as round,
    h.queued + h.processing + h.held as waiting,
    (select a.hash from policy_assignments a
      where (a.tenant_id = of_tenant and a.scope_no in (of_scope, 0)) or (a.tenant_id = '-' and a.scope_no = 0)
      order by a.tenant_id = '-', a.scope_no desc limit 1) as policy
  into found_now
  from scopes s
  join scope_leases l on l.tenant_id = s.tenant_id and l.scope_no = s.scope_no
  join scope_heads h on h.tenant_id = s.tenant_id and h.scope_no = s.scope_no
  left join scope_states t on t.tenant_id = s.tenant_id and t.scope_no = s.scope_no and t.generation = s.generation
  where s.tenant_id = of_tenant and s.scope_no = of_scope;
  if found_now.fence is distinct from p_fence or found_now.generation is distinct from p_generation or found_now.held is not true then
    raise exception 'the lease of the scope is lost' using errcode = 'CF001';
  end if;
  if found_now.version is distinct from p_version or found_now.round is distinct from p_round or found_now.policy is distinct from p_policy
    or (p_waiting is not null and found_now.waiting <> p_waiting) then
    raise exception 'the scope has changed since the rounds were computed' using errcode = 'CV001';
  end if;
  if p_documents > 1 and concord_effective_state(of_tenant, of_scope) <> 'running' then
    raise exception 'the scope is paused' using errcode = 'CP001';
  end if;
end $$;
