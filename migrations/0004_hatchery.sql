-- Runtime states as the lease statement reads them, and the sizes the hatchery aims at.

-- Nearly every state is running: what keeps scopes from running is the short list.
create index runtime_states_halted on runtime_states (tenant_id, scope_no) where state <> 'running';

-- A tenant's summary shows the effective state, which the service's own row is part of.
create policy service_state on runtime_states for select to concord_tenant using (tenant_id = '-');

create function concord_effective_state(of_tenant text, of_scope bigint) returns text
  language sql stable parallel safe
  as $$
    select case when bool_or(state = 'stopped') then 'stopped' when bool_or(state = 'paused') then 'paused' else 'running' end
    from runtime_states
    where (tenant_id = '-' and scope_no = 0) or (tenant_id = of_tenant and scope_no in (0, of_scope))
  $$;
grant execute on function concord_effective_state(text, bigint) to concord_tenant, concord_engine;

-- What a restart has to clear, found without reading a whole backlog.
create index backlog_retries on backlog (tenant_id, scope_no) where attempts > 0 or not_before > '-infinity';

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
grant select, insert, update, delete on hatchery_sizes to concord_engine;
insert into hatchery_sizes (role) values ('pipeline');
