-- In steps. Lists of cases say by whom their documents were compared: those that a model compared are found among any number of others.
create index concurrently if not exists documents_compared on documents (tenant_id, scope_no, generation)
  where current and status = 'indexed' and compared_model is not null and erased_at is null;
