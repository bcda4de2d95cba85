-- Ids of events are made with this key, the same on every node. Made without one, they could be traced to the numbers of scopes and
-- events, which tell how much other tenants do.
alter table event_horizon add column id_key text not null default gen_random_uuid()::text || gen_random_uuid()::text;
