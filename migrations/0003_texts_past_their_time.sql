-- In steps: each index is built while the service works.
-- Expands: an index alone. documents_removable stays for versions before, which find texts by it, and goes in a later one.

-- Texts past their time: those of revisions that were replaced while they were held, in quarantine or attached are among them, for nobody can have
-- those read any more.
create index concurrently if not exists documents_past on documents (received_at)
  where (status in ('indexed', 'rejected') or (not current and status in ('held', 'quarantined', 'attached')))
    and (text is not null or file_id is not null);
