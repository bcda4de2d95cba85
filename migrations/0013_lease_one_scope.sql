-- A lease tries one scope, whose lock is the only one it ever waits for: holding the locks of scopes it passed over, it
-- waited in a circle with flushes of documents. And a lease takes no more text than is read in a fair turn.

drop function concord_lease(text, integer, integer, text[], bigint[]);

-- The next documents of a scope that are due, in their order: p_batch at most, and p_bytes of text, but at least one.
create function concord_next_batch(
  of_tenant text, of_scope bigint, of_generation integer, of_scope_id text, p_batch integer, p_bytes bigint,
  out seqs bigint[], out ids text[], out revisions integer[], out events text[], out orphaned boolean
)
  language sql as $$
  select array_agg(n.seq order by n.seq), array_agg(n.document_id order by n.seq), array_agg(n.revision order by n.seq),
    array_agg(json_build_object('scope_id', of_scope_id, 'document_id', n.document_id, 'revision', n.revision, 'name', n.name,
      'status', 'processing', 'attempt', n.attempts + 1)::text order by n.seq),
    bool_or(n.status = 'processing')
  from (
    select b.seq, b.attempts, d.document_id, d.revision, d.name, d.status, row_number() over up_to_here as place,
      sum(octet_length(d.text)) over up_to_here as bytes
    from (
      select * from backlog b
      where b.tenant_id = of_tenant and b.scope_no = of_scope and b.generation = of_generation and b.not_before <= clock_timestamp()
      order by b.seq limit p_batch
    ) b join documents d on d.tenant_id = of_tenant and d.scope_no = of_scope and d.generation = of_generation
      and d.document_id = b.document_id and d.revision = b.revision
    window up_to_here as (order by b.seq)
  ) n
  where n.place = 1 or coalesce(n.bytes, 0) <= p_bytes
$$;

-- Documents being processed without a live lease go back to the queue, and the one in hand of a process that died has
-- cost an attempt. Answers the last seq among them: up to it the scope is leased one document at a time.
create function concord_requeue_orphans(
  of_tenant text, of_scope bigint, of_generation integer, of_scope_id text, p_in_hand bigint
) returns bigint
  language plpgsql as $$
declare
  orphans record;
begin
  select array_agg(d.document_id order by d.seq) as ids, array_agg(d.revision order by d.seq) as revisions, max(d.seq) as last_seq,
    array_agg(json_build_object('scope_id', of_scope_id, 'document_id', d.document_id, 'revision', d.revision, 'name', d.name,
      'status', 'queued', 'reason', 'lease_expired')::text order by d.seq) as events
  into orphans
  from backlog b join documents d on d.tenant_id = of_tenant and d.scope_no = of_scope and d.generation = of_generation
    and d.document_id = b.document_id and d.revision = b.revision
  where b.tenant_id = of_tenant and b.scope_no = of_scope and b.generation = of_generation and d.status = 'processing';
  if orphans.ids is not null then
    perform concord_move_documents(of_tenant, of_scope, of_generation, orphans.ids, orphans.revisions, 'processing', 'queued',
      'document.requeued', orphans.events);
  end if;
  if p_in_hand is not null then
    update backlog b set attempts = b.attempts + 1
    where b.tenant_id = of_tenant and b.scope_no = of_scope and b.generation = of_generation and b.seq = p_in_hand;
    update documents d set attempts = d.attempts + 1, reason = 'The process died while it worked on the document.',
      stage = 'extract', error_class = 'process_death'
    where d.tenant_id = of_tenant and d.scope_no = of_scope and d.generation = of_generation and d.seq = p_in_hand
      and d.document_id = any (orphans.ids);
  end if;
  return orphans.last_seq;
end $$;

-- Leases a scope, with the next of its documents; no rows when it is not free, not running or nothing of it is due.
-- Each statement sees what was committed when it begins, so that what is read behind the lock is never older than it.
create function concord_lease(
  p_owner text, p_lease_ms integer, p_batch integer, p_bytes bigint, of_tenant text, of_scope bigint
) returns table (
  tenant_id text, scope_no bigint, scope_id text, generation integer, fence bigint, took_over boolean, weight integer, seq bigint,
  document_id text, revision integer, attempts integer, current boolean, unchanged boolean, name text, type text, source text, text text,
  text_hash bytea, enqueued_at timestamptz, trace text, approval json
)
  language plpgsql as $$
#variable_conflict use_column
declare
  found_now record;
  taken record;
  new_fence bigint;
begin
  perform pg_advisory_xact_lock(of_scope);
  select s.scope_id, s.generation, t.weight, l.owner, l.in_hand_seq, l.careful_until_seq into found_now
  from scopes s
  join tenants t on t.tenant_id = s.tenant_id and t.deleted_at is null
  join scope_leases l on l.tenant_id = s.tenant_id and l.scope_no = s.scope_no and (l.owner is null or l.leased_until < clock_timestamp())
  where s.tenant_id = of_tenant and s.scope_no = of_scope;
  if not found or concord_effective_state(of_tenant, of_scope) <> 'running' then return; end if;

  taken := concord_next_batch(of_tenant, of_scope, found_now.generation, found_now.scope_id, p_batch, p_bytes);
  if taken.seqs is null then
    update scope_heads h set turn_at = due.at, has_backlog = due.at is not null
    from (select concord_next_due(of_tenant, of_scope) as at) due where h.tenant_id = of_tenant and h.scope_no = of_scope;
    return;
  end if;
  if found_now.owner is not null or taken.orphaned then
    found_now.careful_until_seq := greatest(found_now.careful_until_seq,
      concord_requeue_orphans(of_tenant, of_scope, found_now.generation, found_now.scope_id, found_now.in_hand_seq));
  end if;
  if taken.seqs[1] <= found_now.careful_until_seq then
    taken := concord_next_batch(of_tenant, of_scope, found_now.generation, found_now.scope_id, 1, p_bytes);
  end if;

  perform concord_move_documents(of_tenant, of_scope, found_now.generation, taken.ids, taken.revisions, 'queued', 'processing',
    'document.processing', taken.events);
  update scope_leases l set owner = p_owner, fence = l.fence + 1, leased_until = clock_timestamp() + p_lease_ms * interval '1 millisecond',
    careful_until_seq = found_now.careful_until_seq, in_hand_seq = case when cardinality(taken.seqs) = 1 then taken.seqs[1] end
    where l.tenant_id = of_tenant and l.scope_no = of_scope and (l.owner is null or l.leased_until < clock_timestamp())
    returning l.fence into new_fence;
  if not found then
    raise exception 'the lease was taken meanwhile' using errcode = '40001';
  end if;
  return query
    select of_tenant, of_scope, found_now.scope_id, found_now.generation, new_fence, found_now.owner is not null, found_now.weight, b.seq,
      d.document_id, d.revision, b.attempts, d.current, d.unchanged, d.name, d.type, d.source, d.text, d.text_hash, b.enqueued_at, d.trace,
      d.approval
    from backlog b join documents d on d.tenant_id = of_tenant and d.scope_no = of_scope and d.generation = found_now.generation
      and d.document_id = b.document_id and d.revision = b.revision
    where b.tenant_id = of_tenant and b.scope_no = of_scope and b.seq = any (taken.seqs)
    order by b.seq;
end $$;
