-- Webhooks: endpoints of tenants that are told of events, and what became of each message.

-- An endpoint whose due_at is null is at rest: everything up to webhook_feed was looked at, and nothing of it concerns the
-- endpoint. One that is due reads the log itself, from its cursor on. due_at is also the time of the next attempt.
create table webhooks (
  tenant_id text not null references tenants,
  webhook_id text not null,
  url text not null,
  description text,
  -- Kinds of events, kinds with `.*` for a family, or `*`.
  events text[] not null check (cardinality(events) between 1 and 100),
  -- Null: every scope, and what concerns no scope.
  scopes text[] check (cardinality(scopes) between 1 and 200),
  enabled boolean not null default true,
  disabled_reason text check (disabled_reason in ('asked', 'failing', 'gone')),
  created_at timestamptz not null default clock_timestamp(),
  -- Everything up to here was delivered or is none of its business, in commit order, and when that was.
  cursor_xid xid8 not null,
  cursor_id bigint not null,
  cursor_at timestamptz not null default clock_timestamp(),
  due_at timestamptz default clock_timestamp(),
  -- Since when the message at the cursor has failed, and how often.
  failing_since timestamptz,
  attempts integer not null default 0 check (attempts >= 0),
  last_delivered_at timestamptz,
  owner text,
  fence bigint not null default 0,
  leased_until timestamptz,
  primary key (tenant_id, webhook_id),
  check (enabled = (disabled_reason is null)),
  check ((failing_since is null) = (attempts = 0))
) with (fillfactor = 70);
create index webhooks_due on webhooks (due_at) where due_at is not null;
create index webhooks_at_rest on webhooks (tenant_id) where enabled and due_at is null;

-- The newest secret signs, and those before it as long as they have not expired.
create table webhook_secrets (
  tenant_id text not null,
  webhook_id text not null,
  secret_no integer not null check (secret_no >= 1),
  secret text not null check (secret like 'whsec_%'),
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz,
  primary key (tenant_id, webhook_id, secret_no),
  foreign key (tenant_id, webhook_id) references webhooks (tenant_id, webhook_id) on delete cascade
);

-- What became of each message: ids, status and times, never a body. The newest thousand of an endpoint are kept.
create table webhook_deliveries (
  tenant_id text not null,
  webhook_id text not null,
  -- Of an event: made from the id of the event, so that it has one row however often it is tried.
  delivery_id text not null,
  delivery_no bigint generated always as identity,
  kind text not null check (kind in ('event', 'test', 'redelivery')),
  event_id text not null,
  type text not null,
  scope_id text,
  -- Where the event stands in the log; null for a test and a gap.
  scope_no bigint,
  seq bigint,
  status text not null check (status in ('pending', 'delivered', 'failed')),
  attempts integer not null default 0,
  response_status integer,
  reason text,
  duration_ms integer,
  created_at timestamptz not null default clock_timestamp(),
  attempted_at timestamptz,
  primary key (tenant_id, webhook_id, delivery_id),
  foreign key (tenant_id, webhook_id) references webhooks (tenant_id, webhook_id) on delete cascade
);
create index webhook_deliveries_newest on webhook_deliveries (tenant_id, webhook_id, delivery_no);
create index webhook_deliveries_asked on webhook_deliveries (tenant_id, webhook_id, delivery_no) where status = 'pending' and kind <> 'event';

do $$
declare
  t text;
begin
  foreach t in array array['webhooks', 'webhook_secrets', 'webhook_deliveries']
  loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy own_rows on %I to concord_tenant using (tenant_id = nullif(current_setting(''concord.tenant'', true), '''')) with check (tenant_id = nullif(current_setting(''concord.tenant'', true), ''''))', t);
    execute format('create policy all_rows on %I to concord_engine using (true) with check (true)', t);
    execute format('grant select, insert, update, delete on %I to concord_tenant, concord_engine', t);
  end loop;
end $$;
-- What answers requests writes secrets and never reads them back; who delivers does.
revoke select, update on webhook_secrets from concord_tenant;
grant select (tenant_id, webhook_id, secret_no, created_at, expires_at), update (expires_at) on webhook_secrets to concord_tenant;

-- How far the log of everything was looked at for the endpoints at rest. Stands still while there are none.
create table webhook_feed (
  singleton boolean primary key default true check (singleton),
  xid xid8 not null default '0',
  id bigint not null default 0
);
insert into webhook_feed default values;
grant select, update on webhook_feed to concord_engine;

create function concord_webhook_wants(p_type text, p_scope text, p_events text[], p_scopes text[]) returns boolean
  language sql immutable as $$
  select coalesce(p_scopes is null or p_scope = any (p_scopes), false) and exists (
    select from unnest(p_events) as e (pattern)
    where pattern in ('*', p_type) or (right(pattern, 2) = '.*' and starts_with(p_type, left(pattern, -1))))
$$;

-- Looks at the next events of the log for all endpoints at rest, and makes those due that want one of them: their cursor
-- moves to where this look began. Whoever comes to rest holds the row of webhook_feed too, so that no event falls between.
create function concord_feed_webhooks(p_limit integer, out resting boolean, out looked integer)
  language plpgsql as $$
declare
  v_xid xid8;
  v_id bigint;
  v_end xid8;
  v_last_xid xid8;
  v_last_id bigint;
begin
  looked := 0;
  resting := exists (select from webhooks w where w.enabled and w.due_at is null);
  if not resting then
    return;
  end if;
  select f.xid, f.id into v_xid, v_id from webhook_feed f for update;
  select (pg_snapshot_xmin(pg_current_snapshot())::text::bigint + h.xid_base)::text::xid8 into v_end from event_horizon h;
  with slice as materialized (
    select e.tenant_id, e.scope_no, e.type, e.xid, e.id, e.data from events e
    where (e.xid, e.id) > (v_xid, v_id) and e.xid < v_end order by e.xid, e.id limit p_limit
  ), wanted as (
    select distinct w.tenant_id, w.webhook_id from slice e
    join webhooks w on w.tenant_id = e.tenant_id and w.enabled and w.due_at is null
    left join scopes s on s.tenant_id = e.tenant_id and s.scope_no = e.scope_no
    where (e.xid, e.id) > (w.cursor_xid, w.cursor_id)
      and concord_webhook_wants(e.type, coalesce(s.scope_id, e.data ->> 'scope_id'), w.events, w.scopes)
  ), marked as (
    update webhooks w set due_at = clock_timestamp(), cursor_at = clock_timestamp(),
      cursor_xid = case when (w.cursor_xid, w.cursor_id) < (v_xid, v_id) then v_xid else w.cursor_xid end,
      cursor_id = case when (w.cursor_xid, w.cursor_id) < (v_xid, v_id) then v_id else w.cursor_id end
    from wanted n where w.tenant_id = n.tenant_id and w.webhook_id = n.webhook_id and w.due_at is null
  )
  select (select count(*) from slice), l.xid, l.id into looked, v_last_xid, v_last_id
  from (select 1) one left join lateral (select e.xid, e.id from slice e order by e.xid desc, e.id desc limit 1) l on true;
  update webhook_feed f set xid = v_last_xid, id = v_last_id where (f.xid, f.id) < (v_last_xid, v_last_id);
end $$;
