-- The event log. Scope streams read by seq; the kernel stream by (xid, id) below the oldest running transaction.
create table events (
  tenant_id text not null,
  scope_no bigint not null,
  seq bigint not null,
  xid xid8 not null default pg_current_xact_id(),
  id bigint generated always as identity,
  type text not null,
  subject text,
  data json not null,
  time timestamptz not null default clock_timestamp(),
  primary key (tenant_id, scope_no, seq)
);
create index events_commit_order on events (xid, id);
-- Numbers the events of the service and of tenants as a whole (scope_no 0), which appear on the kernel stream only.
create sequence service_events;

-- The newest event removed by retention, in commit order: readers of the kernel stream that ask for less get a gap.
create table event_horizon (
  singleton boolean primary key default true check (singleton),
  xid xid8 not null default '0',
  id bigint not null default 0
);
insert into event_horizon default values;
