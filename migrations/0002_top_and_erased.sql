-- In steps: each index is built while the service works.
-- Expands: indexes alone.

-- Summaries and overviews begin with the most severe of the open contradictions: a few, found among any number of others.
create index concurrently if not exists contradictions_top on contradictions
  (tenant_id, scope_no, generation, array_position(array['critical', 'high', 'medium', 'low'], severity), contradiction_no desc)
  where status = 'open';

-- Summaries and lists of cases count the erased documents by the state they are kept in, whatever else was not read.
create index concurrently if not exists documents_erased on documents (tenant_id, scope_no, generation, status)
  where current and erased_at is not null;
