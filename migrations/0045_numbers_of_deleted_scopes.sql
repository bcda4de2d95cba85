-- A restore of rows set the numbers of scopes back to those in use: a new scope could get the number of a deleted one, and with it
-- that one's events, certificates and removal. Numbers go on after every one that was ever given.
-- The owner sees no row of a table whose row-level security is forced. Nobody gets a number meanwhile.
lock table scopes, scope_tombstones in access exclusive mode;
alter table scopes no force row level security;
alter table scope_tombstones no force row level security;
do $$
declare
  numbers constant text := pg_get_serial_sequence('scopes', 'scope_no');
  given constant bigint := greatest((select max(scope_no) from scopes), (select max(scope_no) from scope_tombstones));
begin
  if given > coalesce(pg_sequence_last_value(numbers::regclass), 0) then
    perform setval(numbers, given);
  end if;
end $$;
alter table scope_tombstones force row level security;
alter table scopes force row level security;
