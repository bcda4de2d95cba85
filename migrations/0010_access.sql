-- Who may touch which rows. Last of the baseline, because rows are written above that forced row-level security would refuse.

do $$
declare
  t text;
  own constant text := 'tenant_id = nullif(current_setting(''concord.tenant'', true), '''')';
begin
  foreach t in array array['tenants', 'tenant_keys', 'tenant_turns', 'scopes', 'scope_heads', 'runtime_states', 'documents', 'backlog',
    'extraction_cache', 'events', 'idempotency_keys', 'claims', 'slot_crowds', 'claim_retirements', 'contradictions', 'contradiction_sides',
    'unsure_pairs', 'goals', 'risks', 'scope_states', 'rounds', 'decisions', 'policy_sets', 'policy_assignments', 'certificates', 'scope_leases']
  loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy own_rows on %I to concord_tenant using (%s) with check (%s)', t, own, own);
    execute format('create policy all_rows on %I to concord_engine using (true) with check (true)', t);
    execute format('grant select, insert, update, delete on %I to concord_tenant, concord_engine', t);
  end loop;
end $$;

-- A tenant's requests never create tenants, keys or weights, nor take their turns: those are acts of the service.
revoke insert, update, delete on tenants, tenant_keys, tenant_turns from concord_tenant;
-- A tenant's summary shows the effective state, which the service's own row is part of; the inherited policy set is read
-- inside a tenant.
create policy service_state on runtime_states for select to concord_tenant using (tenant_id = '-');
create policy service_sets on policy_sets for select to concord_tenant using (tenant_id = '-');
create policy service_assignments on policy_assignments for select to concord_tenant using (tenant_id = '-');

grant select, insert, update, delete on nodes, signing_keys, audit_log, hatchery_sizes to concord_engine;
grant select, update on event_horizon to concord_engine;
grant usage on all sequences in schema public to concord_tenant, concord_engine;
