-- What each tenant uses, kept by the transactions that change it: quotas and totals read a few rows, however many scopes
-- there are. A change is a row of its own, or all flushes of a tenant would wait for one row; the leader adds them up.
-- In the order in which everybody reads them: nodes of the version before go on working meanwhile.
lock table scopes, scope_heads, scope_states in access exclusive mode;

create table tenant_usage (
  tenant_id text not null,
  id bigint not null generated always as identity,
  scopes bigint not null,
  documents bigint not null,
  bytes bigint not null,
  derived_bytes bigint not null,
  review bigint not null,
  resolved bigint not null,
  escalated bigint not null,
  blocked bigint not null,
  primary key (tenant_id, id)
);
alter table tenant_usage enable row level security;
alter table tenant_usage force row level security;
create policy own_rows on tenant_usage to concord_tenant
  using (tenant_id = nullif(current_setting('concord.tenant', true), '')) with check (tenant_id = nullif(current_setting('concord.tenant', true), ''));
create policy all_rows on tenant_usage to concord_engine using (true) with check (true);
grant select, insert on tenant_usage to concord_tenant;
grant select, insert, delete on tenant_usage to concord_engine;

-- What the state of the scope's generation says of it, beside the counts of its documents.
alter table scope_heads add column derived_bytes bigint not null default 0, add column finality text not null default 'active',
  add column pressure float8 not null default 0;

create function concord_note_state() returns trigger language plpgsql as $$
declare
  made bigint := 512 * new.next_claim_no + 1024 * new.next_contradiction_no;
  worst float8 := coalesce((new.convergence ->> 'worstPressure')::float8, 0);
begin
  update scope_heads h set derived_bytes = made, finality = new.finality, pressure = worst
  where h.tenant_id = new.tenant_id and h.scope_no = new.scope_no
    and (h.derived_bytes <> made or h.finality <> new.finality or h.pressure <> worst)
    and exists (select from scopes s where s.tenant_id = new.tenant_id and s.scope_no = new.scope_no and s.generation = new.generation);
  return null;
end $$;
create trigger note_state after insert or update on scope_states for each row execute function concord_note_state();

alter table scope_heads no force row level security;
alter table scope_states no force row level security;
alter table scopes no force row level security;
alter table tenant_usage no force row level security;
update scope_heads h set derived_bytes = 512 * t.next_claim_no + 1024 * t.next_contradiction_no, finality = t.finality,
  pressure = coalesce((t.convergence ->> 'worstPressure')::float8, 0)
from scopes s join scope_states t on t.tenant_id = s.tenant_id and t.scope_no = s.scope_no and t.generation = s.generation
where s.tenant_id = h.tenant_id and s.scope_no = h.scope_no;
insert into tenant_usage (tenant_id, scopes, documents, bytes, derived_bytes, review, resolved, escalated, blocked)
select tenant_id, count(*), sum(registered + attached + queued + processing + indexed + held + rejected + quarantined), sum(bytes),
  sum(derived_bytes), count(*) filter (where finality = 'review'), count(*) filter (where finality = 'resolved'),
  count(*) filter (where finality = 'escalated'), count(*) filter (where finality = 'blocked')
from scope_heads group by tenant_id;
alter table scope_heads force row level security;
alter table scope_states force row level security;
alter table scopes force row level security;
alter table tenant_usage force row level security;

create function concord_note_usage() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into tenant_usage (tenant_id, scopes, documents, bytes, derived_bytes, review, resolved, escalated, blocked) values (
      old.tenant_id, -1, -(old.registered + old.attached + old.queued + old.processing + old.indexed + old.held + old.rejected + old.quarantined),
      -old.bytes, -old.derived_bytes, -(old.finality = 'review')::int, -(old.finality = 'resolved')::int, -(old.finality = 'escalated')::int,
      -(old.finality = 'blocked')::int);
  end if;
  if tg_op <> 'DELETE' then
    insert into tenant_usage (tenant_id, scopes, documents, bytes, derived_bytes, review, resolved, escalated, blocked) values (
      new.tenant_id, 1, new.registered + new.attached + new.queued + new.processing + new.indexed + new.held + new.rejected + new.quarantined,
      new.bytes, new.derived_bytes, (new.finality = 'review')::int, (new.finality = 'resolved')::int, (new.finality = 'escalated')::int,
      (new.finality = 'blocked')::int);
  end if;
  return null;
end $$;
create trigger note_usage after insert or delete on scope_heads for each row execute function concord_note_usage();
-- A document that only moves from one state to the next changes nothing here.
create trigger note_usage_changed after update on scope_heads for each row
  when (new.bytes <> old.bytes or new.derived_bytes <> old.derived_bytes or new.finality <> old.finality
    or new.registered + new.attached + new.queued + new.processing + new.indexed + new.held + new.rejected + new.quarantined
      <> old.registered + old.attached + old.queued + old.processing + old.indexed + old.held + old.rejected + old.quarantined)
  execute function concord_note_usage();

-- Adds the rows of a tenant up to one. Answers how many tenants had more than one.
create function concord_add_up_usage(p_limit integer) returns integer language sql as $$
  with many as (
    -- What a deleted tenant has left is removed with it, and not added up meanwhile.
    select u.tenant_id from tenant_usage u join tenants t on t.tenant_id = u.tenant_id and t.deleted_at is null
    group by u.tenant_id having count(*) > 1 order by u.tenant_id limit p_limit
  ), gone as (
    -- A part of them adds up as well: what piled up without a leader goes in many short statements.
    delete from tenant_usage where ctid = any (array(select u.ctid from tenant_usage u join many m using (tenant_id) limit 20000)) returning *
  ), kept as (
    insert into tenant_usage (tenant_id, scopes, documents, bytes, derived_bytes, review, resolved, escalated, blocked)
    select tenant_id, sum(scopes), sum(documents), sum(bytes), sum(derived_bytes), sum(review), sum(resolved), sum(escalated), sum(blocked)
    from gone group by tenant_id
  )
  select count(*)::integer from many
$$;

create or replace function concord_usage(of_tenant text, out documents bigint, out bytes bigint, out scopes bigint, out derived_bytes bigint)
  language sql stable as $$
  select coalesce(sum(u.documents), 0)::bigint,
    (coalesce(sum(u.bytes + u.derived_bytes), 0) + coalesce((select sum(f.bytes) from uploads f where f.tenant_id = of_tenant), 0))::bigint,
    coalesce(sum(u.scopes), 0)::bigint, coalesce(sum(u.derived_bytes), 0)::bigint
  from tenant_usage u where u.tenant_id = of_tenant
$$;

-- Scopes by their pressure, the worst first.
create index scope_heads_pressure on scope_heads ((-pressure), tenant_id, scope_no);
-- Few scopes have documents in quarantine; the count of all reads no others.
create index scope_heads_quarantined on scope_heads (tenant_id, scope_no) include (quarantined) where quarantined > 0;
