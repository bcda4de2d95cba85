-- In steps. Claims whose JSON holds NUL or half a surrogate pair: it was stored as an escape, and then every statement that reads a member
-- of it failed. U+FFFD takes their place. Their documents are marked: the digests in their decisions are of the claims as they were.
-- The owner sees no row of a table whose row-level security is forced.
alter table claims no force row level security;
alter table documents no force row level security;

-- The last claim looked at.
create table if not exists unreadable_claims_steps (tenant_id text, scope_no bigint, generation integer, claim_no bigint);
insert into unreadable_claims_steps select '', 0, 0, 0 where not exists (select from unreadable_claims_steps);
-- repeat
with page as materialized (
  select c.* from unreadable_claims_steps s cross join lateral (
    select tenant_id, scope_no, generation, claim_no, document_id, revision,
      case when body::text ~ '\\u(?:0000|d[89a-f])'
        then nullif(regexp_replace(body::text, '(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})', '\1\\ufffd', 'g'), body::text) end as body,
      -- Names of which half a pair was cut off: it is in the digest, but not in the column.
      chr(65533) in (right(subject, 1), right(attribute, 1)) and greatest(char_length(subject), char_length(attribute)) >= 60 as is_cut
    from claims
    where (tenant_id, scope_no, generation, claim_no) > (s.tenant_id, s.scope_no, s.generation, s.claim_no)
    order by tenant_id, scope_no, generation, claim_no limit 20000) c
), repaired as (
  update claims c set body = p.body::json,
    slot_hash = case when c.slot_hash = 0 then 0 else
      coalesce(('x' || left(encode(sha256(convert_to(p.body::json ->> 'slotKey', 'UTF8')), 'hex'), 12))::bit(48)::bigint, c.slot_hash) end
  from page p
  where c.tenant_id = p.tenant_id and c.scope_no = p.scope_no and c.generation = p.generation and c.claim_no = p.claim_no
    and p.body is not null
), marked as (
  update documents d set profile = d.profile || '{"repaired": true}'
  from (
    select distinct p.tenant_id, p.scope_no, p.generation, p.document_id, p.revision from page p
    where p.is_cut or p.body is not null
  ) m
  where d.tenant_id = m.tenant_id and d.scope_no = m.scope_no and d.generation = m.generation and d.document_id = m.document_id
    and d.revision = m.revision and d.profile is not null
)
update unreadable_claims_steps s set (tenant_id, scope_no, generation, claim_no) = (
  select p.tenant_id, p.scope_no, p.generation, p.claim_no from page p
  order by p.tenant_id desc, p.scope_no desc, p.generation desc, p.claim_no desc limit 1)
where exists (select from page);

drop table if exists unreadable_claims_steps;
alter table claims force row level security;
alter table documents force row level security;
