-- In steps. Slots are found by the first 48 bits of their key's SHA-256, where it was a hash of our own. All nodes of the version
-- before must be stopped: they would write and look for the old numbers.
-- The owner sees no row of a table whose row-level security is forced.
alter table claims no force row level security;
alter table contradictions no force row level security;
alter table slot_crowds no force row level security;
-- Nothing looks replaced claims up by their slot.
drop index concurrently if exists claims_superseded;

-- What stands between the quotes of a string in JSON, in UTF-8. It may hold what no text of the database can: NUL, and halves of
-- surrogate pairs, which are encoded as U+FFFD.
create or replace function concord_string_bytes(escaped text) returns bytea language sql immutable as $$
  select case when strpos(escaped, '\') = 0 then convert_to(escaped, 'UTF8') else (
    select string_agg(
      case
        when part[1] = '\u0000' then '\x00'::bytea
        when part[1] ~ '^\\ud[89a-f]' then '\xefbfbd'::bytea
        else convert_to(('"' || part[1] || '"')::json #>> '{}', 'UTF8') end,
      ''::bytea order by place)
    from regexp_matches(escaped, '\\u[0-9a-f]{4}|\\.|[^\\]+', 'g') with ordinality as found (part, place)) end
$$;
create or replace function concord_slot_hash(slot_key bytea) returns bigint language sql immutable as $$
  select ('x' || left(encode(sha256(slot_key), 'hex'), 12))::bit(48)::bigint
$$;

-- The last claim looked at.
create table if not exists slot_hash_steps (tenant_id text, scope_no bigint, generation integer, claim_no bigint);
insert into slot_hash_steps select '', 0, 0, 0 where not exists (select from slot_hash_steps);
-- repeat
with page as materialized (
  select c.* from slot_hash_steps s cross join lateral (
    select ctid as at, tenant_id, scope_no, generation, claim_no, slot_hash,
      concord_slot_hash(concord_string_bytes(substring(body::text from '"slotKey"\s*:\s*"((?:[^"\\]|\\.)*)"'))) as by_key
    from claims
    where (tenant_id, scope_no, generation, claim_no) > (s.tenant_id, s.scope_no, s.generation, s.claim_no)
    order by tenant_id, scope_no, generation, claim_no limit 20000) c
), hashed as (
  -- Those of erased claims are 0.
  update claims c set slot_hash = p.by_key
  from page p where c.ctid = p.at and p.slot_hash <> 0 and p.by_key <> p.slot_hash
)
update slot_hash_steps s set (tenant_id, scope_no, generation, claim_no) = (
  select p.tenant_id, p.scope_no, p.generation, p.claim_no from page p
  order by p.tenant_id desc, p.scope_no desc, p.generation desc, p.claim_no desc limit 1)
where exists (select from page);
update contradictions set slot_hash = concord_slot_hash(convert_to(slot_key, 'UTF8'))
where slot_key is not null and slot_hash is distinct from concord_slot_hash(convert_to(slot_key, 'UTF8'));
update slot_crowds set slot_hash = concord_slot_hash(convert_to(slot_key, 'UTF8'))
where slot_hash <> concord_slot_hash(convert_to(slot_key, 'UTF8'));

drop table if exists slot_hash_steps;
drop function if exists concord_slot_hash(bytea);
drop function if exists concord_string_bytes(text);
alter table claims force row level security;
alter table contradictions force row level security;
alter table slot_crowds force row level security;
-- What it raised is found by the number of rows now.
drop function if exists concord_document_moved();
