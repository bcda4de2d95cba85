-- Sessions that a tenant key was exchanged for: rights, scopes, person and end are the key's, at every moment. And for all
-- sessions, how long one goes on without being used, beside the longest it may last.
alter table sessions add column key_id text;
alter table sessions alter column person drop not null;
alter table sessions add column idle_minutes integer not null default 60 check (idle_minutes between 1 and 1440);
alter table sessions add column used_at timestamptz not null default clock_timestamp();
alter table sessions drop constraint sessions_check;
alter table sessions add constraint sessions_longest check (expires_at <= created_at + interval '1 day');
alter table sessions add constraint sessions_whose check (person is not null or key_id is not null);

-- That a session was used takes nothing away from it.
drop trigger credentials_changed on sessions;
create trigger credentials_changed after update of revoked_at, expires_at, rights, scopes on sessions
  for each row execute function concord_credentials_changed();
