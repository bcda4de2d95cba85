-- Who examined what a scope certifies. A sign-off is a dated statement about a fixed set, never altered: withdrawing one is written
-- beside it, and erasing a document blanks reasons alone.
create table sign_offs (
  tenant_id text not null,
  scope_no bigint not null,
  generation integer not null,
  round bigint not null,
  sign_off_id text not null,
  decision_id text not null,
  -- As given, and as different people are told apart.
  signed_by text not null,
  person text not null,
  -- The key vouched for the name: it was that person's alone.
  bound boolean not null,
  reason text not null,
  signed_at timestamptz not null,
  -- Documents by revision and digest, what counted and what was left open.
  covers json not null,
  -- Documents without a reading, each with how it was dealt with and why.
  unread json not null,
  -- Who took it back, when, why and in which round.
  withdrawn json,
  primary key (tenant_id, scope_no, generation, round)
);
create unique index sign_offs_id on sign_offs (tenant_id, sign_off_id);
alter table sign_offs enable row level security;
alter table sign_offs force row level security;
create policy own_rows on sign_offs to concord_tenant
  using (tenant_id = nullif(current_setting('concord.tenant', true), '')) with check (tenant_id = nullif(current_setting('concord.tenant', true), ''));
create policy all_rows on sign_offs to concord_engine using (true) with check (true);
grant select, insert, update, delete on sign_offs to concord_tenant, concord_engine;

-- The last round after which something else counted: sign-offs from before it cover what counts no more.
alter table scope_states add column changed_round bigint not null default 0;

-- The model that compared a document in full, with the version of its questions: name@version. Null where none did.
alter table documents add column compared_model text;

-- Certificates count documents by reader, version and model, and those without a reading by state. What was rejected is no part of the
-- case. The function of three arguments is that of nodes of the version before.
create function concord_document_counted(list text, extractor text, extractor_version text, compared_model text, status text, text_hash bytea,
  erased_at timestamptz) returns text language sql immutable as $$
  select case list
    when 'documents' then json_build_array(coalesce(extractor, ''), coalesce(extractor_version, ''), compared_model)::text
    when 'unread' then case when erased_at is not null then 'erased' when status = 'indexed' then 'elsewhere' else status end
    else '' end
$$;

create or replace function concord_note_document() returns trigger language plpgsql as $$
declare
  was_in text;
  now_in text := case when new.status = 'rejected' and new.erased_at is null then null
    else concord_document_list(new.current, new.status, new.text_hash, new.erased_at) end;
begin
  if tg_op = 'UPDATE' then
    was_in := case when old.status = 'rejected' and old.erased_at is null then null
      else concord_document_list(old.current, old.status, old.text_hash, old.erased_at) end;
    insert into certificate_changes (tenant_id, scope_no, generation, list, counted, member, added)
    select l.tenant_id, l.scope_no, l.generation, l.list,
      concord_document_counted(l.list, old.extractor, old.extractor_version, old.compared_model, old.status, old.text_hash, old.erased_at),
      concord_document_member(l.list, old.document_id, old.revision, old.status, old.text_hash, old.erased_at), false
    from certificate_lists l
    where l.tenant_id = old.tenant_id and l.scope_no = old.scope_no and l.generation = old.generation and l.list = was_in;
  end if;
  insert into certificate_changes (tenant_id, scope_no, generation, list, counted, member, added)
  select l.tenant_id, l.scope_no, l.generation, l.list,
    concord_document_counted(l.list, new.extractor, new.extractor_version, new.compared_model, new.status, new.text_hash, new.erased_at),
    concord_document_member(l.list, new.document_id, new.revision, new.status, new.text_hash, new.erased_at), true
  from certificate_lists l
  where l.tenant_id = new.tenant_id and l.scope_no = new.scope_no and l.generation = new.generation and l.list = now_in;
  return null;
end $$;
drop trigger note_document_changed on documents;
create trigger note_document_changed after update on documents for each row
  when ((concord_document_list(old.current, old.status, old.text_hash, old.erased_at) is not null
      or concord_document_list(new.current, new.status, new.text_hash, new.erased_at) is not null)
    and (old.current, old.status, old.text_hash, old.erased_at, old.extractor, old.extractor_version, old.compared_model)
      is distinct from (new.current, new.status, new.text_hash, new.erased_at, new.extractor, new.extractor_version, new.compared_model))
  execute function concord_note_document();
-- Counted in the old way: the next certificate looks at every member. The owner sees no row of a table whose row-level security is forced.
alter table certificate_lists no force row level security;
alter table certificate_changes no force row level security;
delete from certificate_changes;
delete from certificate_lists;
alter table certificate_lists force row level security;
alter table certificate_changes force row level security;
