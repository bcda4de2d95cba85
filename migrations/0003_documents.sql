-- Documents, those that wait to be read, and what reading one cost.

-- One row for each revision of a document.
create table documents (
  tenant_id text not null,
  scope_no bigint not null,
  generation integer not null,
  document_id text not null check (char_length(document_id) between 1 and 200),
  revision integer not null check (revision >= 1),
  current boolean not null default true,
  status text not null check (status in ('registered', 'attached', 'queued', 'processing', 'indexed', 'held', 'rejected', 'quarantined')),
  name text not null,
  type text not null,
  source text,
  provenance text,
  text text,
  text_hash bytea,
  -- The previous revision had the same text: nothing is extracted again.
  unchanged boolean not null default false,
  -- Position of document.queued in the scope's event log.
  seq bigint,
  attempts integer not null default 0,
  reason text,
  stage text,
  error_class text,
  diagnosis jsonb,
  received_at timestamptz not null default clock_timestamp(),
  queued_at timestamptz,
  started_at timestamptz,
  finished_at timestamptz,
  erased_at timestamptz,
  timings jsonb,
  round bigint,
  -- The claims of a revision are contiguous in their scope.
  first_claim_no bigint,
  claim_count integer not null default 0,
  contradiction_count integer not null default 0,
  profile jsonb,
  trace text,
  -- Which extractor read the document; with an equal version a replay from its text must give the same.
  extractor text,
  extractor_version text,
  -- Attached documents are queued in the order they were attached: by the place of document.attached in the event log.
  attached_seq bigint,
  -- A person approved this revision while it was held: {decision_seq, decision_hash, actor: {kind, id}, reason}. The document
  -- is queued again, and its worker concludes it as that review instead of asking policy about it once more.
  approval json,
  primary key (tenant_id, scope_no, generation, document_id, revision)
);
create index documents_waiting on documents (tenant_id, scope_no, generation, document_id)
  where current and status in ('attached', 'held', 'rejected', 'quarantined');
create index documents_quarantined on documents (tenant_id, scope_no, generation, document_id) where current and status = 'quarantined';
create index documents_attached on documents (tenant_id, scope_no, generation, attached_seq) where current and status = 'attached';
-- Texts leave after their time: the oldest are found by when they came.
create index documents_age on documents using brin (received_at);
-- Default compression halves the insert rate of texts.
alter table documents alter column text set storage external;

create table backlog (
  tenant_id text not null,
  scope_no bigint not null,
  seq bigint not null,
  generation integer not null,
  document_id text not null,
  revision integer not null,
  attempts integer not null default 0,
  not_before timestamptz not null default '-infinity',
  enqueued_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, scope_no, seq)
);
-- What a restart has to clear, found without reading a whole backlog.
create index backlog_retries on backlog (tenant_id, scope_no) where attempts > 0 or not_before > '-infinity';

-- Extractions that cost a model call; the deterministic reader is cheaper than its cache.
create table extraction_cache (
  tenant_id text not null references tenants,
  content_hash bytea not null,
  extractor text not null,
  version text not null,
  extraction json not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, content_hash, extractor, version)
);

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
