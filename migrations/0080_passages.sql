-- What a model is shown: every document cut into passages by layout and sentence, whatever the rules made of it. Offsets are stored, so
-- that a passage stays what it was whatever a later reader would cut; the words of its heading, row and column go when the document does.
create table document_passages (
  tenant_id text not null,
  scope_no bigint not null,
  generation integer not null,
  document_id text not null,
  revision integer not null,
  -- Version of the reader and of the segmenter that cut it.
  cut_by text not null,
  -- [[start, end, about], …] in code points of the text.
  passages jsonb not null,
  primary key (tenant_id, scope_no, generation, document_id, revision)
);
-- Words under which passages are found, one row for a word and a document; looked up by equality, which row-level security lets an index answer.
create table passage_terms (
  tenant_id text not null,
  scope_no bigint not null,
  generation integer not null,
  term text not null,
  document_id text not null,
  -- Places in the document's list of passages.
  passages integer[] not null,
  primary key (tenant_id, scope_no, generation, term, document_id)
);
create index passage_terms_documents on passage_terms (document_id, scope_no, tenant_id, generation);

alter table document_passages enable row level security;
alter table document_passages force row level security;
create policy own_rows on document_passages to concord_tenant
  using (tenant_id = nullif(current_setting('concord.tenant', true), '')) with check (tenant_id = nullif(current_setting('concord.tenant', true), ''));
create policy all_rows on document_passages to concord_engine using (true) with check (true);
grant select, insert, update, delete on document_passages to concord_tenant, concord_engine;
alter table passage_terms enable row level security;
alter table passage_terms force row level security;
create policy own_rows on passage_terms to concord_tenant
  using (tenant_id = nullif(current_setting('concord.tenant', true), '')) with check (tenant_id = nullif(current_setting('concord.tenant', true), ''));
create policy all_rows on passage_terms to concord_engine using (true) with check (true);
grant select, insert, update, delete on passage_terms to concord_tenant, concord_engine;

-- Claims made of passages of a document because a finding of a later one needed them: they are numbered with that one's round.
alter table documents add column lent_claims int8multirange not null default '{}';

-- Other documents of which the questions showed something, and whether that was the whole case.
alter table model_readings add column shown text[] not null default '{}', add column whole_case boolean;

-- Passages take disk too, with their words: they count towards the limit of bytes.
alter table scope_states add column passages bigint not null default 0;
create or replace function concord_note_state() returns trigger language plpgsql as $$
declare
  made bigint := 512 * new.next_claim_no + 1024 * new.next_contradiction_no + 256 * new.passages;
  worst float8 := coalesce((new.convergence ->> 'worstPressure')::float8, 0);
begin
  update scope_heads h set derived_bytes = made, finality = new.finality, pressure = worst
  where h.tenant_id = new.tenant_id and h.scope_no = new.scope_no
    and (h.derived_bytes <> made or h.finality <> new.finality or h.pressure <> worst)
    and exists (select from scopes s where s.tenant_id = new.tenant_id and s.scope_no = new.scope_no and s.generation = new.generation);
  return null;
end $$;
