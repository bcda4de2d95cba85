-- A fence number can come back: a standby that is promoted without the last commits of its primary gives numbers out
-- again that others still hold. The owner, a name no two workers share, tells them apart. The guard without it stays for
-- nodes of the version before while they are being replaced.

-- As concord_guard without an owner, and CF001 also when the lease is somebody else's.
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

-- As before; and documents that are being processed without anybody's lease, as a lease that was given out twice leaves
-- them, go back to the queue like those of a process that died, instead of failing every lease of their scope.
create or replace function concord_lease(
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
