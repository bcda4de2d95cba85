-- Words under which the claims of a scope are found: of each admitted document, which of its claims have the word. Under
-- forced row-level security a full-text index is not used, an equality of text is. One row for a word and a revision, named
-- by its first claim; words of the text, erased with the claims.
create table claim_terms (
  tenant_id text not null,
  scope_no bigint not null,
  generation integer not null,
  term text not null,
  first_claim_no bigint not null,
  claim_nos bigint[] not null,
  primary key (tenant_id, scope_no, generation, term, first_claim_no)
);
create index claim_terms_documents on claim_terms (tenant_id, scope_no, generation, first_claim_no);

alter table claim_terms enable row level security;
alter table claim_terms force row level security;
create policy own_rows on claim_terms to concord_tenant
  using (tenant_id = nullif(current_setting('concord.tenant', true), '')) with check (tenant_id = nullif(current_setting('concord.tenant', true), ''));
create policy all_rows on claim_terms to concord_engine using (true) with check (true);
grant select, insert, update, delete on claim_terms to concord_tenant, concord_engine;
