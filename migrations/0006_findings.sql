-- What documents claim, where they disagree, and the goals and risks they name.

create table claims (
  tenant_id text not null,
  scope_no bigint not null,
  generation integer not null,
  claim_no bigint not null,
  claim_id text not null,
  document_id text not null,
  revision integer not null,
  quote text,
  start_at integer not null,
  end_at integer not null,
  slot_hash bigint not null,
  subject text not null,
  attribute text not null,
  confidence real not null,
  valid_from date,
  valid_to date,
  recorded_at timestamptz not null,
  recorded_round bigint not null,
  superseded_at timestamptz,
  superseded_round bigint,
  superseded_by text,
  superseded_reason text,
  -- The placed claim without its quote, as analysis gave it.
  body json not null,
  primary key (tenant_id, scope_no, generation, claim_no)
);
-- Newest first within a slot.
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

create table contradictions (
  tenant_id text not null,
  scope_no bigint not null,
  generation integer not null,
  contradiction_no bigint not null,
  contradiction_id text not null,
  status text not null check (status in ('open', 'resolved', 'dismissed')),
  kind text not null check (kind in ('numeric', 'categorical', 'negation', 'date', 'reported')),
  severity text not null check (severity in ('low', 'medium', 'high', 'critical')),
  slot_hash bigint,
  slot_key text,
  group_a text,
  group_b text,
  subject text,
  attribute text,
  reason text not null,
  -- For reported ones: what was handed in, {claim_a, claim_b, source_a, source_b, round}.
  reported json,
  detected_at timestamptz not null,
  detected_round bigint not null,
  resolution json,
  resolved_at timestamptz,
  primary key (tenant_id, scope_no, generation, contradiction_no),
  unique (tenant_id, contradiction_id)
);
create index contradictions_slots on contradictions (tenant_id, scope_no, generation, slot_hash);
create index contradictions_open on contradictions (tenant_id, scope_no, generation, contradiction_no) where status = 'open';
create index contradictions_dismissed on contradictions (tenant_id, scope_no, generation, contradiction_no) where status = 'dismissed';

-- Which claims stand on which side; lead marks the claim shown as a or b, the others are supporters.
create table contradiction_sides (
  tenant_id text not null,
  scope_no bigint not null,
  generation integer not null,
  contradiction_no bigint not null,
  side text not null check (side in ('a', 'b')),
  claim_no bigint not null,
  lead boolean not null default false,
  primary key (tenant_id, scope_no, generation, contradiction_no, side, claim_no)
);
create index contradiction_sides_claims on contradiction_sides (tenant_id, scope_no, generation, claim_no);

create table unsure_pairs (
  tenant_id text not null,
  scope_no bigint not null,
  generation integer not null,
  pair_no bigint not null,
  claim_a text not null,
  claim_b text not null,
  reason text not null,
  round bigint not null,
  primary key (tenant_id, scope_no, generation, pair_no)
);

create table goals (
  tenant_id text not null,
  scope_no bigint not null,
  generation integer not null,
  document_id text not null,
  revision integer not null,
  ordinal integer not null,
  live boolean not null default true,
  quote text,
  start_at integer not null,
  end_at integer not null,
  what text,
  owner text,
  due text,
  done boolean not null,
  round bigint not null,
  primary key (tenant_id, scope_no, generation, document_id, revision, ordinal)
);

create table risks (
  tenant_id text not null,
  scope_no bigint not null,
  generation integer not null,
  document_id text not null,
  revision integer not null,
  ordinal integer not null,
  live boolean not null default true,
  quote text,
  start_at integer not null,
  end_at integer not null,
  what text,
  level text not null check (level in ('low', 'medium', 'high', 'critical')),
  round bigint not null,
  primary key (tenant_id, scope_no, generation, document_id, revision, ordinal)
);

-- The summary shows what is undone and what is most severe without reading all of a scope.
create index goals_live on goals (tenant_id, scope_no, generation, done) where live;
create index risks_live on risks (tenant_id, scope_no, generation, level) where live;
