-- Compares the rows before and after by grouping them. As a join of the two the statement was planned once a session, for the few
-- rows of its first call, as a loop in a loop: 5,200 scopes changed at once took 15 seconds.
create or replace function concord_wake_tenants() returns trigger language plpgsql as $$
declare
  woken record;
begin
  for woken in
    select c.tenant_id, min(c.turn_at) as turn_at
    from (
      select r.tenant_id, r.scope_no, max(r.turn_at) filter (where r.is_new) as turn_at, max(r.turn_at) filter (where not r.is_new) as was_at,
        bool_or(r.halted) filter (where r.is_new) as halted, bool_or(r.halted) filter (where not r.is_new) as was_halted
      from (
        select a.tenant_id, a.scope_no, a.turn_at, a.halted, true as is_new from after_rows a
        union all
        select b.tenant_id, b.scope_no, b.turn_at, b.halted, false from before_rows b
      ) r
      group by r.tenant_id, r.scope_no
    ) c
    where c.turn_at is not null and not c.halted and (c.turn_at is distinct from c.was_at or c.was_halted)
    group by c.tenant_id order by c.tenant_id
  loop
    insert into tenant_turns (tenant_id) select woken.tenant_id
      where not exists (select from tenant_turns t where t.tenant_id = woken.tenant_id) on conflict do nothing;
    perform from tenant_turns t where t.tenant_id = woken.tenant_id for key share;
    update tenant_turns t set due_at = woken.turn_at where t.tenant_id = woken.tenant_id and (t.due_at is null or t.due_at > woken.turn_at);
  end loop;
  return null;
end $$;
