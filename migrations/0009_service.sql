-- What belongs to the service and not to a tenant: concord_engine alone may touch it.

create table nodes (
  node_id text primary key,
  role text not null check (role in ('all', 'api', 'worker')),
  started_at timestamptz not null default clock_timestamp(),
  heartbeat_at timestamptz not null default clock_timestamp(),
  snapshot json not null default '{}'
);

-- The size of each role for the whole cluster. Whichever node claims the evaluation that is due does it; state is
-- what the pure sizing step remembers between evaluations, figures what it saw.
create table hatchery_sizes (
  role text primary key,
  desired integer not null default 0 check (desired >= 0),
  reason text not null default 'not evaluated yet',
  state json,
  figures json,
  evaluated_at timestamptz,
  next_at timestamptz not null default '-infinity'
) with (fillfactor = 50);
insert into hatchery_sizes (role) values ('pipeline');

create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  tier text not null,
  -- A fingerprint of the key, never the key.
  actor text not null,
  action text not null,
  outcome text not null check (outcome in ('allowed', 'refused', 'counted')),
  -- Null from the moment the act is let through until its answer is known.
  status integer,
  tenant_id text,
  scope_id text,
  request_id text not null,
  address text,
  detail json not null default '{}',
  -- Filled in afterwards by the leader; ids are taken before commit, so the chain counts for itself.
  chain_no bigint unique,
  prev_hash text,
  hash text
);
create index audit_log_unchained on audit_log (id) where hash is null;
create index audit_log_tenant on audit_log (tenant_id, id);
