-- Sessions of people who signed in with the issuer: like a key of a tenant, for a person alone and for an hour at most.
create table sessions (
  tenant_id text not null references tenants,
  session_id text not null,
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  -- What the sign-in was begun with: each makes one session, whichever node is asked.
  attempt_hash bytea not null unique check (octet_length(attempt_hash) = 32),
  -- desk: a cookie of a browser; device: a token of the command line.
  kind text not null check (kind in ('desk', 'device')),
  issuer text not null,
  subject text not null,
  person text not null,
  rights text[] not null check (rights <@ array['read', 'ingest', 'decide', 'erase', 'manage'] and cardinality(rights) > 0),
  -- Null: every scope, those to come included.
  scopes text[] check (cardinality(scopes) between 1 and 200),
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null check (expires_at <= created_at + interval '1 hour'),
  revoked_at timestamptz,
  primary key (tenant_id, session_id)
);
create index sessions_expired on sessions (expires_at);

alter table sessions enable row level security;
alter table sessions force row level security;
create policy own_rows on sessions to concord_tenant using (tenant_id = nullif(current_setting('concord.tenant', true), ''))
  with check (tenant_id = nullif(current_setting('concord.tenant', true), ''));
create policy all_rows on sessions to concord_engine using (true) with check (true);
-- Who is let in is decided by the service: a tenant's requests make no sessions, and see no more than that there are some.
grant select (tenant_id, session_id) on sessions to concord_tenant;
grant select, insert, update, delete on sessions to concord_engine;
