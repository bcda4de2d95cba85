-- What processing keeps: cautious leases after a dead process, the newest live claims of a slot by index, slots too
-- crowded to be looked at whole, what held documents were read as, and what certificates are made of.

-- A process died over a batch: documents up to this seq are leased one at a time, so that the next death names its document.
alter table scope_leases add column careful_until_seq bigint;
create index scope_leases_leased on scope_leases (leased_until) where owner is not null;

-- Rolling SHA-256 over the admitted claims, the policy sets decisions were made under, and holds other than of documents.
alter table scope_states add column claims_digest text not null default '';
alter table scope_states add column policy_hashes json not null default '[]';
alter table scope_states add column pending integer not null default 0 check (pending >= 0);

create index decisions_pending on decisions (tenant_id, scope_no, generation, seq) where review = 'pending';

-- Newest first within a slot.
drop index claims_slots;
create index claims_slots on claims (tenant_id, scope_no, generation, slot_hash, claim_no) where superseded_at is null;

-- Figures of slots with more live claims than a round looks at. Written only by rounds that touch such a slot.
create table slot_crowds (
  tenant_id text not null,
  scope_no bigint not null,
  generation integer not null,
  slot_hash bigint not null,
  slot_key text not null,
  live integer not null check (live >= 0),
  best_micros integer not null check (best_micros >= 0),
  primary key (tenant_id, scope_no, generation, slot_hash, slot_key)
);

-- How a held document was read; reconciled when a person approves it, against the claims that are live then.
create table held_extractions (
  tenant_id text not null,
  scope_no bigint not null,
  generation integer not null,
  document_id text not null,
  revision integer not null,
  extraction json not null,
  primary key (tenant_id, scope_no, generation, document_id, revision)
);

-- Which extractor read the document; with an equal version a replay from its text must give the same.
alter table documents add column extractor text;
alter table documents add column extractor_version text;

create index documents_quarantined on documents (tenant_id, scope_no, generation, document_id) where current and status = 'quarantined';

do $$
declare t text;
begin
  foreach t in array array['slot_crowds', 'held_extractions']
  loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy own_rows on %I to concord_tenant using (tenant_id = nullif(current_setting(''concord.tenant'', true), '''')) with check (tenant_id = nullif(current_setting(''concord.tenant'', true), ''''))', t);
    execute format('create policy all_rows on %I to concord_engine using (true) with check (true)', t);
    execute format('grant select, insert, update, delete on %I to concord_tenant, concord_engine', t);
  end loop;
end $$;
