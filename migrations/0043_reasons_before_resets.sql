-- Reasons in events of before a reset, and answers kept under idempotency keys of that time, are removed with the generation they belong
-- to. Scopes that were reset and cleared before now are cleared once more.
-- The owner sees no row of a table whose row-level security is forced.
alter table scopes no force row level security;
update scopes set oldest_generation = 1 where generation > 1 and oldest_generation > 1;
alter table scopes force row level security;
