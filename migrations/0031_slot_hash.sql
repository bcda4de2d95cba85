-- Slots are found by the first 48 bits of their key's SHA-256, where it was a hash of our own. Workers of the version before
-- must be stopped: they would write and look for the old numbers.
create function concord_slot_hash(slot_key text) returns bigint language sql immutable as $$
  select ('x' || left(encode(sha256(convert_to(slot_key, 'UTF8')), 'hex'), 12))::bit(48)::bigint
$$;

-- The owner sees no row of a table whose row-level security is forced.
alter table claims no force row level security;
alter table contradictions no force row level security;
alter table slot_crowds no force row level security;

-- Nothing looks replaced claims up by their slot.
drop index claims_superseded;
-- An escape that is no character cannot be read; a key with one in it is of a text that is not one, and is not looked for again.
update claims set slot_hash = concord_slot_hash(body->>'slotKey')
where slot_hash <> 0 and body::text ~ '"slotKey":' and body::text !~ '\\u(0000|d[89a-f])';
update contradictions set slot_hash = concord_slot_hash(slot_key) where slot_key is not null;
update slot_crowds set slot_hash = concord_slot_hash(slot_key);

drop function concord_slot_hash(text);

alter table claims force row level security;
alter table contradictions force row level security;
alter table slot_crowds force row level security;

-- What it raised is found by the number of rows now.
drop function concord_document_moved();
