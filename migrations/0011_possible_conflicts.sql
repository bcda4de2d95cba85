-- Possible conflicts and supersessions as findings of their own: shown, decided by people, on record.

-- They had been counted, but kept without what a person needs to decide them.
drop table unsure_pairs;
alter table scope_states rename column next_pair_no to next_possible_no;
alter table scope_states add column next_supersession_no bigint not null default 0;

-- Why two claims were taken to speak of the same thing. Words of the texts: erased with the quotes.
alter table contradictions add column evidence json;

-- Two live claims that may disagree, but not surely enough to say so. Open until a person promotes or dismisses it, or
-- until a claim of it ends: then it is dismissed by the system, and opens again should the claim count again.
create table possible_conflicts (
  tenant_id text not null,
  scope_no bigint not null,
  generation integer not null,
  possible_no bigint not null,
  possible_conflict_id text not null,
  status text not null check (status in ('open', 'promoted', 'dismissed')),
  kind text not null check (kind in ('numeric', 'categorical', 'negation', 'date')),
  severity text not null check (severity in ('low', 'medium', 'high', 'critical')),
  -- Millionths, so that places in the list compare exactly.
  score_micros integer not null check (score_micros between 0 and 1000000),
  claim_a bigint not null,
  claim_b bigint not null,
  -- For the contradiction it may become.
  slot_key text,
  group_a text,
  group_b text,
  reason text not null,
  evidence json,
  detected_at timestamptz not null,
  detected_round bigint not null,
  -- {verdict, reason, by, decided_at, round}; null while open.
  decision json,
  -- The contradiction it became.
  contradiction_no bigint,
  primary key (tenant_id, scope_no, generation, possible_no),
  unique (tenant_id, possible_conflict_id),
  check ((status = 'open') = (decision is null)),
  check ((status = 'promoted') = (contradiction_no is not null))
);
create index possible_conflicts_best on possible_conflicts (tenant_id, scope_no, generation, score_micros desc, possible_no);
create index possible_conflicts_open on possible_conflicts (tenant_id, scope_no, generation, score_micros desc, possible_no) where status = 'open';
create index possible_conflicts_a on possible_conflicts (tenant_id, scope_no, generation, claim_a);
create index possible_conflicts_b on possible_conflicts (tenant_id, scope_no, generation, claim_b);

-- What replaced what. A claim may be replaced by several; it counts again once a person objects.
create table supersessions (
  tenant_id text not null,
  scope_no bigint not null,
  generation integer not null,
  supersession_no bigint not null,
  supersession_id text not null,
  status text not null check (status in ('standing', 'objected')),
  kind text not null check (kind in ('words', 'later_issue', 'revision')),
  claim_no bigint not null,
  by_claim_no bigint not null,
  reason text not null,
  evidence json,
  detected_at timestamptz not null,
  detected_round bigint not null,
  -- {reason, by, decided_at, round}; null while nobody objects.
  objection json,
  -- The contradiction the objection made of it; null where the replacing claim had ended itself.
  contradiction_no bigint,
  primary key (tenant_id, scope_no, generation, supersession_no),
  unique (tenant_id, supersession_id),
  check ((status = 'objected') = (objection is not null))
);
create unique index supersessions_pairs on supersessions (tenant_id, scope_no, generation, claim_no, by_claim_no);

-- Claims that were replaced stay comparable.
create index claims_superseded on claims (tenant_id, scope_no, generation, slot_hash, claim_no) where superseded_by is not null;

do $$
declare
  t text;
begin
  foreach t in array array['possible_conflicts', 'supersessions']
  loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy own_rows on %I to concord_tenant using (tenant_id = nullif(current_setting(''concord.tenant'', true), '''')) with check (tenant_id = nullif(current_setting(''concord.tenant'', true), ''''))', t);
    execute format('create policy all_rows on %I to concord_engine using (true) with check (true)', t);
    execute format('grant select, insert, update, delete on %I to concord_tenant, concord_engine', t);
  end loop;
end $$;
