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

-- Takes scopes away from whoever leases them: the fence rises, documents in hand go back to queued, one event each.
-- The caller holds the locks of the scopes. Answers how many documents went back.
create function concord_take_back(p_tenants text[], p_scopes bigint[], p_reason text) returns bigint
  language plpgsql as $$
declare
  scope record;
  held record;
  taken bigint := 0;
begin
  for scope in
    select s.tenant_id, s.scope_no, s.scope_id, s.generation
    from unnest(p_tenants, p_scopes) as t (tenant_id, scope_no) join scopes s on s.tenant_id = t.tenant_id and s.scope_no = t.scope_no
    order by s.scope_no
  loop
    update scope_leases l set fence = l.fence + 1, owner = null, leased_until = null, in_hand_seq = null
    where l.tenant_id = scope.tenant_id and l.scope_no = scope.scope_no;
    select array_agg(d.document_id order by b.seq) as ids, array_agg(d.revision order by b.seq) as revisions,
      array_agg(json_build_object('scope_id', scope.scope_id, 'document_id', d.document_id, 'revision', d.revision, 'name', d.name,
        'status', 'queued', 'reason', p_reason)::text order by b.seq) as events
    into held
    from backlog b join documents d on d.tenant_id = b.tenant_id and d.scope_no = b.scope_no and d.generation = b.generation
      and d.document_id = b.document_id and d.revision = b.revision
    where b.tenant_id = scope.tenant_id and b.scope_no = scope.scope_no and b.generation = scope.generation and d.status = 'processing';
    if held.ids is not null then
      taken := taken + concord_move_documents(scope.tenant_id, scope.scope_no, scope.generation, held.ids, held.revisions,
        'processing', 'queued', 'document.requeued', held.events);
    end if;
  end loop;
  return taken;
end $$;
