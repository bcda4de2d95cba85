-- In steps. Documents that a model compared in full before it was noted with them.
-- The owner sees no row of a table whose row-level security is forced.
alter table documents no force row level security;
alter table model_readings no force row level security;
-- repeat
update documents d set compared_model = k.compared from (
  select o.tenant_id, o.scope_no, o.generation, o.document_id, o.revision, regexp_replace(m.model, '^model:', '') || '@' || m.prompt_version as compared
  from model_readings m join documents o on o.tenant_id = m.tenant_id and o.scope_no = m.scope_no and o.generation = m.generation
    and o.document_id = m.document_id and o.revision = m.revision
  where m.outcome = 'answered' and o.model_outcome = 'answered' and o.compared_model is null limit 20000) k
where d.tenant_id = k.tenant_id and d.scope_no = k.scope_no and d.generation = k.generation and d.document_id = k.document_id
  and d.revision = k.revision;
alter table documents force row level security;
alter table model_readings force row level security;
-- Where the settings ask for a model, documents that none compared in full are found among any number of others.
create index concurrently if not exists documents_not_compared on documents (tenant_id, scope_no, generation, round)
  where current and status = 'indexed' and compared_model is null and text_hash is not null and erased_at is null;
