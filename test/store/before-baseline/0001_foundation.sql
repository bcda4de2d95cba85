-- The tables of the service. The roles concord_tenant and concord_engine exist before any migration runs.
--
-- tenant_id leads the key of every tenant-owned table; row-level security is forced on each, so that a statement
-- under concord_tenant sees the rows of the one tenant named in the setting concord.tenant, or none at all.
-- concord_engine serves the few statements that must cross tenants (group commit, leasing, the kernel stream, chores).
--
-- scope_no is a scope's internal number (never shown: it would tell how many scopes others have). Rows that a reset
-- makes disappear carry the scope's generation; the event log does not, because it keeps counting across resets.
-- The service itself writes under the pseudo tenant '-' and scope_no 0.

create table tenants (
  tenant_id text primary key check (tenant_id = '-' or tenant_id ~ '^ten_[0-9A-Za-z]{22}$'),
  name text not null check (char_length(name) >= 1),
  weight integer not null default 1 check (weight between 1 and 1000),
  concurrent_scopes integer not null default 64 check (concurrent_scopes between 1 and 100000),
  limits jsonb not null default '{}',
  created_at timestamptz not null default clock_timestamp(),
  deleted_at timestamptz
);

create table tenant_keys (
  tenant_id text not null references tenants,
  key_id text not null,
  key_hash bytea not null unique check (octet_length(key_hash) = 32),
  key_prefix text not null,
  label text,
  created_at timestamptz not null default clock_timestamp(),
  revoked_at timestamptz,
  primary key (tenant_id, key_id)
);

create table scopes (
  tenant_id text not null references tenants,
  scope_id text not null check (char_length(scope_id) between 1 and 120 and scope_id ~ '^[a-z0-9][a-z0-9-]*$'),
  scope_no bigint generated always as identity unique,
  display_name text,
  mode text not null default 'auto' check (mode in ('auto', 'review', 'strict')),
  generation integer not null default 1 check (generation >= 1),
  -- Raised by every act of a person and every change of settings; a commit computed under an older version is repeated.
  version bigint not null default 0,
  settings jsonb not null default '{}',
  glossary jsonb not null default '{"terms":{},"entities":{}}',
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, scope_id),
  unique (tenant_id, scope_no)
);

-- The scope's place in its event log, and counts kept rather than counted. Ingest touches this row and never the lease.
create table scope_heads (
  tenant_id text not null,
  scope_no bigint not null,
  next_seq bigint not null default 0 check (next_seq >= 0),
  -- Oldest event still kept; readers that ask for less get an explicit gap.
  oldest_seq bigint not null default 0,
  has_backlog boolean not null default false,
  registered bigint not null default 0,
  attached bigint not null default 0,
  queued bigint not null default 0,
  processing bigint not null default 0,
  indexed bigint not null default 0,
  held bigint not null default 0,
  rejected bigint not null default 0,
  quarantined bigint not null default 0,
  primary key (tenant_id, scope_no),
  foreign key (tenant_id, scope_no) references scopes (tenant_id, scope_no)
) with (fillfactor = 50);
create index scope_heads_backlog on scope_heads (tenant_id, scope_no) where has_backlog;

create table scope_leases (
  tenant_id text not null,
  scope_no bigint not null,
  fence bigint not null default 0,
  owner text,
  leased_until timestamptz,
  served_at timestamptz not null default '-infinity',
  -- The document being worked on, noted before the work: a process that dies over it costs that document an attempt.
  in_hand_seq bigint,
  one_at_a_time boolean not null default false,
  primary key (tenant_id, scope_no),
  foreign key (tenant_id, scope_no) references scopes (tenant_id, scope_no)
) with (fillfactor = 50);

-- One row for each revision of a document.
create table documents (
  tenant_id text not null,
  scope_no bigint not null,
  generation integer not null,
  document_id text not null check (char_length(document_id) between 1 and 200),
  revision integer not null check (revision >= 1),
  current boolean not null default true,
  status text not null check (status in ('registered', 'attached', 'queued', 'processing', 'indexed', 'held', 'rejected', 'quarantined')),
  name text not null,
  type text not null,
  source text,
  provenance text,
  text text,
  text_hash bytea,
  -- The previous revision had the same text: nothing is extracted again.
  unchanged boolean not null default false,
  -- Position of document.queued in the scope's event log.
  seq bigint,
  attempts integer not null default 0,
  reason text,
  stage text,
  error_class text,
  diagnosis jsonb,
  received_at timestamptz not null default clock_timestamp(),
  queued_at timestamptz,
  started_at timestamptz,
  finished_at timestamptz,
  erased_at timestamptz,
  timings jsonb,
  round bigint,
  -- The claims of a revision are contiguous in their scope.
  first_claim_no bigint,
  claim_count integer not null default 0,
  contradiction_count integer not null default 0,
  profile jsonb,
  trace text,
  primary key (tenant_id, scope_no, generation, document_id, revision)
);
create index documents_waiting on documents (tenant_id, scope_no, generation, document_id)
  where current and status in ('attached', 'held', 'rejected', 'quarantined');
-- Default compression halves the insert rate of texts.
alter table documents alter column text set storage external;

create table backlog (
  tenant_id text not null,
  scope_no bigint not null,
  seq bigint not null,
  generation integer not null,
  document_id text not null,
  revision integer not null,
  attempts integer not null default 0,
  not_before timestamptz not null default '-infinity',
  enqueued_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, scope_no, seq)
);

-- The event log. Scope streams read by seq; the kernel stream by (xid, id) below the oldest running transaction.
create table events (
  tenant_id text not null,
  scope_no bigint not null,
  seq bigint not null,
  xid xid8 not null default pg_current_xact_id(),
  id bigint generated always as identity,
  type text not null,
  subject text,
  data json not null,
  time timestamptz not null default clock_timestamp(),
  primary key (tenant_id, scope_no, seq)
);
create index events_commit_order on events (xid, id);
-- Numbers the events of the service and of tenants as a whole (scope_no 0), which appear on the kernel stream only.
create sequence service_events;

create table idempotency_keys (
  tenant_id text not null,
  key text not null check (char_length(key) between 1 and 200),
  operation text not null,
  body_hash bytea not null,
  scope_no bigint not null,
  generation integer not null,
  response json not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, key)
);
create index idempotency_keys_age on idempotency_keys using brin (created_at);

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
create index claims_slots on claims (tenant_id, scope_no, generation, slot_hash) where superseded_at is null;

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

-- Desired processing state of the service ('-', 0), a tenant (…, 0) or a scope.
create table runtime_states (
  tenant_id text not null references tenants,
  scope_no bigint not null,
  state text not null check (state in ('running', 'paused', 'stopped')),
  run bigint not null default 1,
  changed_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, scope_no)
);

-- A tenant's turn in the fair order between tenants.
create table tenant_turns (
  tenant_id text primary key references tenants,
  served_at timestamptz not null default '-infinity',
  virtual_time double precision not null default 0
);

-- Extractions that cost a model call; the deterministic reader is cheaper than its cache.
create table extraction_cache (
  tenant_id text not null references tenants,
  content_hash bytea not null,
  extractor text not null,
  version text not null,
  extraction json not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, content_hash, extractor, version)
);

-- What follows belongs to the service and not to a tenant: concord_engine alone may touch it.

create table nodes (
  node_id text primary key,
  role text not null check (role in ('all', 'api', 'worker')),
  started_at timestamptz not null default clock_timestamp(),
  heartbeat_at timestamptz not null default clock_timestamp(),
  snapshot json not null default '{}'
);

create table signing_keys (
  kid text primary key,
  public_jwk json not null,
  private_jwk json,
  created_at timestamptz not null default clock_timestamp(),
  retired_at timestamptz
);

create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  tier text not null,
  -- A fingerprint of the key, never the key.
  actor text not null,
  action text not null,
  outcome text not null check (outcome in ('allowed', 'refused', 'counted')),
  -- Null from the moment the act is let through until its answer is known.
  status integer,
  tenant_id text,
  scope_id text,
  request_id text not null,
  address text,
  detail json not null default '{}',
  -- Filled in afterwards by the leader; ids are taken before commit, so the chain counts for itself.
  chain_no bigint unique,
  prev_hash text,
  hash text
);
create index audit_log_unchained on audit_log (id) where hash is null;
create index audit_log_tenant on audit_log (tenant_id, id);

insert into tenants (tenant_id, name) values ('-', 'service');
insert into runtime_states (tenant_id, scope_no, state) values ('-', 0, 'running');

do $$
declare t text;
begin
  foreach t in array array['tenants', 'tenant_keys', 'scopes', 'scope_heads', 'scope_leases', 'documents', 'backlog', 'events',
    'idempotency_keys', 'claims', 'contradictions', 'contradiction_sides', 'unsure_pairs', 'goals', 'risks', 'scope_states', 'rounds',
    'decisions', 'policy_sets', 'policy_assignments', 'certificates', 'runtime_states', 'tenant_turns', 'extraction_cache']
  loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy own_rows on %I to concord_tenant using (tenant_id = nullif(current_setting(''concord.tenant'', true), '''')) with check (tenant_id = nullif(current_setting(''concord.tenant'', true), ''''))', t);
    execute format('create policy all_rows on %I to concord_engine using (true) with check (true)', t);
    execute format('grant select, insert, update, delete on %I to concord_tenant, concord_engine', t);
  end loop;
  foreach t in array array['nodes', 'signing_keys', 'audit_log']
  loop
    execute format('grant select, insert, update, delete on %I to concord_engine', t);
  end loop;
end $$;

-- A tenant's requests never create tenants, keys or weights, nor take their turns: those are acts of the service.
revoke insert, update, delete on tenants, tenant_keys, tenant_turns from concord_tenant;
grant usage on all sequences in schema public to concord_tenant, concord_engine;
