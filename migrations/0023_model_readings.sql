-- What a model answered about a document, as code verified it: with it a scope is replayed without asking again. A row for
-- every document a model was or should have been asked about; one without an answer is to be read again.
create table model_readings (
  tenant_id text not null,
  scope_no bigint not null,
  generation integer not null,
  document_id text not null,
  revision integer not null,
  model text not null,
  prompt_version text not null,
  -- 'answered', or why there is no answer.
  outcome text not null,
  -- Numbers of the claims that stood for S1, S2 and so on in the question.
  listed bigint[] not null,
  -- Claims the model added, links and acquittals. Words of the text: erased with the document, and with the one they are about.
  reading jsonb,
  -- Parts of the answer that were not taken, by reason.
  dropped jsonb not null,
  -- Links that were erased with the documents they are about.
  erased_links integer not null default 0,
  prompt_tokens integer not null,
  completion_tokens integer not null,
  asked_at timestamptz not null,
  primary key (tenant_id, scope_no, generation, document_id, revision)
);
create index model_readings_day on model_readings (tenant_id, asked_at);
create index model_readings_unanswered on model_readings (tenant_id, scope_no, generation, document_id) where outcome <> 'answered';

alter table model_readings enable row level security;
alter table model_readings force row level security;
create policy own_rows on model_readings to concord_tenant
  using (tenant_id = nullif(current_setting('concord.tenant', true), '')) with check (tenant_id = nullif(current_setting('concord.tenant', true), ''));
create policy all_rows on model_readings to concord_engine using (true) with check (true);
grant select, insert, update, delete on model_readings to concord_tenant, concord_engine;

-- Who found it: null for the rules, model:<name> for a model, with how sure it was.
alter table contradictions add column found_by text, add column confidence real;
alter table possible_conflicts add column found_by text;
alter table supersessions add column found_by text;

-- Answers of a model depend on the case since: the same text alone does not tell what it says.
drop table extraction_cache;
