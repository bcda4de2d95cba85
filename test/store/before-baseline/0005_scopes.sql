-- What scopes need beyond the foundation: policy sets of the service readable by every tenant, the chain a reset
-- continues, what removal has still to do, and claims that were retired for a while.

-- The inherited policy set is read inside a tenant.
create policy service_sets on policy_sets for select to concord_tenant using (tenant_id = '-');
create policy service_assignments on policy_assignments for select to concord_tenant using (tenant_id = '-');

-- After a reset the decision chain goes on from the head of the one that ended; null before the first reset.
alter table scopes add column chain_hash text;
-- Rows of generations below this one are gone.
alter table scopes add column oldest_generation integer not null default 1;
create index scopes_to_clear on scopes (tenant_id, scope_no) where oldest_generation < generation;

-- Set when nothing of a deleted tenant is left but its name.
alter table tenants add column removed_at timestamptz;
create index tenants_to_remove on tenants (tenant_id) where deleted_at is not null and removed_at is null;

-- A later resolution revives claims an earlier one retired. What was known in between stays answerable.
create table claim_retirements (
  tenant_id text not null,
  scope_no bigint not null,
  generation integer not null,
  claim_no bigint not null,
  superseded_at timestamptz not null,
  revived_at timestamptz not null,
  superseded_by text,
  superseded_reason text,
  primary key (tenant_id, scope_no, generation, claim_no, superseded_at)
);
alter table claim_retirements enable row level security;
alter table claim_retirements force row level security;
create policy own_rows on claim_retirements to concord_tenant using (tenant_id = nullif(current_setting('concord.tenant', true), '')) with check (tenant_id = nullif(current_setting('concord.tenant', true), ''));
create policy all_rows on claim_retirements to concord_engine using (true) with check (true);
grant select, insert, update, delete on claim_retirements to concord_tenant, concord_engine;

-- Attached documents are queued in the order they were attached: by the place of document.attached in the event log.
alter table documents add column attached_seq bigint;
create index documents_attached on documents (tenant_id, scope_no, generation, attached_seq) where current and status = 'attached';

-- The summary shows what is undone and what is most severe without reading all of a scope.
create index goals_live on goals (tenant_id, scope_no, generation, done) where live;
create index risks_live on risks (tenant_id, scope_no, generation, level) where live;

-- A person approved this revision while it was held: {decision_seq, decision_hash, actor: {kind, id}, reason}. The document
-- is queued again, and its worker concludes it as that review instead of asking policy about it once more.
alter table documents add column approval json;

create index if not exists decisions_pending on decisions (tenant_id, scope_no, generation, seq) where review = 'pending';
create index contradictions_dismissed on contradictions (tenant_id, scope_no, generation, contradiction_no) where status = 'dismissed';
