-- Reading again: documents that were read before wait in the backlog once more, without leaving their state. What they say
-- counts until the new reading takes its place.

alter table backlog
  -- Null for a document that comes in. {model, by, reason}: whether a model is to be asked, who wants it and why.
  add column reread json;
-- A document waits to be read again once.
create unique index backlog_rereads on backlog (tenant_id, scope_no, generation, document_id) where reread is not null;

alter table scope_heads
  -- Places in the backlog of documents that are read again.
  add column rereads integer not null default 0 check (rereads >= 0);

alter table documents
  -- The round that read it last, where that was not its first reading.
  add column reread_round bigint,
  -- Numbers of claims that earlier readings of this revision left.
  add column former_claims int8multirange not null default '{}',
  -- What came of asking a model: 'answered', or why there is no whole answer; null where none was asked.
  add column model_outcome text;
create index documents_without_model on documents (tenant_id, scope_no, generation, document_id)
  where current and status = 'indexed' and model_outcome <> 'answered';

-- How many documents each version of the reader has read, of those that count.
alter table scope_states add column readers json not null default '{}';

-- A reading that no longer finds a supersession withdraws it.
alter table supersessions drop constraint supersessions_status_check;
alter table supersessions add constraint supersessions_status_check check (status in ('standing', 'objected', 'withdrawn'));

-- What hangs on the claims of a document is found from them.
create index supersessions_by on supersessions (tenant_id, scope_no, generation, by_claim_no);
create index supersessions_objected on supersessions (tenant_id, scope_no, generation, contradiction_no) where contradiction_no is not null;
create index possible_conflicts_promoted on possible_conflicts (tenant_id, scope_no, generation, contradiction_no) where contradiction_no is not null;

alter table scope_states no force row level security;
alter table documents no force row level security;
alter table model_readings no force row level security;
update scope_states t set readers = k.readers
from (
  select n.tenant_id, n.scope_no, n.generation, json_object_agg(n.extractor_version, n.documents) as readers
  from (
    select d.tenant_id, d.scope_no, d.generation, d.extractor_version, count(*) as documents from (
      select distinct on (tenant_id, scope_no, generation, document_id) tenant_id, scope_no, generation, extractor_version, erased_at
      from documents where status = 'indexed' and round is not null
      order by tenant_id, scope_no, generation, document_id, revision desc
    ) d where d.erased_at is null and d.extractor_version is not null
    group by 1, 2, 3, 4
  ) n group by 1, 2, 3
) k
where t.tenant_id = k.tenant_id and t.scope_no = k.scope_no and t.generation = k.generation;
update documents d set model_outcome = m.outcome from model_readings m
where m.tenant_id = d.tenant_id and m.scope_no = d.scope_no and m.generation = d.generation and m.document_id = d.document_id
  and m.revision = d.revision;
alter table scope_states force row level security;
alter table documents force row level security;
alter table model_readings force row level security;

drop function concord_lease(text, integer, integer, bigint, text, bigint);
drop function concord_next_batch(text, bigint, integer, text, integer, bigint);

-- As before. Documents that are read again have places behind all others (see store/rereads), and no batch has both kinds.
-- A node of the version before asks for none of them.
create function concord_next_batch(
  of_tenant text, of_scope bigint, of_generation integer, of_scope_id text, p_batch integer, p_bytes bigint, p_again boolean,
  out seqs bigint[], out ids text[], out revisions integer[], out events text[], out orphaned boolean, out again boolean
)
  language sql as $$
  select array_agg(n.seq order by n.seq), array_agg(n.document_id order by n.seq), array_agg(n.revision order by n.seq),
    array_agg(json_build_object('scope_id', of_scope_id, 'document_id', n.document_id, 'revision', n.revision, 'name', n.name,
      'status', 'processing', 'attempt', n.attempts + 1)::text order by n.seq),
    bool_or(n.status = 'processing'), bool_or(n.again)
  from (
    select b.seq, b.attempts, d.document_id, d.revision, d.name, d.status, row_number() over up_to_here as place,
      sum(coalesce(octet_length(d.text), d.file_bytes)) over up_to_here as bytes, b.reread is not null as again,
      first_value(b.reread is not null) over up_to_here as first_again
    from (
      select * from backlog b
      where b.tenant_id = of_tenant and b.scope_no = of_scope and b.generation = of_generation and b.not_before <= clock_timestamp()
        and (p_again or b.reread is null)
      order by b.seq limit p_batch
    ) b join documents d on d.tenant_id = of_tenant and d.scope_no = of_scope and d.generation = of_generation
      and d.document_id = b.document_id and d.revision = b.revision
    window up_to_here as (order by b.seq)
  ) n
  where n.again = n.first_again and (n.place = 1 or coalesce(n.bytes, 0) <= p_bytes)
$$;

-- As before. A document that is read again keeps its state while it is leased; when the process dies, those that it may have
-- had in hand are leased one at a time, as others are.
create function concord_lease(
  p_owner text, p_lease_ms integer, p_batch integer, p_bytes bigint, of_tenant text, of_scope bigint, p_again boolean default false
) returns table (
  tenant_id text, scope_no bigint, scope_id text, generation integer, fence bigint, took_over boolean, weight integer, seq bigint,
  document_id text, revision integer, attempts integer, current boolean, unchanged boolean, name text, type text, source text, text text,
  text_hash bytea, enqueued_at timestamptz, trace text, approval json, reread json
)
  language plpgsql as $$
#variable_conflict use_column
declare
  found_now record;
  taken record;
  new_fence bigint;
  last_orphan bigint;
  first_again constant bigint := 1000000000000000;
begin
  perform pg_advisory_xact_lock(of_scope);
  select s.scope_id, s.generation, t.weight, l.owner, l.in_hand_seq, l.careful_until_seq into found_now
  from scopes s
  join tenants t on t.tenant_id = s.tenant_id and t.deleted_at is null
  join scope_leases l on l.tenant_id = s.tenant_id and l.scope_no = s.scope_no and (l.owner is null or l.leased_until < clock_timestamp())
  where s.tenant_id = of_tenant and s.scope_no = of_scope;
  if not found or concord_effective_state(of_tenant, of_scope) <> 'running' then return; end if;

  taken := concord_next_batch(of_tenant, of_scope, found_now.generation, found_now.scope_id, p_batch, p_bytes, p_again);
  if taken.seqs is null then
    update scope_heads h set turn_at = due.at, has_backlog = due.at is not null
    from (select concord_next_due(of_tenant, of_scope) as at) due where h.tenant_id = of_tenant and h.scope_no = of_scope;
    return;
  end if;
  if found_now.owner is not null or taken.orphaned then
    last_orphan := concord_requeue_orphans(of_tenant, of_scope, found_now.generation, found_now.scope_id, found_now.in_hand_seq);
    if taken.again then
      found_now.careful_until_seq := taken.seqs[cardinality(taken.seqs)];
    else
      found_now.careful_until_seq := greatest(case when found_now.careful_until_seq < first_again then found_now.careful_until_seq end, last_orphan);
    end if;
  end if;
  if taken.seqs[1] <= found_now.careful_until_seq and taken.again = (found_now.careful_until_seq >= first_again) then
    taken := concord_next_batch(of_tenant, of_scope, found_now.generation, found_now.scope_id, 1, p_bytes, p_again);
  end if;

  if not taken.again then
    perform concord_move_documents(of_tenant, of_scope, found_now.generation, taken.ids, taken.revisions, 'queued', 'processing',
      'document.processing', taken.events);
  end if;
  update scope_leases l set owner = p_owner, fence = l.fence + 1, leased_until = clock_timestamp() + p_lease_ms * interval '1 millisecond',
    careful_until_seq = found_now.careful_until_seq, in_hand_seq = case when cardinality(taken.seqs) = 1 then taken.seqs[1] end
    where l.tenant_id = of_tenant and l.scope_no = of_scope and (l.owner is null or l.leased_until < clock_timestamp())
    returning l.fence into new_fence;
  if not found then
    raise exception 'the lease was taken meanwhile' using errcode = '40001';
  end if;
  return query
    select of_tenant, of_scope, found_now.scope_id, found_now.generation, new_fence, found_now.owner is not null, found_now.weight, b.seq,
      d.document_id, d.revision, b.attempts, d.current, d.unchanged and b.reread is null, d.name, d.type, d.source, d.text, d.text_hash,
      b.enqueued_at, d.trace, d.approval, b.reread
    from backlog b join documents d on d.tenant_id = of_tenant and d.scope_no = of_scope and d.generation = found_now.generation
      and d.document_id = b.document_id and d.revision = b.revision
    where b.tenant_id = of_tenant and b.scope_no = of_scope and b.seq = any (taken.seqs)
    order by b.seq;
end $$;

-- As before; documents that wait to be read again wait, too.
create or replace function concord_guard(
  of_tenant text, of_scope bigint, p_fence bigint, p_generation integer, p_version bigint, p_round bigint, p_policy text, p_waiting bigint,
  p_documents integer
) returns void
  language plpgsql as $$
declare
  found_now record;
begin
  select l.fence, l.leased_until > clock_timestamp() as held, s.generation, s.version, coalesce(t.round, 0) as round,
    h.queued + h.processing + h.held + h.rereads as waiting,
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
