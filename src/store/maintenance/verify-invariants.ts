/**
 * What must hold of every database at any moment, as statements that find where it does not. Each answers
 * (tenant_id, scope_no, detail). Rows of old generations and of deleted tenants are on their way out and not asked about.
 */

import { countIn } from '../events/events-reading.js'

export interface Invariant {
  name: string
  promise: string
  sql: string
}

/** Where one does not hold. */
export interface BrokenInvariant {
  invariant: string
  tenantId: string | null
  scopeId: string | null
  detail: string
}

const live = `scopes s join tenants t on t.tenant_id = s.tenant_id and t.deleted_at is null`

export const invariants: readonly Invariant[] = [
  {
    name: 'scope.rows',
    promise: 'Every scope has its head and its lease.',
    sql: `select s.tenant_id, s.scope_no, 'no ' || case when h.scope_no is null then 'head' else 'lease' end
      from ${live}
      left join scope_heads h on h.tenant_id = s.tenant_id and h.scope_no = s.scope_no
      left join scope_leases l on l.tenant_id = s.tenant_id and l.scope_no = s.scope_no
      where h.scope_no is null or l.scope_no is null`,
  },
  {
    name: 'scope.number',
    promise: 'No scope has the number of another one that was deleted.',
    sql: `select n.tenant_id, n.scope_no, format('scope %s has number %s of deleted scope %s of %s', n.scope_id, n.scope_no, d.scope_id, d.tenant_id)
      from scope_tombstones d
      join (select tenant_id, scope_no, scope_id from scopes union all select tenant_id, scope_no, scope_id from scope_tombstones) n
        on n.scope_no = d.scope_no and (n.tenant_id, n.scope_id) <> (d.tenant_id, d.scope_id)`,
  },
  {
    name: 'log.gapless',
    promise: 'The log of a scope runs from its oldest kept seq to its head without a gap.',
    sql: `select s.tenant_id, s.scope_no, format('seq %s to %s expected, %s events from %s to %s found', h.oldest_seq, h.next_seq - 1, coalesce(e.count, 0), e.first, e.last)
      from ${live} join scope_heads h on h.tenant_id = s.tenant_id and h.scope_no = s.scope_no
      left join (
        select e.tenant_id, e.scope_no, count(*), min(e.seq) as first, max(e.seq) as last from events e
        left join scope_tombstones d on d.tenant_id = e.tenant_id and d.scope_no = e.scope_no and not d.cleared
        where e.scope_no > 0 and e.seq >= coalesce(d.oldest_seq, 0) group by e.tenant_id, e.scope_no) e
        on e.tenant_id = h.tenant_id and e.scope_no = h.scope_no
      where coalesce(e.count, 0) <> h.next_seq - h.oldest_seq or e.first <> h.oldest_seq or e.last <> h.next_seq - 1`,
  },
  {
    name: 'log.commit_order',
    promise: 'In every scope the order of seq is the order of the kernel stream.',
    sql: `select tenant_id, scope_no, format('seq %s comes before seq %s on the kernel stream', seq, seq_before)
      from (select tenant_id, scope_no, seq, xid, id, lag(seq) over w as seq_before, lag(xid) over w as xid_before, lag(id) over w as id_before
            from events where scope_no > 0 window w as (partition by tenant_id, scope_no order by seq)) o
      where (xid, id) < (xid_before, id_before)`,
  },
  {
    name: 'log.orphans',
    promise: 'Every event belongs to a scope, deleted or not, a tenant or the service.',
    sql: `select e.tenant_id, e.scope_no, format('%s events of no scope', count(*))
      from events e where not exists (select from tenants t where t.tenant_id = e.tenant_id)
        or (e.scope_no > 0 and not exists (select from scopes s where s.tenant_id = e.tenant_id and s.scope_no = e.scope_no)
          and not exists (select from scope_tombstones d where d.tenant_id = e.tenant_id and d.scope_no = e.scope_no))
      group by e.tenant_id, e.scope_no`,
  },
  {
    name: 'document.has_event',
    promise: 'Every document that was queued has the event that says so, at its seq.',
    sql: `select d.tenant_id, d.scope_no, format('document %s revision %s has no event at seq %s', d.document_id, d.revision, d.seq)
      from documents d join ${live} on s.tenant_id = d.tenant_id and s.scope_no = d.scope_no and s.generation = d.generation
      join scope_heads h on h.tenant_id = d.tenant_id and h.scope_no = d.scope_no
      where d.seq >= h.oldest_seq and not exists (
        select from events e where e.tenant_id = d.tenant_id and e.scope_no = d.scope_no and e.seq = d.seq
          and e.type in ('document.queued', 'document.requeued') and e.subject = d.document_id and ${countIn('e', 'revision')} = d.revision)`,
  },
  {
    name: 'event.has_document',
    promise: 'Every document.queued since the last reset or deletion has its document.',
    sql: `select e.tenant_id, e.scope_no, format('seq %s queued document %s revision %s, which is not there', e.seq, e.subject, e.data ->> 'revision')
      from events e join ${live} on s.tenant_id = e.tenant_id and s.scope_no = e.scope_no
      where e.type = 'document.queued'
        and e.seq > coalesce((select max(r.seq) from events r where r.tenant_id = e.tenant_id and r.scope_no = e.scope_no and r.type in ('scope.reset', 'scope.deleted')), -1)
        and not exists (select from documents d where d.tenant_id = e.tenant_id and d.scope_no = e.scope_no and d.generation = s.generation
          and d.document_id = e.subject and d.revision = ${countIn('e', 'revision')})`,
  },
  {
    name: 'document.one_seq',
    promise: 'No two documents have the same place in the log.',
    sql: `select d.tenant_id, d.scope_no, format('%s documents at seq %s', count(*), d.seq)
      from documents d join ${live} on s.tenant_id = d.tenant_id and s.scope_no = d.scope_no and s.generation = d.generation
      where d.seq is not null group by d.tenant_id, d.scope_no, d.seq having count(*) > 1`,
  },
  {
    name: 'document.revisions',
    promise: 'Revisions of a document count from 1 without a gap, and the newest is the current one.',
    sql: `select d.tenant_id, d.scope_no, format('document %s: revisions up to %s, %s rows, %s current', d.document_id, max(d.revision), count(*), count(*) filter (where d.current))
      from documents d join ${live} on s.tenant_id = d.tenant_id and s.scope_no = d.scope_no and s.generation = d.generation
      group by d.tenant_id, d.scope_no, d.document_id
      having max(d.revision) <> count(*) or min(d.revision) <> 1 or count(*) filter (where d.current) <> 1
        or max(d.revision) filter (where d.current) <> max(d.revision)`,
  },
  {
    name: 'backlog.has_document',
    promise: 'Every place in the backlog is that of a document waiting for it.',
    sql: `select b.tenant_id, b.scope_no, format('seq %s waits for document %s revision %s, which is %s', b.seq, b.document_id, b.revision, coalesce(d.status, 'not there'))
      from backlog b join ${live} on s.tenant_id = b.tenant_id and s.scope_no = b.scope_no and s.generation = b.generation
      left join documents d on d.tenant_id = b.tenant_id and d.scope_no = b.scope_no and d.generation = b.generation
        and d.document_id = b.document_id and d.revision = b.revision
      where d.status is null or (d.status not in ('queued', 'processing') and b.reread is null)`,
  },
  {
    name: 'document.in_backlog',
    promise: 'Every document that is queued or being processed is in the backlog.',
    sql: `select d.tenant_id, d.scope_no, format('document %s revision %s is %s and in no backlog', d.document_id, d.revision, d.status)
      from documents d join ${live} on s.tenant_id = d.tenant_id and s.scope_no = d.scope_no and s.generation = d.generation
      where d.status in ('queued', 'processing') and not exists (
        select from backlog b where b.tenant_id = d.tenant_id and b.scope_no = d.scope_no and b.generation = d.generation
          and b.document_id = d.document_id and b.revision = d.revision)`,
  },
  {
    name: 'head.has_backlog',
    promise: 'A scope with a backlog says so.',
    sql: `select h.tenant_id, h.scope_no, 'has a backlog and denies it'
      from scope_heads h join ${live} on s.tenant_id = h.tenant_id and s.scope_no = h.scope_no
      where not h.has_backlog and exists (
        select from backlog b where b.tenant_id = h.tenant_id and b.scope_no = h.scope_no and b.generation = s.generation)`,
  },
  {
    name: 'head.rereads',
    promise: 'A scope says how many of its documents wait to be read again.',
    sql: `select h.tenant_id, h.scope_no, format('kept %s, counted %s', h.rereads, c.rereads)
      from scope_heads h join ${live} on s.tenant_id = h.tenant_id and s.scope_no = h.scope_no
      cross join lateral (
        select count(*) as rereads from backlog b
        where b.tenant_id = h.tenant_id and b.scope_no = h.scope_no and b.generation = s.generation and b.reread is not null
      ) c
      where h.rereads <> c.rereads`,
  },
  {
    name: 'head.counts',
    promise: 'The counts of a scope are those of its current documents.',
    sql: `select h.tenant_id, h.scope_no, format('kept %s, counted %s', k.kept, c.counted)
      from scope_heads h join ${live} on s.tenant_id = h.tenant_id and s.scope_no = h.scope_no
      cross join lateral (select array[h.registered, h.attached, h.queued, h.processing, h.indexed, h.held, h.rejected, h.quarantined] as kept) k
      cross join lateral (
        select array_agg((select count(*) from documents d where d.tenant_id = h.tenant_id and d.scope_no = h.scope_no and d.generation = s.generation
          and d.current and d.status = x.status) order by x.n) as counted
        from unnest(array['registered', 'attached', 'queued', 'processing', 'indexed', 'held', 'rejected', 'quarantined']) with ordinality x(status, n)
      ) c
      where k.kept <> c.counted`,
  },
  {
    name: 'head.state',
    promise: 'A scope says what its state says.',
    sql: `select h.tenant_id, h.scope_no, format('kept %s, stated %s', k.kept, c.stated)
      from scope_heads h join ${live} on s.tenant_id = h.tenant_id and s.scope_no = h.scope_no
      left join scope_states st on st.tenant_id = s.tenant_id and st.scope_no = s.scope_no and st.generation = s.generation
      cross join lateral (select array[h.derived_bytes::text, h.finality, h.pressure::text] as kept) k
      cross join lateral (
        select array[coalesce(512 * st.next_claim_no + 1024 * st.next_contradiction_no + 256 * st.passages, 0)::text, coalesce(st.finality, 'active'),
          coalesce((st.convergence ->> 'worstPressure')::float8, 0)::text] as stated
      ) c
      where k.kept <> c.stated`,
  },
  {
    name: 'state.figures',
    promise: 'A scope counts its statements that count and its findings that are open.',
    sql: `select s.tenant_id, s.scope_no, format('kept %s, counted %s', k.kept, c.counted)
      from ${live} join scope_states st on st.tenant_id = s.tenant_id and st.scope_no = s.scope_no and st.generation = s.generation
      cross join lateral (
        select array[coalesce((st.aggregates ->> 'claimsLive')::bigint, 0), coalesce((
          select sum(o.value::bigint)::bigint from json_each_text(st.aggregates -> 'contradictionsOpen') o), 0),
          coalesce((st.aggregates ->> 'possibleOpen')::bigint, 0)] as kept
      ) k
      cross join lateral (
        select array[
          (select count(*) from claims f where f.tenant_id = s.tenant_id and f.scope_no = s.scope_no and f.generation = s.generation and f.superseded_at is null),
          (select count(*) from contradictions f where f.tenant_id = s.tenant_id and f.scope_no = s.scope_no and f.generation = s.generation and f.status = 'open'),
          (select count(*) from possible_conflicts f where f.tenant_id = s.tenant_id and f.scope_no = s.scope_no and f.generation = s.generation and f.status = 'open')] as counted
      ) c
      where k.kept <> c.counted`,
  },
  {
    name: 'state.passages',
    promise: 'A scope counts the passages that are kept of its documents.',
    sql: `select s.tenant_id, s.scope_no, format('kept %s, counted %s', st.passages, c.passages)
      from ${live} join scope_states st on st.tenant_id = s.tenant_id and st.scope_no = s.scope_no and st.generation = s.generation
      cross join lateral (
        select coalesce(sum(jsonb_array_length(p.passages)), 0) as passages from document_passages p
        where p.tenant_id = s.tenant_id and p.scope_no = s.scope_no and p.generation = s.generation
      ) c
      where st.passages <> c.passages`,
  },
  {
    name: 'tenant.usage',
    promise: 'What a tenant uses is what its scopes hold.',
    sql: `select t.tenant_id, 0, format('kept %s, counted %s', k.kept, c.counted)
      from tenants t
      cross join lateral (
        select array[coalesce(sum(scopes), 0), coalesce(sum(documents), 0), coalesce(sum(bytes), 0), coalesce(sum(derived_bytes), 0),
          coalesce(sum(review), 0), coalesce(sum(resolved), 0), coalesce(sum(escalated), 0), coalesce(sum(blocked), 0)] as kept
        from tenant_usage u where u.tenant_id = t.tenant_id
      ) k
      cross join lateral (
        select array[count(*)::numeric, coalesce(sum(registered + attached + queued + processing + indexed + held + rejected + quarantined), 0),
          coalesce(sum(bytes), 0), coalesce(sum(derived_bytes), 0), count(*) filter (where finality = 'review'),
          count(*) filter (where finality = 'resolved'), count(*) filter (where finality = 'escalated'), count(*) filter (where finality = 'blocked')] as counted
        from scope_heads h where h.tenant_id = t.tenant_id
      ) c
      where t.deleted_at is null and k.kept <> c.counted`,
  },
  {
    name: 'claim.current_reading',
    promise: 'Every claim that counts is of the current reading of its document.',
    sql: `select c.tenant_id, c.scope_no, format('claim %s of document %s counts, and its document no longer says it', c.claim_id, c.document_id)
      from claims c join ${live} on s.tenant_id = c.tenant_id and s.scope_no = c.scope_no and s.generation = c.generation
      left join (
        select distinct on (tenant_id, scope_no, generation, document_id) tenant_id, scope_no, generation, document_id,
          lent_claims + int8multirange(int8range(coalesce(first_claim_no, 0), coalesce(first_claim_no, 0) + claim_count)) as numbers
        from documents where status = 'indexed' and round is not null and erased_at is null
        order by tenant_id, scope_no, generation, document_id, revision desc) d
        on d.tenant_id = c.tenant_id and d.scope_no = c.scope_no and d.generation = c.generation and d.document_id = c.document_id
      where c.superseded_at is null and (d.numbers @> c.claim_no) is not true`,
  },
  {
    name: 'supersession.by_erased',
    promise: 'No supersession stands by a claim of a document that was erased.',
    sql: `select p.tenant_id, p.scope_no, format('supersession %s stands by claim %s of document %s, which was erased', p.supersession_id, b.claim_id, b.document_id)
      from supersessions p join ${live} on s.tenant_id = p.tenant_id and s.scope_no = p.scope_no and s.generation = p.generation
      join claims b on b.tenant_id = p.tenant_id and b.scope_no = p.scope_no and b.generation = p.generation and b.claim_no = p.by_claim_no
      where p.status = 'standing' and p.kind <> 'revision' and exists (
        select from documents d where d.tenant_id = b.tenant_id and d.scope_no = b.scope_no and d.generation = b.generation
          and d.document_id = b.document_id and d.erased_at is not null)`,
  },
  {
    name: 'certificate.lists',
    promise: 'The sums kept for certificates, with the changes since, count what their lists hold.',
    sql: `select m.tenant_id, m.scope_no, format('%s: %s too many counted as "%s"', m.list, sum(m.n), m.counted)
      from (
        select l.tenant_id, l.scope_no, l.generation, l.list, c.key as counted, c.value::bigint as n
        from certificate_lists l cross join lateral json_each_text(l.counts) c
        union all
        select tenant_id, scope_no, generation, list, counted, case when added then 1 else -1 end from certificate_changes
        union all
        select l.tenant_id, l.scope_no, l.generation, l.list, concord_document_counted(l.list, d.extractor, d.extractor_version, d.compared_model, d.status, d.text_hash, d.erased_at), -1
        from certificate_lists l join documents d on d.tenant_id = l.tenant_id and d.scope_no = l.scope_no and d.generation = l.generation
          and concord_document_list(d.current, d.status, d.text_hash, d.erased_at) = l.list and (d.status <> 'rejected' or d.erased_at is not null)
        union all
        select l.tenant_id, l.scope_no, l.generation, l.list, case when p.closed_itself then 'closed' else p.status end, -1
        from certificate_lists l
        join possible_conflicts p on p.tenant_id = l.tenant_id and p.scope_no = l.scope_no and p.generation = l.generation
        where l.list = 'possible'
        union all
        select l.tenant_id, l.scope_no, l.generation, l.list, p.status, -1
        from certificate_lists l join supersessions p on p.tenant_id = l.tenant_id and p.scope_no = l.scope_no and p.generation = l.generation
        where l.list = 'supersessions' and p.status <> 'withdrawn'
      ) m join ${live} on s.tenant_id = m.tenant_id and s.scope_no = m.scope_no and s.generation = m.generation
      group by m.tenant_id, m.scope_no, m.list, m.counted having sum(m.n) <> 0`,
  },
  {
    name: 'key.has_document',
    promise: 'Every idempotency key of an ingest leads to its document.',
    sql: `select k.tenant_id, k.scope_no, format('key %s leads to document %s, which is not there', k.key, k.response ->> 'document_id')
      from idempotency_keys k join ${live} on s.tenant_id = k.tenant_id and s.scope_no = k.scope_no and s.generation = k.generation
      where k.operation = 'ingest' and not exists (
        select from documents d where d.tenant_id = k.tenant_id and d.scope_no = k.scope_no and d.generation = k.generation
          and d.document_id = k.response ->> 'document_id')`,
  },
]
