-- Whose turn it is, kept in the order asked for: the next scope to lease is the head of two indexes, however many wait.
--
--   scope_heads.turn_at   when the scope joined the queue of its tenant; in the future while everything it has is in
--                         backoff; null without a backlog. Never later than the moment its next document is due; a lease
--                         that finds it too early puts it right.
--   tenant_turns.due_at   not later than the earliest turn of the tenant's free scopes; null without any.
--   halted                paused or stopped by a row of runtime_states: such scopes and tenants are in no index at all.
--
-- Triggers keep them, so that no statement that queues, releases, pauses or resumes can forget to. A leased scope keeps
-- its place: its release gives it a new one, and a lease that ran out is found by its own index.

alter table scope_heads add column turn_at timestamptz, add column halted boolean not null default false;
alter table tenant_turns add column due_at timestamptz, add column halted boolean not null default false, drop column served_at;
alter table scope_leases drop column served_at, drop column one_at_a_time;

create index scope_heads_turns on scope_heads (tenant_id, turn_at, scope_no) where turn_at is not null and not halted;
create index tenant_turns_due on tenant_turns (virtual_time, tenant_id) where due_at is not null and not halted;

-- A tenant's own transactions queue and release: they may say that it is due, not what it was charged.
grant insert (tenant_id, due_at, halted), update (due_at, halted) on tenant_turns to concord_tenant;

-- A backlog puts a scope into the queue, and whatever is added to one that is in backoff ends that.
create function concord_queue_scope() returns trigger language plpgsql as $$
begin
  new.turn_at := case when new.has_backlog then clock_timestamp() end;
  return new;
end $$;
create trigger queue_scope before update on scope_heads for each row
  when (new.has_backlog <> (new.turn_at is not null)
    or (new.next_seq > old.next_seq and new.turn_at is not distinct from old.turn_at and new.turn_at > clock_timestamp()))
  execute function concord_queue_scope();

-- The share of the tenant's row is what concord_settle_turns looks for: it cannot conclude that nothing waits while
-- somebody is queueing. Tenants in their order, so that two flushes never wait for each other in a circle.
create function concord_wake_tenants() returns trigger language plpgsql as $$
declare
  woken record;
begin
  for woken in
    select a.tenant_id, min(a.turn_at) as turn_at from after_rows a join before_rows b using (tenant_id, scope_no)
    where a.turn_at is not null and not a.halted and (a.turn_at is distinct from b.turn_at or b.halted)
    group by a.tenant_id order by a.tenant_id
  loop
    insert into tenant_turns (tenant_id) select woken.tenant_id
      where not exists (select from tenant_turns t where t.tenant_id = woken.tenant_id) on conflict do nothing;
    perform from tenant_turns t where t.tenant_id = woken.tenant_id for key share;
    update tenant_turns t set due_at = woken.turn_at where t.tenant_id = woken.tenant_id and (t.due_at is null or t.due_at > woken.turn_at);
  end loop;
  return null;
end $$;
create trigger wake_tenants after update on scope_heads referencing old table as before_rows new table as after_rows
  for each statement execute function concord_wake_tenants();

-- A scope that is given back goes to the tail of the queue, or waits until the first of its documents is due again.
create function concord_requeue_scope() returns trigger language plpgsql as $$
begin
  update scope_heads h set turn_at = concord_next_due(h.tenant_id, h.scope_no)
  where h.tenant_id = new.tenant_id and h.scope_no = new.scope_no and h.has_backlog;
  return null;
end $$;
create trigger requeue_scope after update of owner on scope_leases for each row
  when (old.owner is not null and new.owner is null) execute function concord_requeue_scope();

-- When the next document of a scope is due: now, the end of the earliest backoff, or null without a backlog.
create function concord_next_due(of_tenant text, of_scope bigint) returns timestamptz
  language sql as $$
  select case
    when exists (
      select from backlog b join scopes s on s.tenant_id = b.tenant_id and s.scope_no = b.scope_no and s.generation = b.generation
      where b.tenant_id = of_tenant and b.scope_no = of_scope and b.not_before <= clock_timestamp()
    ) then clock_timestamp()
    else (
      select min(b.not_before) from backlog b join scopes s on s.tenant_id = b.tenant_id and s.scope_no = b.scope_no and s.generation = b.generation
      where b.tenant_id = of_tenant and b.scope_no = of_scope
    )
  end
$$;

create function concord_halt() returns trigger language plpgsql as $$
declare
  of_row runtime_states := case when tg_op = 'DELETE' then old else new end;
  is_halted boolean := tg_op <> 'DELETE' and of_row.state <> 'running';
begin
  if of_row.scope_no <> 0 then
    update scope_heads h set halted = is_halted where h.tenant_id = of_row.tenant_id and h.scope_no = of_row.scope_no;
  elsif of_row.tenant_id <> '-' then
    if tg_op <> 'DELETE' then
      insert into tenant_turns (tenant_id) values (of_row.tenant_id) on conflict do nothing;
    end if;
    update tenant_turns t set halted = is_halted, due_at = clock_timestamp() where t.tenant_id = of_row.tenant_id;
  end if;
  return null;
end $$;
create trigger halt after insert or update of state or delete on runtime_states for each row execute function concord_halt();

-- Tenants that had nothing to lease although they were due: until when, or null. Skips those for whom somebody queues
-- at this moment. The row is locked in one statement and the scopes are read in the next, which sees what was queued before.
create function concord_settle_turns(p_tenants text[]) returns void language plpgsql as $$
declare
  of_tenant text;
begin
  for of_tenant in select t.tenant_id from tenant_turns t where t.tenant_id = any (p_tenants) order by t.tenant_id for update skip locked loop
    update tenant_turns t set due_at = (
      select h.turn_at from scope_heads h
      where h.tenant_id = of_tenant and h.turn_at is not null and not h.halted
        and exists (select from tenants o where o.tenant_id = of_tenant and o.deleted_at is null)
        and not exists (select from scope_leases l where l.tenant_id = h.tenant_id and l.scope_no = h.scope_no and l.owner is not null)
      order by h.turn_at limit 1
    ) where t.tenant_id = of_tenant;
  end loop;
end $$;

-- What was charged so far counted documents; from here on it counts milliseconds of processor time. The row of the
-- service is the clock of the order: the virtual time of the tenant served last. Row-level security is forced on the
-- owner too, who has to be let through to write what is there already.
alter table scope_heads no force row level security;
alter table tenant_turns no force row level security;
alter table runtime_states no force row level security;
alter table backlog no force row level security;
alter table scopes no force row level security;
update tenant_turns set virtual_time = 0;
insert into tenant_turns (tenant_id) values ('-') on conflict do nothing;
update runtime_states set state = state where state <> 'running';
update scope_heads set turn_at = clock_timestamp() where has_backlog;
alter table scope_heads force row level security;
alter table tenant_turns force row level security;
alter table runtime_states force row level security;
alter table backlog force row level security;
alter table scopes force row level security;
