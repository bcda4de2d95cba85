-- As before, but a tenant is seen alive behind the lock that removing a deleted one waits for: a text that came while its tenant was
-- deleted and cleared left an empty scope behind. The lock is taken for scopes to be made alone: texts for scopes that exist wait for nothing new.
create or replace function concord_make_scopes(p_tenants text[], p_scopes text[]) returns json
  language plpgsql as $$
declare
  answers text[] := array_fill(null::text, array[cardinality(p_tenants)]);
  asked record;
begin
  for asked in
    select t.n::int as n, t.tenant_id, t.scope_id
    from unnest(p_tenants, p_scopes) with ordinality as t(tenant_id, scope_id, n) order by t.tenant_id, t.scope_id
  loop
    if exists (select from scopes where tenant_id = asked.tenant_id and scope_id = asked.scope_id) then
      answers[asked.n] := 'exists';
      continue;
    end if;
    perform concord_lock_quota(asked.tenant_id);
    if not exists (select from tenants where tenant_id = asked.tenant_id and deleted_at is null) then
      answers[asked.n] := 'tenant';
      continue;
    end if;
    if concord_over_quota(asked.tenant_id, 0, 0, 1) is not null then
      answers[asked.n] := 'quota';
      continue;
    end if;
    perform from concord_make_scope(asked.tenant_id, asked.scope_id, null, 'auto');
    if not found then
      answers[asked.n] := 'exists';
      continue;
    end if;
    insert into events (tenant_id, scope_no, seq, type, data)
      values (asked.tenant_id, 0, nextval('service_events'), 'scope.created', json_build_object('scope_id', asked.scope_id));
    answers[asked.n] := 'made';
  end loop;
  return to_json(answers);
end $$;
