-- Who saw what: a reading has one row for a person or key, what was read, and the hour, however many nodes answered.
alter table audit_log
  add column object text,
  add column reader text,
  add column hour timestamptz,
  add constraint audit_log_reading check (num_nonnulls(object, reader, hour) in (0, 3));
create unique index audit_log_readings on audit_log (tenant_id, object, reader, hour) where object is not null;

-- Where the chain begins once the retention of the log has taken its oldest rows: the last of them.
create table audit_cut (
  single boolean primary key default true check (single),
  chain_no bigint not null,
  hash text not null,
  cut_at timestamptz not null default clock_timestamp()
);
grant select, insert, update, delete on audit_cut to concord_engine;
