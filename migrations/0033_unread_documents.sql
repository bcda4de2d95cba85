-- In steps. A certificate names the documents it does not rest on: few, found among any number of others.
create index concurrently if not exists documents_unread on documents (tenant_id, scope_no, generation, document_id)
  where concord_document_list(current, status, text_hash, erased_at) = 'unread';
