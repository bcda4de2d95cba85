-- Legal holds: while one stands on a case or a document, nothing removes it. A lifted one stays on record.
create table legal_holds (
  tenant_id text not null references tenants,
  scope_no bigint not null,
  generation integer not null,
  -- Counts the holds of the scope.
  hold_no integer not null,
  hold_id text not null,
  -- Null: the whole case.
  document_id text,
  set_by text not null,
  -- Whether the key vouched for who set it.
  set_bound boolean not null,
  -- Null once the document was erased.
  reason text,
  set_at timestamptz not null default clock_timestamp(),
  lifted_by text,
  lifted_bound boolean,
  lifted_reason text,
  lifted_at timestamptz,
  check ((lifted_at is null) = (lifted_by is null) and (lifted_at is null) = (lifted_bound is null)),
  primary key (tenant_id, scope_no, generation, hold_no),
  unique (tenant_id, hold_id)
);
create unique index legal_holds_standing on legal_holds (tenant_id, scope_no, coalesce(document_id, '')) where lifted_at is null;

alter table legal_holds enable row level security;
alter table legal_holds force row level security;
create policy own_rows on legal_holds to concord_tenant
  using (tenant_id = nullif(current_setting('concord.tenant', true), '')) with check (tenant_id = nullif(current_setting('concord.tenant', true), ''));
create policy all_rows on legal_holds to concord_engine using (true) with check (true);
grant select, insert, update, delete on legal_holds to concord_tenant, concord_engine;

-- The right to set and lift them. Keys that could do everything can do this too; people get it from OIDC_MAPPING.
alter table tenant_keys drop constraint tenant_keys_rights_check,
  alter column rights set default array['read', 'ingest', 'decide', 'erase', 'manage', 'hold'],
  add constraint tenant_keys_rights_check
    check (rights <@ array['read', 'ingest', 'decide', 'erase', 'manage', 'hold'] and cardinality(rights) > 0);
alter table sessions drop constraint sessions_rights_check,
  add constraint sessions_rights_check
    check (rights <@ array['read', 'ingest', 'decide', 'erase', 'manage', 'hold'] and cardinality(rights) > 0);
update tenant_keys set rights = array['read', 'ingest', 'decide', 'erase', 'manage', 'hold']
  where rights @> array['read', 'ingest', 'decide', 'erase', 'manage'];
