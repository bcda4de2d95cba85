-- The roles concord_tenant and concord_engine exist before any migration runs; 0010_access gives them their rights.
--
-- tenant_id leads the key of every tenant-owned table; row-level security is forced on each, so that a statement
-- under concord_tenant sees the rows of the one tenant named in the setting concord.tenant, or none at all.
-- concord_engine serves the few statements that must cross tenants (group commit, leasing, the kernel stream, chores).
-- The service itself writes under the pseudo tenant '-' and scope_no 0.

create table tenants (
  tenant_id text primary key check (tenant_id = '-' or tenant_id ~ '^ten_[0-9A-Za-z]{22}$'),
  name text not null check (char_length(name) >= 1),
  weight integer not null default 1 check (weight between 1 and 1000),
  concurrent_scopes integer not null default 64 check (concurrent_scopes between 1 and 100000),
  limits jsonb not null default '{}',
  created_at timestamptz not null default clock_timestamp(),
  deleted_at timestamptz,
  -- Set when nothing of a deleted tenant is left but its name.
  removed_at timestamptz
);
create index tenants_to_remove on tenants (tenant_id) where deleted_at is not null and removed_at is null;

create table tenant_keys (
  tenant_id text not null references tenants,
  key_id text not null,
  key_hash bytea not null unique check (octet_length(key_hash) = 32),
  key_prefix text not null,
  label text,
  created_at timestamptz not null default clock_timestamp(),
  revoked_at timestamptz,
  primary key (tenant_id, key_id)
);

-- A tenant's turn in the fair order between tenants.
create table tenant_turns (
  tenant_id text primary key references tenants,
  served_at timestamptz not null default '-infinity',
  virtual_time double precision not null default 0
);

insert into tenants (tenant_id, name) values ('-', 'service');
