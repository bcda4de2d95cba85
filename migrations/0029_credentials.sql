-- Raised by every change that takes something away from a credential: nodes ask for this one row, and what they remember
-- of any number of keys, tenants and sessions stays good while it is the same. What expires is known when it is looked up.
create table credential_generation (
  singleton boolean primary key default true check (singleton),
  generation bigint not null default 0
);
insert into credential_generation default values;
grant select, update on credential_generation to concord_engine;

create function concord_credentials_changed() returns trigger language plpgsql as $$
begin
  update credential_generation set generation = generation + 1;
  return null;
end $$;
create trigger credentials_changed after update or delete on tenant_keys for each row execute function concord_credentials_changed();
create trigger credentials_changed after update of deleted_at, limits on tenants for each row execute function concord_credentials_changed();
create trigger credentials_changed after update on sessions for each row execute function concord_credentials_changed();
