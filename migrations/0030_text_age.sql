-- In steps. Texts past their time are found by an index that holds only documents whose text may be removed: once all old ones
-- were, the ranges of documents_age led to every old document again, each minute.
create index concurrently if not exists documents_removable on documents (received_at)
  where status in ('indexed', 'rejected') and (text is not null or file_id is not null);
drop index concurrently if exists documents_age;
