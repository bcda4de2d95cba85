-- A scope for which nothing can be done before a known time (the tokens of the day are spent) rests until then, on all nodes: its turn
-- lies behind it, and so does that of its tenant when all its scopes rest. A document that is added ends a backoff, but no rest.
alter table scope_heads add column rest_until timestamptz;

create or replace function concord_queue_scope() returns trigger language plpgsql as $$
begin
  new.turn_at := case when new.has_backlog then greatest(clock_timestamp(), new.rest_until) end;
  return new;
end $$;
