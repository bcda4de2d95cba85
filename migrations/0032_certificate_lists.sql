-- What the digests of certificates stand for, kept as sums that members are added to and taken from (kernel/set-digest), so that a
-- commit that settles a scope of many documents reads what changed since its last certificate and not all of them. Only lists with
-- more members than a certificate names are kept, from the first certificate on: changes of all other scopes leave nothing here.
-- In the order in which commits write them: nodes of the version before go on working meanwhile.
lock table possible_conflicts, supersessions, documents in share row exclusive mode;

create table certificate_lists (
  tenant_id text not null,
  scope_no bigint not null,
  generation integer not null,
  list text not null check (list in ('documents', 'unread', 'possible', 'supersessions')),
  sum bytea not null check (octet_length(sum) = 2048),
  -- How many members by what they count as: the reader and its version, or the state.
  counts json not null,
  primary key (tenant_id, scope_no, generation, list)
);
-- The sums change with every certificate and are as random as digests are.
alter table certificate_lists alter column sum set storage external;

create table certificate_changes (
  tenant_id text not null,
  scope_no bigint not null,
  generation integer not null,
  id bigint not null generated always as identity,
  list text not null,
  counted text not null,
  member json not null,
  added boolean not null,
  primary key (tenant_id, scope_no, generation, id)
);

alter table certificate_lists enable row level security;
alter table certificate_lists force row level security;
create policy own_rows on certificate_lists to concord_tenant
  using (tenant_id = nullif(current_setting('concord.tenant', true), '')) with check (tenant_id = nullif(current_setting('concord.tenant', true), ''));
create policy all_rows on certificate_lists to concord_engine using (true) with check (true);
grant select, insert, update, delete on certificate_lists to concord_tenant, concord_engine;
alter table certificate_changes enable row level security;
alter table certificate_changes force row level security;
create policy own_rows on certificate_changes to concord_tenant
  using (tenant_id = nullif(current_setting('concord.tenant', true), '')) with check (tenant_id = nullif(current_setting('concord.tenant', true), ''));
create policy all_rows on certificate_changes to concord_engine using (true) with check (true);
grant select, insert, update, delete on certificate_changes to concord_tenant, concord_engine;

-- The list a revision is in. No certificate is issued while a document waits for its reading, so those are in none.
create function concord_document_list(current boolean, status text, text_hash bytea, erased_at timestamptz) returns text
  language sql immutable as $$
  select case
    when not current or erased_at is null and status in ('queued', 'processing', 'held') then null
    when status = 'indexed' and text_hash is not null and erased_at is null then 'documents'
    else 'unread' end
$$;

create function concord_document_member(list text, document_id text, revision integer, status text, text_hash bytea, erased_at timestamptz)
  returns json language sql immutable as $$
  select case list
    when 'documents' then json_build_object('document_id', document_id, 'revision', revision, 'sha256', encode(text_hash, 'hex'))
    -- Indexed without a text: others have processed it.
    else json_build_object('document_id', document_id, 'revision', revision, 'status',
      case when erased_at is not null then 'erased' when status = 'indexed' then 'elsewhere' else status end) end
$$;

create function concord_document_counted(list text, extractor text, extractor_version text) returns text language sql immutable as $$
  select case list when 'documents' then json_build_array(coalesce(extractor, ''), coalesce(extractor_version, ''))::text else '' end
$$;

create function concord_possible_state(status text, decision json) returns text language sql immutable as $$
  select case when decision ->> 'verdict' = 'superseded' then 'closed' else status end
$$;

create function concord_note_document() returns trigger language plpgsql as $$
declare
  was_in text;
  now_in text := concord_document_list(new.current, new.status, new.text_hash, new.erased_at);
begin
  if tg_op = 'UPDATE' then
    was_in := concord_document_list(old.current, old.status, old.text_hash, old.erased_at);
    insert into certificate_changes (tenant_id, scope_no, generation, list, counted, member, added)
    select l.tenant_id, l.scope_no, l.generation, l.list, concord_document_counted(l.list, old.extractor, old.extractor_version),
      concord_document_member(l.list, old.document_id, old.revision, old.status, old.text_hash, old.erased_at), false
    from certificate_lists l
    where l.tenant_id = old.tenant_id and l.scope_no = old.scope_no and l.generation = old.generation and l.list = was_in;
  end if;
  insert into certificate_changes (tenant_id, scope_no, generation, list, counted, member, added)
  select l.tenant_id, l.scope_no, l.generation, l.list, concord_document_counted(l.list, new.extractor, new.extractor_version),
    concord_document_member(l.list, new.document_id, new.revision, new.status, new.text_hash, new.erased_at), true
  from certificate_lists l
  where l.tenant_id = new.tenant_id and l.scope_no = new.scope_no and l.generation = new.generation and l.list = now_in;
  return null;
end $$;
-- Documents on their way to their reading call nothing; the conditions are evaluated without a call.
create trigger note_document after insert on documents for each row
  when (concord_document_list(new.current, new.status, new.text_hash, new.erased_at) is not null)
  execute function concord_note_document();
create trigger note_document_changed after update on documents for each row
  when ((concord_document_list(old.current, old.status, old.text_hash, old.erased_at) is not null
      or concord_document_list(new.current, new.status, new.text_hash, new.erased_at) is not null)
    and (old.current, old.status, old.text_hash, old.erased_at, old.extractor, old.extractor_version)
      is distinct from (new.current, new.status, new.text_hash, new.erased_at, new.extractor, new.extractor_version))
  execute function concord_note_document();

create function concord_note_finding() returns trigger language plpgsql as $$
declare
  of_list text := tg_argv[0];
  finding_id text;
  was text;
  state text;
begin
  if of_list = 'possible' then
    finding_id := new.possible_conflict_id;
    state := concord_possible_state(new.status, new.decision);
    if tg_op = 'UPDATE' then was := concord_possible_state(old.status, old.decision); end if;
  else
    finding_id := new.supersession_id;
    state := nullif(new.status, 'withdrawn');
    if tg_op = 'UPDATE' then was := nullif(old.status, 'withdrawn'); end if;
  end if;
  if was is distinct from state then
    insert into certificate_changes (tenant_id, scope_no, generation, list, counted, member, added)
    select l.tenant_id, l.scope_no, l.generation, l.list, m.state, json_build_object('id', finding_id, 'state', m.state), m.added
    from certificate_lists l cross join (values (was, false), (state, true)) m (state, added)
    where l.tenant_id = new.tenant_id and l.scope_no = new.scope_no and l.generation = new.generation and l.list = of_list and m.state is not null;
  end if;
  return null;
end $$;
create trigger note_finding after insert or update of status, decision on possible_conflicts for each row execute function concord_note_finding('possible');
create trigger note_finding after insert or update of status on supersessions for each row execute function concord_note_finding('supersessions');
