-- Tokens a tenant has spent at the model on its latest day, in UTC, counted when an answer arrives. The rows of model_readings do
-- not tell: they go with their documents, keep what earlier days cost when a document is read again, and are not written when
-- whoever asked was paused or lost its lease.
create table model_usage (
  tenant_id text not null primary key,
  day date not null,
  tokens bigint not null check (tokens >= 0)
);
alter table model_readings no force row level security;
insert into model_usage (tenant_id, day, tokens)
select tenant_id, (now() at time zone 'utc')::date, sum(prompt_tokens + completion_tokens) from model_readings
where asked_at >= date_trunc('day', now() at time zone 'utc') at time zone 'utc' group by tenant_id;
alter table model_readings force row level security;

alter table model_usage enable row level security;
alter table model_usage force row level security;
create policy own_rows on model_usage to concord_tenant
  using (tenant_id = nullif(current_setting('concord.tenant', true), '')) with check (tenant_id = nullif(current_setting('concord.tenant', true), ''));
create policy all_rows on model_usage to concord_engine using (true) with check (true);
grant select, insert, update, delete on model_usage to concord_tenant, concord_engine;

-- Served the sum of a day.
drop index model_readings_day;
