-- scope_no is a scope's internal number (never shown: it would tell how many scopes others have). Rows that a reset
-- makes disappear carry the scope's generation; the event log does not, because it keeps counting across resets.

create table scopes (
  tenant_id text not null references tenants,
  scope_id text not null check (char_length(scope_id) between 1 and 120 and scope_id ~ '^[a-z0-9][a-z0-9-]*$'),
  scope_no bigint generated always as identity unique,
  display_name text,
  mode text not null default 'auto' check (mode in ('auto', 'review', 'strict')),
  generation integer not null default 1 check (generation >= 1),
  -- Raised by every act of a person and every change of settings; a commit computed under an older version is repeated.
  version bigint not null default 0,
  settings jsonb not null default '{}',
  glossary jsonb not null default '{"terms":{},"entities":{}}',
  created_at timestamptz not null default clock_timestamp(),
  -- After a reset the decision chain goes on from the head of the one that ended; null before the first reset.
  chain_hash text,
  -- Rows of generations below this one are gone.
  oldest_generation integer not null default 1,
  primary key (tenant_id, scope_id),
  unique (tenant_id, scope_no)
);
create index scopes_to_clear on scopes (tenant_id, scope_no) where oldest_generation < generation;

-- The scope's place in its event log, and counts kept rather than counted. Ingest touches this row and never the lease.
create table scope_heads (
  tenant_id text not null,
  scope_no bigint not null,
  next_seq bigint not null default 0 check (next_seq >= 0),
  -- Oldest event still kept; readers that ask for less get an explicit gap.
  oldest_seq bigint not null default 0,
  has_backlog boolean not null default false,
  registered bigint not null default 0,
  attached bigint not null default 0,
  queued bigint not null default 0,
  processing bigint not null default 0,
  indexed bigint not null default 0,
  held bigint not null default 0,
  rejected bigint not null default 0,
  quarantined bigint not null default 0,
  -- Bytes of text kept for the scope; the tenant's usage is the sum over its scopes, so that flushes into different
  -- scopes of one tenant never wait for a common row.
  bytes bigint not null default 0 check (bytes >= 0),
  primary key (tenant_id, scope_no),
  foreign key (tenant_id, scope_no) references scopes (tenant_id, scope_no)
) with (fillfactor = 50);
create index scope_heads_backlog on scope_heads (tenant_id, scope_no) where has_backlog;

-- Desired processing state of the service ('-', 0), a tenant (…, 0) or a scope.
create table runtime_states (
  tenant_id text not null references tenants,
  scope_no bigint not null,
  state text not null check (state in ('running', 'paused', 'stopped')),
  run bigint not null default 1,
  changed_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, scope_no)
);
-- Nearly every state is running: what keeps scopes from running is the short list.
create index runtime_states_halted on runtime_states (tenant_id, scope_no) where state <> 'running';
insert into runtime_states (tenant_id, scope_no, state) values ('-', 0, 'running');

create function concord_effective_state(of_tenant text, of_scope bigint) returns text
  language sql stable parallel safe
  as $$
    select case when bool_or(state = 'stopped') then 'stopped' when bool_or(state = 'paused') then 'paused' else 'running' end
    from runtime_states
    where (tenant_id = '-' and scope_no = 0) or (tenant_id = of_tenant and scope_no in (0, of_scope))
  $$;
grant execute on function concord_effective_state(text, bigint) to concord_tenant, concord_engine;
