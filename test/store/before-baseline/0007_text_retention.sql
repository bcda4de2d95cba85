-- Texts leave after their time: the oldest are found by when they came.
create index documents_age on documents using brin (received_at);
