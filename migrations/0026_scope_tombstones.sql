-- Deleting a scope: its row, head and lease go, what it held is removed in batches, and a tombstone remembers where it ended.
-- Using the name again goes on from there: the same number, the next seq, generation and fence, the chain of its decisions.

create table scope_tombstones (
  tenant_id text not null references tenants,
  scope_id text not null,
  scope_no bigint not null,
  -- What the scope begins with should its name be used again; rows of generations before this one are on their way out.
  generation integer not null,
  version bigint not null,
  fence bigint not null,
  next_seq bigint not null,
  -- Events from here on tell of the deletion and stay; those before it are on their way out.
  oldest_seq bigint not null,
  chain_hash text,
  deleted_at timestamptz not null default clock_timestamp(),
  -- Whether everything is gone.
  cleared boolean not null default false,
  primary key (tenant_id, scope_id),
  unique (tenant_id, scope_no)
);
create index scope_tombstones_to_clear on scope_tombstones (tenant_id, scope_no) where not cleared;

alter table scope_tombstones enable row level security;
alter table scope_tombstones force row level security;
create policy own_rows on scope_tombstones to concord_tenant
  using (tenant_id = nullif(current_setting('concord.tenant', true), '')) with check (tenant_id = nullif(current_setting('concord.tenant', true), ''));
create policy all_rows on scope_tombstones to concord_engine using (true) with check (true);
grant select, insert, update, delete on scope_tombstones to concord_tenant, concord_engine;

-- Makes a scope with its head and its lease, from its tombstone where there is one. No row when the name is in use.
create function concord_make_scope(of_tenant text, of_scope text, p_display_name text, p_mode text) returns setof scopes
  language plpgsql as $$
declare
  before scope_tombstones;
  made scopes;
begin
  select * into before from scope_tombstones t where t.tenant_id = of_tenant and t.scope_id = of_scope;
  insert into scopes (tenant_id, scope_id, scope_no, display_name, mode, generation, version, chain_hash, oldest_generation)
    overriding system value values (of_tenant, of_scope, coalesce(before.scope_no, nextval(pg_get_serial_sequence('scopes', 'scope_no'))),
      p_display_name, p_mode, coalesce(before.generation, 1), coalesce(before.version, 0), before.chain_hash, coalesce(before.generation, 1))
    on conflict do nothing returning * into made;
  if not found then
    return;
  end if;
  if exists (
    select from scope_tombstones t where t.tenant_id = of_tenant and t.scope_id = of_scope
      and (t.scope_no <> made.scope_no or t.generation <> made.generation)
  ) then
    raise exception 'the scope was made and deleted meanwhile' using errcode = '40001';
  end if;
  -- Retention may have removed events of the deletion since.
  insert into scope_heads (tenant_id, scope_no, next_seq, oldest_seq) values (of_tenant, made.scope_no, coalesce(before.next_seq, 0), coalesce(
    (select min(e.seq) from events e where e.tenant_id = of_tenant and e.scope_no = before.scope_no and e.seq >= before.oldest_seq), before.next_seq, 0));
  insert into scope_leases (tenant_id, scope_no, fence) values (of_tenant, made.scope_no, coalesce(before.fence, 0));
  return next made;
end $$;

-- As before, by way of concord_make_scope.
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
