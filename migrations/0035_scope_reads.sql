-- In steps. Claims by subject, and the numbers of a scope over a period, without looking through the scope.
-- The owner sees no row of a table whose row-level security is forced.
alter table claims no force row level security;
create index concurrently if not exists claims_unhashed on claims (tenant_id) where subject_hash is null;
-- repeat
update claims set subject_hash = concord_subject_hash(subject)
where ctid = any (array(select ctid from claims where subject_hash is null order by tenant_id limit 20000));
drop index concurrently if exists claims_unhashed;
alter table claims force row level security;
create index concurrently if not exists claims_subjects on claims (tenant_id, scope_no, generation, subject_hash, claim_no);
create index concurrently if not exists documents_finished on documents (tenant_id, scope_no, generation, finished_at) where finished_at is not null;
-- Those that are neither finished nor in the queue: registered, attached.
create index concurrently if not exists documents_aside on documents (tenant_id, scope_no, generation, received_at)
  where finished_at is null and status not in ('queued', 'processing');
