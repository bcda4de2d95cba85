-- In steps. Supersessions by claims of documents that were erased no longer stand. The claims they had ended stay as they are, for only a
-- round makes a claim count again: reading their documents again does.
-- The owner sees no row of a table whose row-level security is forced, nor does a trigger that its statement fires.
alter table claims no force row level security;
alter table documents no force row level security;
alter table supersessions no force row level security;
alter table certificate_lists no force row level security;
alter table certificate_changes no force row level security;

-- The last supersession looked at.
create table if not exists erased_corrections_steps (tenant_id text, scope_no bigint, generation integer, supersession_no bigint);
insert into erased_corrections_steps select '', 0, 0, 0 where not exists (select from erased_corrections_steps);
-- repeat
with page as materialized (
  select p.* from erased_corrections_steps s cross join lateral (
    select tenant_id, scope_no, generation, supersession_no, by_claim_no from supersessions
    where (tenant_id, scope_no, generation, supersession_no) > (s.tenant_id, s.scope_no, s.generation, s.supersession_no)
    order by tenant_id, scope_no, generation, supersession_no limit 20000) p
), withdrawn as (
  update supersessions p set status = 'withdrawn'
  from page g
  join claims b on b.tenant_id = g.tenant_id and b.scope_no = g.scope_no and b.generation = g.generation and b.claim_no = g.by_claim_no
  where p.tenant_id = g.tenant_id and p.scope_no = g.scope_no and p.generation = g.generation and p.supersession_no = g.supersession_no
    and p.status = 'standing' and p.kind <> 'revision'
    and exists (
      select from documents d
      where d.tenant_id = b.tenant_id and d.scope_no = b.scope_no and d.generation = b.generation and d.document_id = b.document_id
        and d.erased_at is not null)
)
update erased_corrections_steps s set (tenant_id, scope_no, generation, supersession_no) = (
  select p.tenant_id, p.scope_no, p.generation, p.supersession_no from page p
  order by p.tenant_id desc, p.scope_no desc, p.generation desc, p.supersession_no desc limit 1)
where exists (select from page);

drop table if exists erased_corrections_steps;
alter table claims force row level security;
alter table documents force row level security;
alter table supersessions force row level security;
alter table certificate_lists force row level security;
alter table certificate_changes force row level security;
