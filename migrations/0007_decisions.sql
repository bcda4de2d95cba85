-- What a scope has come to: its state between rounds, the rounds, the chained decisions, the policies and certificates.

-- What processing knows about a scope between rounds; one row, written in every commit.
create table scope_states (
  tenant_id text not null,
  scope_no bigint not null,
  generation integer not null,
  round bigint not null default 0,
  next_claim_no bigint not null default 0,
  next_contradiction_no bigint not null default 0,
  next_pair_no bigint not null default 0,
  memory json not null,
  aggregates json not null,
  -- Head of the decision chain.
  decision_seq bigint not null default 0,
  decision_hash text not null,
  drift json,
  convergence json,
  finality text not null default 'active' check (finality in ('active', 'review', 'resolved', 'escalated', 'blocked')),
  gates json not null default '[]',
  updated_at timestamptz not null default clock_timestamp(),
  -- Rolling SHA-256 over the admitted claims, and the policy sets decisions were made under.
  claims_digest text not null default '',
  policy_hashes json not null default '[]',
  -- Holds of resolutions and settings that wait for a person.
  pending integer not null default 0 check (pending >= 0),
  primary key (tenant_id, scope_no, generation)
) with (fillfactor = 50);

-- Every input of a scope in its order: the history of convergence, and what a replay reads.
create table rounds (
  tenant_id text not null,
  scope_no bigint not null,
  generation integer not null,
  round bigint not null,
  kind text not null,
  document_id text,
  revision integer,
  input json not null,
  point json not null,
  recorded_at timestamptz not null,
  primary key (tenant_id, scope_no, generation, round)
);

create table decisions (
  tenant_id text not null,
  scope_no bigint not null,
  generation integer not null,
  seq bigint not null,
  decision_id text not null,
  round bigint not null,
  kind text not null,
  document_id text,
  revision integer,
  outcome text not null check (outcome in ('admit', 'hold', 'reject')),
  policy_hash text not null,
  policies json not null,
  reasons json not null,
  obligations json not null,
  proposal json not null,
  state json not null,
  proposal_digest text not null,
  state_digest text not null,
  prev_hash text not null,
  hash text not null,
  -- What a hold waits for: pending until a person approves or rejects, or the document moves on without them.
  review text check (review in ('pending', 'approved', 'rejected', 'obsolete')),
  recorded_at timestamptz not null,
  primary key (tenant_id, scope_no, generation, seq),
  unique (tenant_id, decision_id)
);
create index decisions_pending on decisions (tenant_id, scope_no, generation, seq) where review = 'pending';

-- Content-addressed and never deleted: a replay uses the recorded hash, not today's set.
create table policy_sets (
  tenant_id text not null references tenants,
  hash text not null,
  policies text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, hash)
);

-- scope_no 0 is the tenant's own default; tenant '-' the service's.
create table policy_assignments (
  tenant_id text not null,
  scope_no bigint not null,
  hash text not null,
  changed_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, scope_no),
  foreign key (tenant_id, hash) references policy_sets (tenant_id, hash)
);

create table certificates (
  tenant_id text not null,
  scope_no bigint not null,
  generation integer not null,
  round bigint not null,
  certificate_id text not null,
  kid text not null,
  certificate text not null,
  issued_at timestamptz not null,
  withdrawn_at timestamptz,
  withdrawn_reason text,
  primary key (tenant_id, scope_no, generation, round),
  unique (tenant_id, certificate_id)
);

create table signing_keys (
  kid text primary key,
  public_jwk json not null,
  private_jwk json,
  created_at timestamptz not null default clock_timestamp(),
  retired_at timestamptz
);
