-- What is needed to erase a document whole: words of decisions apart from what their hash covers, and no names in events.

-- The hash of a decision covers salted digests of its words. Words and salt can be erased, and the chain still verifies.
-- Records from before have neither; their hash covers the reasons themselves.
alter table decisions add column reasons_digest text, add column salt text, add column erased_at timestamptz;

-- The owner sees no row of a table whose row-level security is forced.
alter table events no force row level security;
alter table claims no force row level security;
alter table goals no force row level security;
alter table risks no force row level security;
alter table documents no force row level security;

update events set data = (data::jsonb - 'name')::json where type like 'document.%' and data->>'name' is not null;

-- Documents that were erased before this.
update claims c set quote = null, subject = '', attribute = '', body = '{}', slot_hash = 0, valid_from = null, valid_to = null,
  superseded_reason = 'The document was erased.'
from documents d
where d.erased_at is not null and c.tenant_id = d.tenant_id and c.scope_no = d.scope_no and c.generation = d.generation
  and c.claim_no >= d.first_claim_no and c.claim_no < d.first_claim_no + d.claim_count and c.document_id = d.document_id;
delete from goals g using documents d
where d.erased_at is not null and g.tenant_id = d.tenant_id and g.scope_no = d.scope_no and g.generation = d.generation
  and g.document_id = d.document_id and g.revision = d.revision;
delete from risks r using documents d
where d.erased_at is not null and r.tenant_id = d.tenant_id and r.scope_no = d.scope_no and r.generation = d.generation
  and r.document_id = d.document_id and r.revision = d.revision;
update documents set name = '', source = null, provenance = null, reason = 'The document was erased.', approval = null where erased_at is not null;

alter table events force row level security;
alter table claims force row level security;
alter table goals force row level security;
alter table risks force row level security;
alter table documents force row level security;

-- As before; and a name that a node of the version before puts into an event is left out: names are looked up when an
-- event is read, so that they can be erased.
create or replace function concord_move_documents(
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
  select of_tenant, of_scope, first_seq + e.place - 1, p_type, e.document_id, (e.data::jsonb - 'name')::json
  from unnest(p_documents, p_events) with ordinality as e (document_id, data, place) order by e.place;
  return moved;
end $$;
