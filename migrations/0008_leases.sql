-- Who works on which scope, and what has to hold when that work is written.

create table scope_leases (
  tenant_id text not null,
  scope_no bigint not null,
  fence bigint not null default 0,
  owner text,
  leased_until timestamptz,
  served_at timestamptz not null default '-infinity',
  -- The document being worked on, noted before the work: a process that dies over it costs that document an attempt.
  in_hand_seq bigint,
  one_at_a_time boolean not null default false,
  -- A process died over a batch: documents up to this seq are leased one at a time, so that the next death names its document.
  careful_until_seq bigint,
  primary key (tenant_id, scope_no),
  foreign key (tenant_id, scope_no) references scopes (tenant_id, scope_no)
) with (fillfactor = 50);
create index scope_leases_leased on scope_leases (leased_until) where owner is not null;

-- Takes the first of the candidates that is free, due and running, and the next of its documents in their order.
-- No rows when none is. Each statement of the function sees what was committed when it begins, so that what is read
-- behind the lock is never older than the lock. Documents that are being processed without anybody's lease, as a lease
-- that was given out twice leaves them, go back to the queue like those of a process that died, instead of failing
-- every lease of their scope.
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
  v_left boolean;
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
      v_left := v_before.owner is not null;
      loop
        -- A process died here: its documents go back, the one in hand has cost an attempt, and until they are through
        -- the scope is leased one document at a time.
        if v_left then
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
        select array_agg(d.document_id order by x.seq) as ids, array_agg(d.revision order by x.seq) as revisions,
          array_agg(x.seq order by x.seq) as seqs, bool_or(d.status = 'processing') as stranded,
          array_agg(json_build_object('scope_id', v_scope_id, 'document_id', d.document_id, 'revision', d.revision, 'name', d.name,
            'status', 'processing', 'attempt', x.attempts + 1)::text order by x.seq) as events
        into v_taken
        from (
          select b.seq, b.document_id, b.revision, b.attempts from backlog b
          where b.tenant_id = v_tenant and b.scope_no = v_scope and b.generation = v_generation and b.not_before <= clock_timestamp()
          order by b.seq limit v_limit
        ) x join documents d on d.tenant_id = v_tenant and d.scope_no = v_scope and d.generation = v_generation
          and d.document_id = x.document_id and d.revision = x.revision;
        exit when v_left or v_taken.stranded is not true;
        v_left := true;
      end loop;
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

-- As concord_guard without an owner, and CF001 also when the lease is somebody else's. A fence number can come back: a
-- standby that is promoted without the last commits of its primary gives numbers out again that others still hold. The
-- owner, a name no two workers share, tells them apart.
create function concord_guard(
  of_tenant text, of_scope bigint, p_owner text, p_fence bigint, p_generation integer, p_version bigint, p_round bigint, p_policy text,
  p_waiting bigint, p_documents integer
) returns void
  language plpgsql as $$
begin
  if not exists (select from scope_leases l where l.tenant_id = of_tenant and l.scope_no = of_scope and l.owner = p_owner) then
    raise exception 'the lease of the scope is lost' using errcode = 'CF001';
  end if;
  perform concord_guard(of_tenant, of_scope, p_fence, p_generation, p_version, p_round, p_policy, p_waiting, p_documents);
end $$;

-- Takes scopes away from whoever leases them: the fence rises, documents in hand go back to queued, one event each.
-- The caller holds the locks of the scopes. Answers how many documents went back.
create function concord_take_back(p_tenants text[], p_scopes bigint[], p_reason text) returns bigint
  language plpgsql as $$
declare
  scope record;
  held record;
  taken bigint := 0;
begin
  for scope in
    select s.tenant_id, s.scope_no, s.scope_id, s.generation
    from unnest(p_tenants, p_scopes) as t (tenant_id, scope_no) join scopes s on s.tenant_id = t.tenant_id and s.scope_no = t.scope_no
    order by s.scope_no
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
