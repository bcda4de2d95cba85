-- A node from before migration 0028 resets a scope without the figures that its head has had since: they follow the generation
-- by themselves now, and those that such a reset left behind are put right.
create function concord_note_generation() returns trigger language plpgsql as $$
begin
  update scope_heads h set derived_bytes = 0, finality = 'active', pressure = 0
  where h.tenant_id = new.tenant_id and h.scope_no = new.scope_no and (h.derived_bytes <> 0 or h.finality <> 'active' or h.pressure <> 0);
  return null;
end $$;
create trigger note_generation after update of generation on scopes for each row
  when (new.generation <> old.generation) execute function concord_note_generation();

-- The owner sees no row of a table whose row-level security is forced.
alter table scopes no force row level security;
alter table scope_heads no force row level security;
alter table scope_states no force row level security;
alter table tenant_turns no force row level security;
alter table tenant_usage no force row level security;
update scope_heads h set derived_bytes = 0, finality = 'active', pressure = 0
from scopes s
where s.tenant_id = h.tenant_id and s.scope_no = h.scope_no and (h.derived_bytes <> 0 or h.finality <> 'active' or h.pressure <> 0)
  and not exists (select from scope_states t where t.tenant_id = s.tenant_id and t.scope_no = s.scope_no and t.generation = s.generation);
alter table scopes force row level security;
alter table scope_heads force row level security;
alter table scope_states force row level security;
alter table tenant_turns force row level security;
alter table tenant_usage force row level security;
