-- The schema of Concord, in the order a reader wants. It is the baseline: later versions add files with higher numbers, and a database that another
-- baseline made is refused.
--
-- tenant_id leads the key of every tenant-owned table; row-level security is forced on each, so that a statement under concord_tenant sees the rows of
-- the one tenant named in the setting concord.tenant, or none at all. concord_engine serves the few statements that must cross tenants (group commit,
-- leasing, the kernel stream, chores). Both roles exist before any migration runs; the last part of this file gives them their rights.
-- The service itself writes under the pseudo tenant '-' and scope_no 0.

-- ---- Tenants, their keys and sessions ----

create table tenants (
  tenant_id text primary key check (tenant_id = '-' or tenant_id ~ '^ten_[0-9A-Za-z]{22}$'),
  name text not null check (char_length(name) >= 1), weight integer not null default 1 check (weight between 1 and 1000),
  concurrent_scopes integer not null default 64 check (concurrent_scopes between 1 and 100000),
  limits jsonb not null default '{}', created_at timestamptz not null default clock_timestamp(), deleted_at timestamptz,
  -- Set when nothing of a deleted tenant is left but its name.
  removed_at timestamptz
);
create index tenants_to_remove on tenants (tenant_id) where deleted_at is not null and removed_at is null;

create table tenant_keys (
  tenant_id text not null references tenants, key_id text not null,
  key_hash bytea not null unique check (octet_length(key_hash) = 32), key_prefix text not null, label text,
  created_at timestamptz not null default clock_timestamp(), revoked_at timestamptz,
  -- What a key may do, where, until when, and whose it is.
  rights text[] not null default array['read', 'ingest', 'decide', 'erase', 'manage', 'hold']
    check (rights <@ array['read', 'ingest', 'decide', 'erase', 'manage', 'hold'] and cardinality(rights) > 0),
  -- Null: every scope, those to come included.
  scopes text[] check (cardinality(scopes) between 1 and 200), expires_at timestamptz, person text,
  -- Without it the key's person is the only one it can act for.
  speak_for boolean not null default true check (speak_for or person is not null),
  primary key (tenant_id, key_id)
);

-- Sessions of people who signed in with the issuer, and those that a tenant key was exchanged for.
create table sessions (
  tenant_id text not null references tenants, session_id text not null,
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  -- What the sign-in was begun with: each makes one session, whichever node is asked.
  attempt_hash bytea not null unique check (octet_length(attempt_hash) = 32),
  -- desk: a cookie of a browser; device: a token of the command line.
  kind text not null check (kind in ('desk', 'device')), issuer text not null, subject text not null, person text,
  rights text[] not null check (rights <@ array['read', 'ingest', 'decide', 'erase', 'manage', 'hold'] and cardinality(rights) > 0),
  -- Null: every scope, those to come included.
  scopes text[] check (cardinality(scopes) between 1 and 200), created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null, revoked_at timestamptz,
  -- The key it was exchanged for: rights, scopes, person and end are the key's, at every moment.
  key_id text,
  -- How long it goes on without being used, beside the longest it may last.
  idle_minutes integer not null default 60 check (idle_minutes between 1 and 1440),
  used_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, session_id),
  constraint sessions_longest check (expires_at <= created_at + interval '1 day'),
  constraint sessions_whose check (person is not null or key_id is not null)
);
create index sessions_expired on sessions (expires_at);

-- Raised by every change that takes something away from a credential: nodes ask for this one row, and what they remember of any number of keys,
-- tenants and sessions stays good while it is the same. What expires is known when it is looked up.
create table credential_generation (
  singleton boolean primary key default true check (singleton), generation bigint not null default 0
);

create function concord_credentials_changed() returns trigger language plpgsql as $$
begin
  update credential_generation set generation = generation + 1;
  return null;
end $$;
create trigger credentials_changed after update or delete on tenant_keys for each row execute function concord_credentials_changed();
create trigger credentials_changed after update of deleted_at, limits on tenants for each row execute function concord_credentials_changed();
create trigger credentials_changed after update of revoked_at, expires_at, rights, scopes on sessions
  for each row execute function concord_credentials_changed();

-- ---- Scopes ----

-- scope_no is a scope's internal number (never shown: it would tell how many scopes others have). Rows that a reset makes disappear carry the scope's
-- generation; the event log does not, because it keeps counting across resets.
create table scopes (
  tenant_id text not null references tenants,
  scope_id text not null check (char_length(scope_id) between 1 and 120 and scope_id ~ '^[a-z0-9][a-z0-9-]*$'),
  scope_no bigint generated always as identity unique, display_name text,
  mode text not null default 'auto' check (mode in ('auto', 'review', 'strict')),
  generation integer not null default 1 check (generation >= 1),
  -- Raised by every act of a person and every change of settings; a commit computed under an older version is repeated.
  version bigint not null default 0, settings jsonb not null default '{}', glossary jsonb not null default '{"terms":{},"entities":{}}',
  created_at timestamptz not null default clock_timestamp(),
  -- After a reset the decision chain goes on from the head of the one that ended; null before the first reset.
  chain_hash text,
  -- The last reset: of what lay before it nothing can be asked.
  reset_at timestamptz,
  -- Rows of generations below this one are gone.
  oldest_generation integer not null default 1,
  primary key (tenant_id, scope_id),
  unique (tenant_id, scope_no)
);
create index scopes_to_clear on scopes (tenant_id, scope_no) where oldest_generation < generation;

-- The scope's place in its event log, and counts kept rather than counted. Ingest touches this row and never the lease.
create table scope_heads (
  tenant_id text not null, scope_no bigint not null, next_seq bigint not null default 0 check (next_seq >= 0),
  -- Oldest event still kept; readers that ask for less get an explicit gap.
  oldest_seq bigint not null default 0, has_backlog boolean not null default false,
  -- Current revisions by state.
  registered bigint not null default 0, attached bigint not null default 0, queued bigint not null default 0, processing bigint not null default 0,
  indexed bigint not null default 0, held bigint not null default 0, rejected bigint not null default 0,
  quarantined bigint not null default 0,
  -- Bytes of text kept for the scope; the tenant's usage is the sum over its scopes, so that flushes into different scopes of one tenant never wait for
  -- a common row.
  bytes bigint not null default 0 check (bytes >= 0),
  -- When the scope joined the queue of its tenant; in the future while everything it has is in backoff; null without a backlog. Never later than the
  -- moment its next document is due; a lease that finds it too early puts it right. Halted: paused or stopped by a row of runtime_states.
  turn_at timestamptz, halted boolean not null default false,
  -- Places in the backlog of documents that are read again.
  rereads integer not null default 0 check (rereads >= 0),
  -- What the state of the scope's generation says of it, beside the counts of its documents.
  derived_bytes bigint not null default 0, finality text not null default 'active', pressure float8 not null default 0,
  -- A scope for which nothing can be done before a known time (the tokens of the day are spent) rests until then, on all nodes: its turn lies behind
  -- it, and so does that of its tenant when all its scopes rest. A document that is added ends a backoff, but no rest.
  rest_until timestamptz,
  primary key (tenant_id, scope_no),
  foreign key (tenant_id, scope_no) references scopes (tenant_id, scope_no)
) with (fillfactor = 50);
create index scope_heads_backlog on scope_heads (tenant_id, scope_no) where has_backlog;
create index scope_heads_turns on scope_heads (tenant_id, turn_at, scope_no) where turn_at is not null and not halted;
-- Scopes by their pressure, the worst first.
create index scope_heads_pressure on scope_heads ((-pressure), tenant_id, scope_no);
-- Few scopes have documents in quarantine; the count of all reads no others.
create index scope_heads_quarantined on scope_heads (tenant_id, scope_no) include (quarantined) where quarantined > 0;

-- Deleting a scope: its row, head and lease go, what it held is removed in batches, and a tombstone remembers where it ended. Using the name again
-- goes on from there: the same number, the next seq, generation and fence, the chain of its decisions.
create table scope_tombstones (
  tenant_id text not null references tenants, scope_id text not null, scope_no bigint not null,
  -- What the scope begins with should its name be used again; rows of generations before this one are on their way out.
  generation integer not null, version bigint not null, fence bigint not null, next_seq bigint not null,
  -- Events from here on tell of the deletion and stay; those before it are on their way out.
  oldest_seq bigint not null, chain_hash text, deleted_at timestamptz not null default clock_timestamp(),
  -- Whether everything is gone.
  cleared boolean not null default false,
  primary key (tenant_id, scope_id),
  unique (tenant_id, scope_no)
);
create index scope_tombstones_to_clear on scope_tombstones (tenant_id, scope_no) where not cleared;

-- Desired processing state of the service ('-', 0), a tenant (…, 0) or a scope.
create table runtime_states (
  tenant_id text not null references tenants, scope_no bigint not null,
  state text not null check (state in ('running', 'paused', 'stopped')), run bigint not null default 1,
  changed_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, scope_no)
);
-- Nearly every state is running: what keeps scopes from running is the short list.
create index runtime_states_halted on runtime_states (tenant_id, scope_no) where state <> 'running';

-- Legal holds: while one stands on a case or a document, nothing removes it. A lifted one stays on record.
create table legal_holds (
  tenant_id text not null references tenants, scope_no bigint not null, generation integer not null,
  -- Counts the holds of the scope.
  hold_no integer not null, hold_id text not null,
  -- Null: the whole case.
  document_id text, set_by text not null,
  -- Whether the key vouched for who set it.
  set_bound boolean not null,
  -- Null once the document was erased.
  reason text, set_at timestamptz not null default clock_timestamp(), lifted_by text, lifted_bound boolean,
  lifted_reason text, lifted_at timestamptz,
  check ((lifted_at is null) = (lifted_by is null) and (lifted_at is null) = (lifted_bound is null)),
  primary key (tenant_id, scope_no, generation, hold_no),
  unique (tenant_id, hold_id)
);
create unique index legal_holds_standing on legal_holds (tenant_id, scope_no, coalesce(document_id, '')) where lifted_at is null;

create function concord_effective_state(of_tenant text, of_scope bigint) returns text language sql stable parallel safe
  as $$
    select case when bool_or(state = 'stopped') then 'stopped' when bool_or(state = 'paused') then 'paused' else 'running' end
    from runtime_states
    where (tenant_id = '-' and scope_no = 0) or (tenant_id = of_tenant and scope_no in (0, of_scope))
  $$;

-- ---- Documents ----

-- One row for each revision of a document.
create table documents (
  tenant_id text not null, scope_no bigint not null, generation integer not null,
  document_id text not null check (char_length(document_id) between 1 and 200),
  revision integer not null check (revision >= 1), current boolean not null default true,
  status text not null check (status in ('registered', 'attached', 'queued', 'processing', 'indexed', 'held', 'rejected', 'quarantined')),
  name text not null, type text not null, source text, provenance text, text text, text_hash bytea,
  -- The previous revision had the same text: nothing is extracted again.
  unchanged boolean not null default false,
  -- Position of document.queued in the scope's event log.
  seq bigint, attempts integer not null default 0, reason text, stage text, error_class text, diagnosis jsonb,
  received_at timestamptz not null default clock_timestamp(), queued_at timestamptz, started_at timestamptz,
  finished_at timestamptz, erased_at timestamptz, timings jsonb, round bigint,
  -- The claims of a revision are contiguous in their scope.
  first_claim_no bigint, claim_count integer not null default 0, contradiction_count integer not null default 0,
  profile jsonb, trace text,
  -- Which extractor read the document; with an equal version a replay from its text must give the same.
  extractor text, extractor_version text,
  -- Attached documents are queued in the order they were attached: by the place of document.attached in the event log.
  attached_seq bigint,
  -- A person approved this revision while it was held: {decision_seq, decision_hash, actor: {kind, id}, reason}. The document is queued again, and its
  -- worker concludes it as that review instead of asking policy about it once more.
  approval json,
  -- Null once the original is removed, and for documents that came as text.
  file_id text, file_sha256 bytea, file_media_type text, file_bytes bigint,
  -- What made the text of the file, with its version; null until it is extracted.
  text_extractor text,
  -- What a reader of the text should know about how it was made.
  text_notes json,
  -- The mail that a document was attached to, and how many mails deep it is.
  part_of text, part_depth smallint not null default 0 check (part_depth between 0 and 3),
  -- The documents that came with a file. Null until its text is kept, of what came as text, and where a later revision counted by then.
  carries text[],
  -- The round that read it last, where that was not its first reading.
  reread_round bigint,
  -- Numbers of claims that earlier readings of this revision left.
  former_claims int8multirange not null default '{}',
  -- What came of asking a model: 'answered', or why there is no whole answer; null where none was asked.
  model_outcome text,
  -- The model that compared a document in full, with the version of its questions: name@version. Null where none did.
  compared_model text,
  -- Claims made of passages of a document because a finding of a later one needed them: they are numbered with that one's round.
  lent_claims int8multirange not null default '{}',
  -- Languages that a person said its scan is in, parted by +. Null: those of the settings.
  scan_languages text,
  -- What its submitter says a document is about. Null: what the revision before it was said to be about.
  about text,
  primary key (tenant_id, scope_no, generation, document_id, revision)
);
-- Default compression halves the insert rate of texts.
alter table documents alter column text set storage external;
create index documents_waiting on documents (tenant_id, scope_no, generation, document_id)
  where current and status in ('attached', 'held', 'rejected', 'quarantined');
create index documents_quarantined on documents (tenant_id, scope_no, generation, document_id) where current and status = 'quarantined';
create index documents_attached on documents (tenant_id, scope_no, generation, attached_seq) where current and status = 'attached';
create index documents_parts on documents (tenant_id, scope_no, generation, part_of) where part_of is not null;
create index documents_without_model on documents (tenant_id, scope_no, generation, document_id)
  where current and status = 'indexed' and model_outcome <> 'answered';
-- Texts past their time: only documents whose text may still be removed are in it. An index by age alone led to every old document again, each
-- minute.
create index documents_removable on documents (received_at)
  where status in ('indexed', 'rejected') and (text is not null or file_id is not null);
create index documents_finished on documents (tenant_id, scope_no, generation, finished_at) where finished_at is not null;
-- Those that are neither finished nor in the queue: registered, attached.
create index documents_aside on documents (tenant_id, scope_no, generation, received_at)
  where finished_at is null and status not in ('queued', 'processing');
-- Where the settings ask for a model, documents that none compared in full are found among any number of others.
create index documents_not_compared on documents (tenant_id, scope_no, generation, round)
  where current and status = 'indexed' and compared_model is null and text_hash is not null and erased_at is null;
create index documents_about on documents (tenant_id, scope_no, generation, document_id, revision) where about is not null;
-- Lists of cases say by whom their documents were compared: those that a model compared are found among any number of others.
create index documents_compared on documents (tenant_id, scope_no, generation)
  where current and status = 'indexed' and compared_model is not null and erased_at is null;
-- The same bytes twice in a case are said to be the same. Under row-level security an index on coalesce() is not used, for it might leak; one on a case
-- is.
create index documents_same on documents (tenant_id, scope_no, generation, (case when file_sha256 is null then text_hash else file_sha256 end), document_id)
  where current and erased_at is null;

create table backlog (
  tenant_id text not null, scope_no bigint not null, seq bigint not null, generation integer not null,
  document_id text not null, revision integer not null, attempts integer not null default 0,
  not_before timestamptz not null default '-infinity', enqueued_at timestamptz not null default clock_timestamp(),
  -- Reading again: documents that were read before wait in the backlog once more, without leaving their state. What they say counts until the new
  -- reading takes its place. Null for a document that comes in. {model, by, reason}: whether a model is to be asked, who wants it and why.
  reread json,
  primary key (tenant_id, scope_no, seq)
);
-- What a restart has to clear, found without reading a whole backlog.
create index backlog_retries on backlog (tenant_id, scope_no) where attempts > 0 or not_before > '-infinity';
-- A document waits to be read again once.
create unique index backlog_rereads on backlog (tenant_id, scope_no, generation, document_id) where reread is not null;

-- What waits in a scope, as its head has it. Statements that write the head in any case, because they count or take places in the log (a flush, the end
-- of documents), say themselves whether anything still waits: then nothing is written here. Rows of generations before are none of the head's.
create function concord_note_backlog() returns trigger language plpgsql as $$
declare
  moved record;
begin
  -- Looked at first: an update of no rows would still call the triggers of the head.
  for moved in
    select m.tenant_id, m.scope_no, m.rereads, m.waits from (
      select r.tenant_id, r.scope_no, r.generation, case tg_op when 'INSERT' then 1 else -1 end * count(r.reread) as rereads, tg_op = 'INSERT' or exists (
        select from backlog b where b.tenant_id = r.tenant_id and b.scope_no = r.scope_no and b.generation = r.generation) as waits
      from moved_rows r group by r.tenant_id, r.scope_no, r.generation
    ) m
    join scope_heads h on h.tenant_id = m.tenant_id and h.scope_no = m.scope_no and (h.has_backlog <> m.waits or m.rereads <> 0)
    join scopes s on s.tenant_id = m.tenant_id and s.scope_no = m.scope_no and s.generation = m.generation
    order by m.tenant_id, m.scope_no
  loop
    update scope_heads h set has_backlog = moved.waits, rereads = h.rereads + moved.rereads
    where h.tenant_id = moved.tenant_id and h.scope_no = moved.scope_no;
  end loop;
  return null;
end $$;
create trigger note_backlog after insert on backlog referencing new table as moved_rows for each statement execute function concord_note_backlog();
create trigger note_backlog_gone after delete on backlog referencing old table as moved_rows for each statement execute function concord_note_backlog();

create table idempotency_keys (
  tenant_id text not null, key text not null check (char_length(key) between 1 and 200), operation text not null,
  body_hash bytea not null, scope_no bigint not null, generation integer not null, response json not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, key)
);
create index idempotency_keys_age on idempotency_keys using brin (created_at);

-- What a key is to a request that comes with it: replayed, reused for another request, or ended, because its scope was reset or deleted since, which
-- is as good as never used. No row for a free one.
create function concord_key_use(of_tenant text, of_key text, of_operation text, of_body_hash bytea) returns table (use text, response json)
  language sql stable as $$
  select case
    when not exists (select from scopes s where s.tenant_id = k.tenant_id and s.scope_no = k.scope_no and s.generation = k.generation) then 'ended'
    when k.operation = of_operation and k.body_hash = of_body_hash then 'replayed' else 'reused' end, k.response
  from idempotency_keys k where k.tenant_id = of_tenant and k.key = of_key
$$;

-- Documents that came as files: originals kept as they came, the text extracted from them, and where in the file each part of that text stands. A
-- file is written in chunks, a short transaction each. Until its document exists it is an upload: its bytes count towards the tenant's limit, and it
-- is removed when it is not finished within an hour.
create table uploads (
  tenant_id text not null references tenants, file_id text not null, bytes bigint not null default 0 check (bytes >= 0),
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, file_id)
);
create index uploads_age on uploads (created_at);

create table file_chunks (
  tenant_id text not null references tenants, file_id text not null, chunk_no integer not null check (chunk_no >= 0),
  -- Null while it is an upload. A reset finds its rows by them.
  scope_no bigint, generation integer, data bytea not null,
  primary key (tenant_id, file_id, chunk_no)
);
-- Most files are compressed already.
alter table file_chunks alter column data set storage external;
create index file_chunks_scope on file_chunks (tenant_id, scope_no, generation);

-- Where parts of an extracted text stand in their file: from starts[i] on (code points) it is labels[i]. Some hundred to a row, so that a place is
-- found without reading the whole map of a long sheet.
create table text_places (
  tenant_id text not null, scope_no bigint not null, generation integer not null, document_id text not null,
  revision integer not null, first_at integer not null, kind text not null check (kind in ('page', 'cell', 'paragraph')),
  starts integer[] not null, labels text[] not null,
  primary key (tenant_id, scope_no, generation, document_id, revision, first_at),
  check (cardinality(starts) = cardinality(labels) and starts[1] = first_at)
);

-- Pages of scans and pictures. `reading` is what was recognised of a page, kept while further pages of its file are read. Of a text that is kept: where
-- each word begins and how long it is (code points), how sure its recognition was (hundredths), and its rectangle on the page (left, top, width, height
-- in ten-thousandths of the page as it is shown).
create table recognised_pages (
  tenant_id text not null, scope_no bigint not null, generation integer not null, document_id text not null,
  revision integer not null, page integer not null check (page >= 1), reading json,
  starts integer[] not null default '{}', lengths smallint[] not null default '{}', confidences smallint[] not null default '{}',
  rectangles smallint[] not null default '{}',
  -- Which of the words, counted from 1, people read for us.
  corrected smallint[] not null default '{}',
  primary key (tenant_id, scope_no, generation, document_id, revision, page),
  check (cardinality(lengths) = cardinality(starts) and cardinality(confidences) = cardinality(starts)
    and cardinality(rectangles) = 4 * cardinality(starts))
);

-- What a model is shown: every document cut into passages by layout and sentence, whatever the rules made of it. Offsets are stored, so that a
-- passage stays what it was whatever a later reader would cut; the words of its heading, row and column go when the document does.
create table document_passages (
  tenant_id text not null, scope_no bigint not null, generation integer not null, document_id text not null,
  revision integer not null,
  -- [[start, end, about], …] in code points of the text.
  passages jsonb not null,
  primary key (tenant_id, scope_no, generation, document_id, revision)
);

-- Words under which passages are found, one row for a word and a document; looked up by equality, which row-level security lets an index answer.
create table passage_terms (
  tenant_id text not null, scope_no bigint not null, generation integer not null, term text not null,
  document_id text not null,
  -- Places in the document's list of passages.
  passages integer[] not null,
  primary key (tenant_id, scope_no, generation, term, document_id)
);
create index passage_terms_documents on passage_terms (document_id, scope_no, tenant_id, generation);

-- Documents that no model is shown, by their ids: later revisions too. Switched on again only by an admin key.
create table model_off (
  tenant_id text not null, scope_no bigint not null, generation integer not null, document_id text not null,
  set_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, scope_no, generation, document_id)
);

-- What a model answered about a document, as code verified it: with it a scope is replayed without asking again. A row for every document a model was
-- or should have been asked about; one without an answer is to be read again.
create table model_readings (
  tenant_id text not null, scope_no bigint not null, generation integer not null, document_id text not null,
  revision integer not null, model text not null, prompt_version text not null,
  -- 'answered', or why there is no answer.
  outcome text not null,
  -- Claims the model added, links and acquittals. Words of the text: erased with the document, and with the one they are about.
  reading jsonb,
  -- Parts of the answer that were not taken, by reason.
  dropped jsonb not null,
  -- Links that were erased with the documents they are about.
  erased_links integer not null default 0, prompt_tokens integer not null, completion_tokens integer not null,
  asked_at timestamptz not null,
  -- Other documents of which the questions showed something, and whether that was the whole case.
  shown text[] not null default '{}', whole_case boolean,
  primary key (tenant_id, scope_no, generation, document_id, revision)
);

-- Documents of which models were sent something: by the document that was asked about (the document itself too) and the model, with when that was
-- last. Written before a question is sent, and nothing that comes of it takes it back: a row goes when the document it tells of is erased, not with
-- the one that was asked about. Rows, because a list in each reading would have to be
-- searched through all readings of the case, 0.2 seconds for 3,000 of 300 documents each: row-level security keeps `?` and `@>` from using an
-- index. Here the same takes 5 ms, for 300 bytes an entry.
create table documents_sent (
  tenant_id text not null, scope_no bigint not null, generation integer not null, document_id text not null,
  asked_id text not null, asked_revision integer not null, model text not null,
  -- Whether the question showed the whole case.
  whole_case boolean,
  sent_at timestamptz not null,
  primary key (tenant_id, scope_no, generation, document_id, asked_id, asked_revision, model)
);

-- Tokens a tenant has spent at the model on its latest day, in UTC, counted when an answer arrives. The rows of model_readings do not tell: they go
-- with their documents, keep what earlier days cost when a document is read again, and are not written when whoever asked was paused or lost its
-- lease.
create table model_usage (
  tenant_id text not null primary key, day date not null, tokens bigint not null check (tokens >= 0)
);

-- How a model did, with these questions, in the last trial that an operator asked for: what certificates say of those that compared their documents.
create table model_trials (
  compared_by text primary key, planted integer not null, named integer not null, judged integer not null, tried_at timestamptz not null
);

-- ---- What documents say ----

create table claims (
  tenant_id text not null, scope_no bigint not null, generation integer not null, claim_no bigint not null,
  claim_id text not null, document_id text not null, revision integer not null, quote text, start_at integer not null,
  end_at integer not null, slot_hash bigint not null, subject text not null, attribute text not null,
  confidence real not null, valid_from date, valid_to date, recorded_at timestamptz not null,
  recorded_round bigint not null, superseded_at timestamptz, superseded_round bigint, superseded_by text,
  superseded_reason text,
  -- The placed claim without its quote, as analysis gave it.
  body json not null, subject_hash bigint,
  -- A claim of a later reading that says what one of the reading before said is the same statement: null where
  -- it is the first to say it, else the number of the claim that was.
  statement_no bigint,
  primary key (tenant_id, scope_no, generation, claim_no)
);
-- Newest first within a slot.
create index claims_slots on claims (tenant_id, scope_no, generation, slot_hash, claim_no) where superseded_at is null;
-- The hash comes first: behind the columns of the primary key the index was also taken by statements that ask for claims by their number, and then
-- read whole scopes.
create index claims_by_subject on claims (subject_hash, tenant_id, scope_no, generation, claim_no);
create index claims_statements on claims (tenant_id, scope_no, generation, statement_no) where statement_no is not null;

-- Claims are asked for by their subject, whatever its case. Under row-level security only operators that leak nothing use an index, and lower() is
-- none: a hash of the subject is compared, then the subject itself. Of immutable parts alone, so that the server puts it into the statement that
-- uses it: called for every claim it took a tenth of the time of writing them. As many bits as a number of ours holds.
create function concord_subject_hash(subject text) returns bigint language sql immutable as $$
  select hashtextextended(lower(subject), 0) >> 11
$$;

-- For those who write claims without it: imports, because lower() may differ between servers.
create function concord_hash_subject() returns trigger language plpgsql as $$
begin
  new.subject_hash := concord_subject_hash(new.subject);
  return new;
end $$;
create trigger hash_subject before insert on claims for each row when (new.subject_hash is null) execute function concord_hash_subject();

-- Words under which the claims of a scope are found: of each admitted document, which of its claims have the word. Under forced row-level security a
-- full-text index is not used, an equality of text is. One row for a word and a revision, named by its first claim; words of the text, erased with
-- the claims.
create table claim_terms (
  tenant_id text not null, scope_no bigint not null, generation integer not null, term text not null,
  first_claim_no bigint not null, claim_nos bigint[] not null,
  primary key (tenant_id, scope_no, generation, term, first_claim_no)
);
-- The number comes first: beginning with the scope it was taken for as good a way to a word as the primary key, and all of a scope was read.
create index claim_terms_revisions on claim_terms (first_claim_no, scope_no, tenant_id, generation);
-- Nothing is asked for by these, and their statistics took a quarter of the time that is spent on those of both tables while they grow.
alter table claim_terms alter column claim_nos set statistics 0;
alter table claims alter column body set statistics 0;

-- Figures of slots with more live claims than a round looks at. Written only by rounds that touch such a slot.
create table slot_crowds (
  tenant_id text not null, scope_no bigint not null, generation integer not null, slot_hash bigint not null,
  slot_key text not null, live integer not null check (live >= 0), best_micros integer not null check (best_micros >= 0),
  primary key (tenant_id, scope_no, generation, slot_hash, slot_key)
);

-- A later resolution revives claims an earlier one retired. What was known in between stays answerable.
create table claim_retirements (
  tenant_id text not null, scope_no bigint not null, generation integer not null, claim_no bigint not null,
  superseded_at timestamptz not null, revived_at timestamptz not null, superseded_by text, superseded_reason text,
  primary key (tenant_id, scope_no, generation, claim_no, superseded_at)
);

create table goals (
  tenant_id text not null, scope_no bigint not null, generation integer not null, document_id text not null,
  revision integer not null, ordinal integer not null, live boolean not null default true, quote text,
  start_at integer not null, end_at integer not null, what text, owner text, due text, done boolean not null,
  round bigint not null,
  primary key (tenant_id, scope_no, generation, document_id, revision, ordinal)
);
-- The summary shows what is undone and what is most severe without reading all of a scope.
create index goals_live on goals (tenant_id, scope_no, generation, done) where live;

create table risks (
  tenant_id text not null, scope_no bigint not null, generation integer not null, document_id text not null,
  revision integer not null, ordinal integer not null, live boolean not null default true, quote text,
  start_at integer not null, end_at integer not null, what text,
  level text not null check (level in ('low', 'medium', 'high', 'critical')), round bigint not null,
  primary key (tenant_id, scope_no, generation, document_id, revision, ordinal)
);
create index risks_live on risks (tenant_id, scope_no, generation, level) where live;

-- ---- Findings and what people said of them ----

create table contradictions (
  tenant_id text not null, scope_no bigint not null, generation integer not null, contradiction_no bigint not null,
  contradiction_id text not null, status text not null check (status in ('open', 'resolved', 'dismissed')),
  kind text not null check (kind in ('numeric', 'categorical', 'negation', 'date', 'reported')),
  severity text not null check (severity in ('low', 'medium', 'high', 'critical')), slot_hash bigint, slot_key text,
  group_a text, group_b text, subject text, attribute text, reason text not null,
  -- For reported ones: what was handed in, {claim_a, claim_b, source_a, source_b, round}.
  reported json, detected_at timestamptz not null, detected_round bigint not null, resolution json, resolved_at timestamptz,
  -- Why two claims were taken to speak of the same thing. Words of the texts: erased with the quotes.
  evidence json,
  -- Who found it: null for the rules, model:<name> for a model, with how sure it was.
  found_by text, confidence real,
  -- What closed without anybody's word has a column of its own: who decided is what people call themselves.
  closed_itself boolean not null default false,
  -- Until a later comparison of both sides does not find it again, or a person takes back what made it. What is no longer in force never opens by
  -- itself.
  in_force boolean not null default true,
  primary key (tenant_id, scope_no, generation, contradiction_no),
  unique (tenant_id, contradiction_id),
  constraint contradictions_closed_itself check (not closed_itself or status = 'resolved')
);
create index contradictions_open on contradictions (tenant_id, scope_no, generation, contradiction_no) where status = 'open';
create index contradictions_dismissed on contradictions (tenant_id, scope_no, generation, contradiction_no) where status = 'dismissed';
create index contradictions_slots on contradictions (tenant_id, scope_no, generation, slot_hash, contradiction_no);
-- Certificates list what people left disputed.
create index contradictions_disputed on contradictions (tenant_id, scope_no, generation, contradiction_no)
  where status = 'resolved' and resolution->>'verdict' = 'disputed';

-- The time the rows of this transaction are recorded at. Null outside an act: chores that remove rows leave no history.
create function concord_recorded_at() returns timestamptz language sql stable as $$
  select nullif(current_setting('concord.recorded_at', true), '')::timestamptz
$$;

-- Which claims stand on which side, and since when; lead marks the claim shown as a or b, the others are supporters.
create table contradiction_sides (
  tenant_id text not null, scope_no bigint not null, generation integer not null, contradiction_no bigint not null,
  side text not null check (side in ('a', 'b')), claim_no bigint not null, lead boolean not null default false,
  in_force boolean not null default true, since timestamptz not null default coalesce(concord_recorded_at(), clock_timestamp()),
  primary key (tenant_id, scope_no, generation, contradiction_no, side, claim_no)
);
create index contradiction_sides_claims on contradiction_sides (tenant_id, scope_no, generation, claim_no, contradiction_no);

-- Two live claims that may disagree, but not surely enough to say so. Open until a person promotes or dismisses it, or until a claim of it ends: then
-- it is dismissed by the system, and opens again should the claim count again.
create table possible_conflicts (
  tenant_id text not null, scope_no bigint not null, generation integer not null, possible_no bigint not null,
  possible_conflict_id text not null,
  -- Cleared: of the rules, found compatible by a model. Nobody is asked, and anybody who may decide can open it again.
  status text not null check (status in ('open', 'promoted', 'dismissed', 'cleared')),
  kind text not null check (kind in ('numeric', 'categorical', 'negation', 'date')),
  severity text not null check (severity in ('low', 'medium', 'high', 'critical')),
  -- Millionths, so that places in the list compare exactly.
  score_micros integer not null check (score_micros between 0 and 1000000), claim_a bigint not null,
  claim_b bigint not null,
  -- For the contradiction it may become.
  slot_key text, group_a text, group_b text, reason text not null, evidence json, detected_at timestamptz not null,
  detected_round bigint not null,
  -- {verdict, reason, by, decided_at, round}; null while open.
  decision json,
  -- The contradiction it became.
  contradiction_no bigint, found_by text, closed_itself boolean not null default false,
  -- That its second claim takes the place of the first, which a person is asked to decide; null where the two may contradict each other.
  proposes text check (proposes in ('replacement')), in_force boolean not null default true,
  primary key (tenant_id, scope_no, generation, possible_no),
  unique (tenant_id, possible_conflict_id),
  check ((status = 'open') = (decision is null)),
  check ((status = 'promoted') = (contradiction_no is not null)),
  constraint possible_conflicts_closed_itself check (not closed_itself or status = 'dismissed')
);
create index possible_conflicts_best on possible_conflicts (tenant_id, scope_no, generation, score_micros desc, possible_no);
create index possible_conflicts_open on possible_conflicts (tenant_id, scope_no, generation, score_micros desc, possible_no) where status = 'open';
create index possible_conflicts_a on possible_conflicts (tenant_id, scope_no, generation, claim_a);
create index possible_conflicts_b on possible_conflicts (tenant_id, scope_no, generation, claim_b);
create index possible_conflicts_promoted on possible_conflicts (tenant_id, scope_no, generation, contradiction_no) where contradiction_no is not null;

-- What replaced what. A claim may be replaced by several; it counts again once a person objects.
create table supersessions (
  tenant_id text not null, scope_no bigint not null, generation integer not null, supersession_no bigint not null,
  supersession_id text not null, status text not null check (status in ('standing', 'objected', 'withdrawn')),
  kind text not null check (kind in ('words', 'later_issue', 'revision')), claim_no bigint not null,
  by_claim_no bigint not null, reason text not null, evidence json, detected_at timestamptz not null,
  detected_round bigint not null,
  -- {reason, by, decided_at, round}; null while nobody objects.
  objection json,
  -- The contradiction the objection made of it; null where the replacing claim had ended itself.
  contradiction_no bigint, found_by text,
  primary key (tenant_id, scope_no, generation, supersession_no),
  unique (tenant_id, supersession_id),
  check ((status = 'objected') = (objection is not null))
);
create unique index supersessions_pairs on supersessions (tenant_id, scope_no, generation, claim_no, by_claim_no);
-- What hangs on the claims of a document is found from them.
create index supersessions_by on supersessions (tenant_id, scope_no, generation, by_claim_no);
create index supersessions_objected on supersessions (tenant_id, scope_no, generation, contradiction_no) where contradiction_no is not null;

-- What findings were before: their state, and who stood on their sides, until a recorded act changed it. Questions about what was known then are
-- answered from here, as those about claims are from claim_retirements.
create table finding_history (
  tenant_id text not null, scope_no bigint not null, generation integer not null,
  -- The table the finding is in, and its number there.
  finding text not null check (finding in ('contradictions', 'possible_conflicts', 'supersessions')), finding_no bigint not null,
  until timestamptz not null,
  -- The columns that an act can change, as they were.
  state jsonb not null,
  primary key (tenant_id, scope_no, generation, finding, finding_no, until)
);

create table side_history (
  tenant_id text not null, scope_no bigint not null, generation integer not null, contradiction_no bigint not null,
  side text not null check (side in ('a', 'b')), claim_no bigint not null, lead boolean not null,
  since timestamptz not null, until timestamptz not null,
  primary key (tenant_id, scope_no, generation, contradiction_no, side, claim_no, until)
);

-- The first state of a transaction is kept: what lies between two changes of one act, nobody saw.
create function concord_keep_finding() returns trigger language plpgsql as $$
begin
  insert into finding_history (tenant_id, scope_no, generation, finding, finding_no, until, state)
  select old.tenant_id, old.scope_no, old.generation, tg_table_name, (o.columns ->> tg_argv[0])::bigint, concord_recorded_at(),
    (select jsonb_object_agg(e.key, e.value) from jsonb_each(o.columns) e where e.key = any (tg_argv))
  from (select to_jsonb(old) as columns) o where concord_recorded_at() is not null
  on conflict do nothing;
  return null;
end $$;

-- Reasons are blanked when a document is erased, which changes nothing that was decided; retired is a list of our own.
create trigger keep_finding after update on contradictions for each row
  when ((old.status, old.closed_itself, old.resolved_at, old.resolution::jsonb - 'reason' - 'retired')
    is distinct from (new.status, new.closed_itself, new.resolved_at, new.resolution::jsonb - 'reason' - 'retired'))
  execute function concord_keep_finding('contradiction_no', 'status', 'closed_itself', 'resolved_at', 'resolution');
create trigger keep_finding after update on possible_conflicts for each row
  when ((old.status, old.contradiction_no, old.claim_a, old.claim_b, old.decision::jsonb - 'reason')
    is distinct from (new.status, new.contradiction_no, new.claim_a, new.claim_b, new.decision::jsonb - 'reason'))
  execute function concord_keep_finding('possible_no', 'status', 'closed_itself', 'contradiction_no', 'claim_a', 'claim_b', 'decision');
create trigger keep_finding after update on supersessions for each row
  when ((old.status, old.contradiction_no, old.claim_no, old.by_claim_no, old.objection::jsonb - 'reason')
    is distinct from (new.status, new.contradiction_no, new.claim_no, new.by_claim_no, new.objection::jsonb - 'reason'))
  execute function concord_keep_finding('supersession_no', 'status', 'contradiction_no', 'claim_no', 'by_claim_no', 'objection');

create function concord_keep_side() returns trigger language plpgsql as $$
begin
  insert into side_history (tenant_id, scope_no, generation, contradiction_no, side, claim_no, lead, since, until)
  select old.tenant_id, old.scope_no, old.generation, old.contradiction_no, old.side, old.claim_no, old.lead, old.since, concord_recorded_at()
  where concord_recorded_at() is not null
  on conflict do nothing;
  if tg_op = 'DELETE' then return old; end if;
  new.since := coalesce(concord_recorded_at(), old.since);
  return new;
end $$;
create trigger keep_side before delete on contradiction_sides for each row execute function concord_keep_side();
create trigger keep_side_led before update of lead on contradiction_sides for each row when (old.lead <> new.lead)
  execute function concord_keep_side();

-- Who is to look at a contradiction, and until when. What was taken back, or given to somebody else, stays on record.
create table assignments (
  tenant_id text not null, scope_no bigint not null, generation integer not null, contradiction_no bigint not null,
  -- Counts those of the contradiction.
  assignment_no integer not null, assigned_to text not null, due date,
  -- Null where nobody was named and the key is nobody's.
  assigned_by text,
  -- Whether the key vouched for who did it.
  assigned_bound boolean not null, assigned_at timestamptz not null default clock_timestamp(),
  ended_by text, ended_at timestamptz,
  primary key (tenant_id, scope_no, generation, contradiction_no, assignment_no)
);
create unique index assignments_standing on assignments (tenant_id, scope_no, generation, contradiction_no) where ended_at is null;

-- What people write to each other about a contradiction. Never changed; erasing a document of the contradiction blanks the words.
create table comments (
  tenant_id text not null, scope_no bigint not null, generation integer not null, contradiction_no bigint not null,
  -- Counts those of the contradiction.
  comment_no integer not null, comment_id text not null, said_by text not null, said_bound boolean not null,
  -- Null once erased.
  text text, said_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, scope_no, generation, contradiction_no, comment_no),
  unique (tenant_id, comment_id)
);

-- When somebody last looked at a case, and where its log stood then: what changed since is told from there. A visit goes on until nobody has looked for a while.
create table visits (
  tenant_id text not null, scope_no bigint not null, generation integer not null,
  -- The person where one is known, else the key.
  visitor text not null, seq bigint not null, seen_at timestamptz not null default clock_timestamp(),
  -- Of the visit before.
  before_seq bigint, before_at timestamptz,
  primary key (tenant_id, scope_no, generation, visitor)
);

-- ---- Rounds, decisions, policies, certificates ----

-- What processing knows about a scope between rounds; one row, written in every commit.
create table scope_states (
  tenant_id text not null, scope_no bigint not null, generation integer not null, round bigint not null default 0,
  next_claim_no bigint not null default 0, next_contradiction_no bigint not null default 0,
  next_possible_no bigint not null default 0,
  -- Rounds move these by what changes. One that would count less than nothing is not written: its figures are not those of the rows.
  aggregates json not null check (not jsonb_path_exists(aggregates::jsonb, '$.** ? (@ < 0)')),
  -- Head of the decision chain.
  decision_seq bigint not null default 0, decision_hash text not null, drift json, convergence json,
  finality text not null default 'active' check (finality in ('active', 'review', 'resolved', 'escalated', 'blocked')),
  gates json not null default '[]', updated_at timestamptz not null default clock_timestamp(),
  -- Rolling SHA-256 over the admitted claims, and the policy sets decisions were made under.
  claims_digest text not null default '', policy_hashes json not null default '[]',
  -- Holds of resolutions and settings that wait for a person.
  pending integer not null default 0 check (pending >= 0), next_supersession_no bigint not null default 0,
  -- How many documents each version of the reader has read, of those that count.
  readers json not null default '{}',
  -- The last round after which something else counted: sign-offs from before it cover what counts no more.
  changed_round bigint not null default 0,
  -- Passages take disk too, with their words: they count towards the limit of bytes.
  passages bigint not null default 0,
  primary key (tenant_id, scope_no, generation)
) with (fillfactor = 50);

-- Every input of a scope in its order: the history of convergence, and what a replay reads.
create table rounds (
  tenant_id text not null, scope_no bigint not null, generation integer not null, round bigint not null, kind text not null,
  document_id text, revision integer, input json not null, point json not null, recorded_at timestamptz not null,
  -- Where the scope was settled until then: when the first document came that waited. The certificate of the round before was good until that moment.
  waiting_since timestamptz,
  primary key (tenant_id, scope_no, generation, round)
);

create table decisions (
  tenant_id text not null, scope_no bigint not null, generation integer not null, seq bigint not null,
  decision_id text not null, round bigint not null, kind text not null, document_id text, revision integer,
  outcome text not null check (outcome in ('admit', 'hold', 'reject')), policy_hash text not null, policies json not null,
  reasons json not null, obligations json not null, proposal json not null, state json not null,
  proposal_digest text not null, state_digest text not null, prev_hash text not null, hash text not null,
  -- What a hold waits for: pending until a person approves or rejects, or the document moves on without them.
  review text check (review in ('pending', 'approved', 'rejected', 'obsolete')), recorded_at timestamptz not null,
  -- The hash of a decision covers salted digests of its words. Words and salt can be erased, and the chain still verifies.
  reasons_digest text not null, salt text, erased_at timestamptz,
  primary key (tenant_id, scope_no, generation, seq),
  unique (tenant_id, decision_id)
);
create index decisions_pending on decisions (tenant_id, scope_no, generation, seq) where review = 'pending';
-- What people decided is found among one decision of policy for each document.
create index decisions_asked on decisions (tenant_id, scope_no, generation, seq) where kind in ('resolution', 'review', 'settings');

-- Content-addressed and never deleted: a replay uses the recorded hash, not today's set.
create table policy_sets (
  tenant_id text not null references tenants, hash text not null, policies text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, hash)
);

-- scope_no 0 is the tenant's own default; tenant '-' the service's.
create table policy_assignments (
  tenant_id text not null, scope_no bigint not null, hash text not null,
  changed_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, scope_no),
  foreign key (tenant_id, hash) references policy_sets (tenant_id, hash)
);

-- Who examined what a scope certifies. A sign-off is a dated statement about a fixed set, never altered: withdrawing one is written beside it, and
-- erasing a document blanks reasons alone.
create table sign_offs (
  tenant_id text not null, scope_no bigint not null, generation integer not null, round bigint not null,
  sign_off_id text not null, decision_id text not null,
  -- As given, and as different people are told apart.
  signed_by text not null, person text not null,
  -- The key vouched for the name: it was that person's alone.
  bound boolean not null, reason text not null, signed_at timestamptz not null,
  -- Documents by revision and digest, what counted and what was left open.
  covers json not null,
  -- Documents without a reading, each with how it was dealt with and why.
  unread json not null,
  -- Who took it back, when, why and in which round.
  withdrawn json,
  primary key (tenant_id, scope_no, generation, round)
);
create unique index sign_offs_id on sign_offs (tenant_id, sign_off_id);

create table certificates (
  tenant_id text not null, scope_no bigint not null, generation integer not null, round bigint not null,
  certificate_id text not null, kid text not null, certificate text not null, issued_at timestamptz not null,
  withdrawn_at timestamptz, withdrawn_reason text,
  primary key (tenant_id, scope_no, generation, round),
  unique (tenant_id, certificate_id)
);

create table signing_keys (
  kid text primary key, public_jwk json not null, private_jwk json,
  created_at timestamptz not null default clock_timestamp(), retired_at timestamptz,
  -- Of a signing key that came with a tenant: the tenants whose certificates it may verify. Null for the installation's own keys. Who wrote a tenant's
  -- file holds the private part, and could sign in the name of everybody.
  tenants text[]
);

-- What the digests of certificates stand for, kept as sums that members are added to and taken from (kernel/set-digest), so that a commit that
-- settles a scope of many documents reads what changed since its last certificate and not all of them. Only lists with more members than a
-- certificate names are kept, from the first certificate on: changes of all other scopes leave nothing here.
create table certificate_lists (
  tenant_id text not null, scope_no bigint not null, generation integer not null,
  list text not null check (list in ('documents', 'unread', 'possible', 'supersessions')),
  sum bytea not null check (octet_length(sum) = 2048),
  -- How many members by what they count as: the reader, its version and the model, or the state.
  counts json not null,
  primary key (tenant_id, scope_no, generation, list)
);
-- The sums change with every certificate and are as random as digests are.
alter table certificate_lists alter column sum set storage external;

create table certificate_changes (
  tenant_id text not null, scope_no bigint not null, generation integer not null,
  id bigint not null generated always as identity, list text not null, counted text not null, member json not null,
  added boolean not null,
  primary key (tenant_id, scope_no, generation, id)
);

-- The list a revision is in. No certificate is issued while a document waits for its reading, so those are in none.
create function concord_document_list(current boolean, status text, text_hash bytea, erased_at timestamptz) returns text language sql immutable as $$
  select case
    when not current or erased_at is null and status in ('queued', 'processing', 'held') then null
    when status = 'indexed' and text_hash is not null and erased_at is null then 'documents'
    else 'unread' end
$$;

-- A certificate names the documents it does not rest on: few, found among any number of others.
create index documents_unread on documents (tenant_id, scope_no, generation, document_id)
  where concord_document_list(current, status, text_hash, erased_at) = 'unread';

create function concord_document_member(list text, document_id text, revision integer, status text, text_hash bytea, erased_at timestamptz)
  returns json language sql immutable as $$
  select case list
    when 'documents' then json_build_object('document_id', document_id, 'revision', revision, 'sha256', encode(text_hash, 'hex'))
    -- Indexed without a text: others have processed it.
    else json_build_object('document_id', document_id, 'revision', revision, 'status',
      case when erased_at is not null then 'erased' when status = 'indexed' then 'elsewhere' else status end) end
$$;

-- Certificates count documents by reader, version and model, and those without a reading by state. What was rejected is no part of the case.
create function concord_document_counted(list text, extractor text, extractor_version text, compared_model text, status text, text_hash bytea,
  erased_at timestamptz) returns text language sql immutable as $$
  select case list
    when 'documents' then json_build_array(coalesce(extractor, ''), coalesce(extractor_version, ''), compared_model)::text
    when 'unread' then case when erased_at is not null then 'erased' when status = 'indexed' then 'elsewhere' else status end
    else '' end
$$;

create function concord_note_document() returns trigger language plpgsql as $$
declare
  of_row documents;
  is_added boolean;
begin
  foreach is_added in array case tg_op when 'UPDATE' then array[false, true] else array[true] end loop
    of_row := case when is_added then new else old end;
    continue when of_row.status = 'rejected' and of_row.erased_at is null;
    insert into certificate_changes (tenant_id, scope_no, generation, list, counted, member, added)
    select l.tenant_id, l.scope_no, l.generation, l.list, concord_document_counted(l.list, of_row.extractor, of_row.extractor_version,
        of_row.compared_model, of_row.status, of_row.text_hash, of_row.erased_at),
      concord_document_member(l.list, of_row.document_id, of_row.revision, of_row.status, of_row.text_hash, of_row.erased_at), is_added
    from certificate_lists l
    where l.tenant_id = of_row.tenant_id and l.scope_no = of_row.scope_no and l.generation = of_row.generation
      and l.list = concord_document_list(of_row.current, of_row.status, of_row.text_hash, of_row.erased_at);
  end loop;
  return null;
end $$;
-- Documents on their way to their reading call nothing; the conditions are evaluated without a call.
create trigger note_document after insert on documents for each row
  when (concord_document_list(new.current, new.status, new.text_hash, new.erased_at) is not null)
  execute function concord_note_document();
create trigger note_document_changed after update on documents for each row
  when ((concord_document_list(old.current, old.status, old.text_hash, old.erased_at) is not null
      or concord_document_list(new.current, new.status, new.text_hash, new.erased_at) is not null)
    and (old.current, old.status, old.text_hash, old.erased_at, old.extractor, old.extractor_version, old.compared_model)
      is distinct from (new.current, new.status, new.text_hash, new.erased_at, new.extractor, new.extractor_version, new.compared_model))
  execute function concord_note_document();

create function concord_note_finding() returns trigger language plpgsql as $$
declare
  of_list text := tg_argv[0];
  finding_id text;
  was text;
  state text;
begin
  if of_list = 'possible' then
    finding_id := new.possible_conflict_id;
    state := case when new.closed_itself then 'closed' else new.status end;
    if tg_op = 'UPDATE' then was := case when old.closed_itself then 'closed' else old.status end; end if;
  else
    finding_id := new.supersession_id;
    state := nullif(new.status, 'withdrawn');
    if tg_op = 'UPDATE' then was := nullif(old.status, 'withdrawn'); end if;
  end if;
  if was is distinct from state then
    insert into certificate_changes (tenant_id, scope_no, generation, list, counted, member, added)
    select l.tenant_id, l.scope_no, l.generation, l.list, m.state, json_build_object('id', finding_id, 'state', m.state), m.added
    from certificate_lists l cross join (values (was, false), (state, true)) m (state, added)
    where l.tenant_id = new.tenant_id and l.scope_no = new.scope_no and l.generation = new.generation and l.list = of_list and m.state is not null;
  end if;
  return null;
end $$;
create trigger note_finding after insert or update of status, closed_itself on possible_conflicts for each row execute function concord_note_finding('possible');
create trigger note_finding after insert or update of status on supersessions for each row execute function concord_note_finding('supersessions');

-- ---- Events ----

-- The event log. Scope streams read by seq; the kernel stream by (xid, id) below the oldest running transaction.
create table events (
  tenant_id text not null, scope_no bigint not null, seq bigint not null, xid xid8 not null default pg_current_xact_id(),
  id bigint generated always as identity, type text not null, subject text, data json not null,
  time timestamptz not null default clock_timestamp(),
  primary key (tenant_id, scope_no, seq)
);
create index events_commit_order on events (xid, id);

-- Numbers the events of the service and of tenants as a whole (scope_no 0), which appear on the kernel stream only.
create sequence service_events;

-- The newest event removed by retention, in commit order: readers of the kernel stream that ask for less get a gap.
create table event_horizon (
  singleton boolean primary key default true check (singleton), xid xid8 not null default '0', id bigint not null default 0,
  -- Places in the log of everything are transaction ids of the cluster plus this base. It is raised when the rows were restored into a cluster whose
  -- ids are lower (`src/store/events/log-base.ts`), together with the default of events.xid.
  xid_base bigint not null default 0,
  -- Ids of events are made with this key, the same on every node. Made without one, they could be traced to the numbers of scopes and events, which
  -- tell how much other tenants do.
  id_key text not null default gen_random_uuid()::text || gen_random_uuid()::text
);

-- Moves documents of one scope between states, with one event each and the counts of current revisions; the caller holds the scope's lock. Rows are
-- told by revision; p_events is the data of each event, complete and without names, so that they can be erased.
create function concord_move_documents(
  of_tenant text, of_scope bigint, of_generation integer, p_documents text[], p_revisions integer[], p_from text, p_to text, p_type text, p_events text[]
) returns integer language plpgsql as $$
declare
  moved integer;
  first_seq bigint;
begin
  with told as (
    select t.document_id, t.revision from unnest(p_documents, p_revisions) as t (document_id, revision)
  ), changed as (
    update documents d set status = p_to,
      started_at = case when p_to = 'processing' then clock_timestamp() else d.started_at end,
      finished_at = case when p_to = 'quarantined' then clock_timestamp() else d.finished_at end
    from told t
    where d.tenant_id = of_tenant and d.scope_no = of_scope and d.generation = of_generation
      and d.document_id = t.document_id and d.revision = t.revision and d.status = p_from
    returning d.current
  ), counted as (
    select count(*) as all_rows, count(*) filter (where current) as current_rows from changed
  )
  update scope_heads h set
    next_seq = h.next_seq + cardinality(p_events),
    queued = h.queued + case when p_to = 'queued' then c.current_rows when p_from = 'queued' then -c.current_rows else 0 end,
    processing = h.processing + case when p_to = 'processing' then c.current_rows when p_from = 'processing' then -c.current_rows else 0 end,
    quarantined = h.quarantined + case when p_to = 'quarantined' then c.current_rows when p_from = 'quarantined' then -c.current_rows else 0 end
  from counted c
  where h.tenant_id = of_tenant and h.scope_no = of_scope
  returning h.next_seq - cardinality(p_events), c.all_rows into first_seq, moved;
  if moved is distinct from cardinality(p_documents) then
    raise exception 'a document is not in the state % it was to leave', p_from using errcode = 'CD001';
  end if;
  insert into events (tenant_id, scope_no, seq, type, subject, data)
  select of_tenant, of_scope, first_seq + e.place - 1, p_type, e.document_id, e.data::json
  from unnest(p_documents, p_events) with ordinality as e (document_id, data, place) order by e.place;
  return moved;
end $$;

-- ---- What each tenant uses ----

-- Kept by the transactions that change it: quotas and totals read a few rows, however many scopes there are. A change is a row of its own, or all
-- flushes of a tenant would wait for one row; the leader adds them up.
create table tenant_usage (
  tenant_id text not null, id bigint not null generated always as identity, scopes bigint not null,
  documents bigint not null, bytes bigint not null, derived_bytes bigint not null, review bigint not null,
  resolved bigint not null, escalated bigint not null, blocked bigint not null,
  primary key (tenant_id, id)
);

create function concord_note_state() returns trigger language plpgsql as $$
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
create trigger note_state after insert or update on scope_states for each row execute function concord_note_state();

create function concord_note_usage() returns trigger language plpgsql as $$
declare
  sign integer := case tg_op when 'INSERT' then 1 else -1 end;
  head scope_heads := case tg_op when 'INSERT' then new else old end;
begin
  insert into tenant_usage (tenant_id, scopes, documents, bytes, derived_bytes, review, resolved, escalated, blocked) values (head.tenant_id, sign,
    sign * (head.registered + head.attached + head.queued + head.processing + head.indexed + head.held + head.rejected + head.quarantined),
    sign * head.bytes, sign * head.derived_bytes, sign * (head.finality = 'review')::int, sign * (head.finality = 'resolved')::int,
    sign * (head.finality = 'escalated')::int, sign * (head.finality = 'blocked')::int);
  return null;
end $$;
create trigger note_usage after insert or delete on scope_heads for each row execute function concord_note_usage();

-- One row of usage for each tenant of a statement, with what changed: each scope of a flush had left two, before and after.
create function concord_note_usage_changed() returns trigger language plpgsql as $$
begin
  insert into tenant_usage (tenant_id, scopes, documents, bytes, derived_bytes, review, resolved, escalated, blocked)
  select c.tenant_id, 0, sum(c.documents), sum(c.bytes), sum(c.derived_bytes), sum(c.review), sum(c.resolved), sum(c.escalated), sum(c.blocked)
  from (
    select r.tenant_id, sign * (r.registered + r.attached + r.queued + r.processing + r.indexed + r.held + r.rejected + r.quarantined) as documents,
      sign * r.bytes as bytes, sign * r.derived_bytes as derived_bytes, sign * (r.finality = 'review')::int as review,
      sign * (r.finality = 'resolved')::int as resolved, sign * (r.finality = 'escalated')::int as escalated,
      sign * (r.finality = 'blocked')::int as blocked
    from (select *, 1 as sign from after_rows union all select *, -1 from before_rows) r
  ) c
  group by c.tenant_id
  having (sum(c.documents), sum(c.bytes), sum(c.derived_bytes), sum(c.review), sum(c.resolved), sum(c.escalated), sum(c.blocked))
    <> (0, 0, 0, 0, 0, 0, 0);
  return null;
end $$;
create trigger note_usage_changed after update on scope_heads referencing old table as before_rows new table as after_rows
  for each statement execute function concord_note_usage_changed();

-- Adds the rows of a tenant up to one. Answers how many tenants had more than one.
create function concord_add_up_usage(p_limit integer) returns integer language sql as $$
  with many as (
    -- What a deleted tenant has left is removed with it, and not added up meanwhile.
    select u.tenant_id from tenant_usage u join tenants t on t.tenant_id = u.tenant_id and t.deleted_at is null
    group by u.tenant_id having count(*) > 1 order by u.tenant_id limit p_limit
  ), gone as (
    -- A part of them adds up as well: what piled up without a leader goes in many short statements.
    delete from tenant_usage where ctid = any (array(select u.ctid from tenant_usage u join many m using (tenant_id) limit 20000)) returning *
  ), kept as (
    insert into tenant_usage (tenant_id, scopes, documents, bytes, derived_bytes, review, resolved, escalated, blocked)
    select tenant_id, sum(scopes), sum(documents), sum(bytes), sum(derived_bytes), sum(review), sum(resolved), sum(escalated), sum(blocked)
    from gone group by tenant_id
  )
  select count(*)::integer from many
$$;

-- What is made of texts takes disk too, often more than the texts, and so do uploads: they count towards the limit of bytes.
create function concord_usage(of_tenant text, out documents bigint, out bytes bigint, out scopes bigint, out derived_bytes bigint)
  language sql stable as $$
  select coalesce(sum(u.documents), 0)::bigint,
    (coalesce(sum(u.bytes + u.derived_bytes), 0) + coalesce((select sum(f.bytes) from uploads f where f.tenant_id = of_tenant), 0))::bigint,
    coalesce(sum(u.scopes), 0)::bigint, coalesce(sum(u.derived_bytes), 0)::bigint
  from tenant_usage u where u.tenant_id = of_tenant
$$;

-- The first half of the key of quota locks. They are taken after the locks of scopes, in order of tenants.
create function concord_lock_quota(of_tenant text) returns void language sql as $$
  select pg_advisory_xact_lock(1853187693, hashtext(of_tenant))
$$;

-- Which of the limits more than what is used would break, or null. What adds nothing breaks none.
create function concord_broken_limit(
  limits jsonb, documents bigint, bytes bigint, scopes bigint, more_documents bigint, more_bytes bigint, more_scopes bigint
) returns text language sql immutable as $$
  select case
    when more_documents > 0 and documents + more_documents > (limits ->> 'documents')::bigint then 'documents'
    when more_bytes > 0 and bytes + more_bytes > (limits ->> 'bytes')::bigint then 'bytes'
    when more_scopes > 0 and scopes + more_scopes > (limits ->> 'scopes')::bigint then 'scopes' end
$$;

-- The same of what a tenant is about to add. Locks its usage when it has limits at all; call it after the locks of the scopes.
create function concord_over_quota(of_tenant text, more_documents bigint, more_bytes bigint, more_scopes bigint) returns text language plpgsql as $$
declare
  kept jsonb := (select limits from tenants where tenant_id = of_tenant);
  used record;
begin
  if not kept ?| array['documents', 'bytes', 'scopes'] then return null; end if;
  perform concord_lock_quota(of_tenant);
  select * into used from concord_usage(of_tenant);
  return concord_broken_limit(kept, used.documents, used.bytes, used.scopes, more_documents, more_bytes, more_scopes);
end $$;

-- ---- Scopes made on first use, and group commit ----

-- Makes a scope with its head and its lease, from its tombstone where there is one. No row when the name is in use.
create function concord_make_scope(of_tenant text, of_scope text, p_display_name text, p_mode text) returns setof scopes language plpgsql as $$
declare
  before scope_tombstones;
  made scopes;
begin
  select * into before from scope_tombstones t where t.tenant_id = of_tenant and t.scope_id = of_scope;
  insert into scopes (tenant_id, scope_id, scope_no, display_name, mode, generation, version, chain_hash, oldest_generation, reset_at)
    overriding system value values (of_tenant, of_scope, coalesce(before.scope_no, nextval(pg_get_serial_sequence('scopes', 'scope_no'))),
      p_display_name, p_mode, coalesce(before.generation, 1), coalesce(before.version, 0), before.chain_hash, coalesce(before.generation, 1),
      before.deleted_at)
    on conflict do nothing returning * into made;
  if not found then return; end if;
  if exists (
    select from scope_tombstones t where t.tenant_id = of_tenant and t.scope_id = of_scope
      and (t.scope_no <> made.scope_no or t.generation <> made.generation)
  ) then
    raise exception 'the scope was made and deleted meanwhile' using errcode = '40001';
  end if;
  -- Retention may have removed events of the deletion since.
  insert into scope_heads (tenant_id, scope_no, next_seq, oldest_seq) values (of_tenant, made.scope_no, coalesce(before.next_seq, 0), coalesce(
    (select min(e.seq) from events e where e.tenant_id = of_tenant and e.scope_no = before.scope_no and e.seq >= before.oldest_seq), before.next_seq, 0));
  insert into scope_leases (tenant_id, scope_no, fence) values (of_tenant, made.scope_no, coalesce(before.fence, 0));
  return next made;
end $$;

-- Bounds every wait for a lock in this transaction of ingest, which fails with 55P03 then. What a long act of one tenant holds beside its scope must
-- not keep the documents of others waiting; who is patient gives up before the statement is cancelled, which would be said of storage itself.
create function concord_bound_locks(p_patient boolean) returns void language plpgsql as $$
begin
  perform set_config(
    'lock_timeout',
    case when p_patient then (extract(epoch from current_setting('statement_timeout')::interval) * 1000 / 2)::bigint::text else '500' end,
    true);
end $$;

-- Makes the scopes that are missing, in a transaction of its own before the documents': a transaction that waits for another to make the same scope
-- already has its transaction id, and would then append out of commit order. scope.created is an event of the tenant, so that the log of a scope
-- begins with its first document. Answers one of made, exists, quota or tenant for each. A tenant is seen alive behind the lock that removing a
-- deleted one waits for: a text that came while its tenant was deleted and cleared left an empty scope behind. The lock is taken for scopes to be
-- made alone: texts for scopes that exist wait for nothing new.
create function concord_make_scopes(p_tenants text[], p_scopes text[], p_patient boolean default true) returns json language plpgsql as $$
declare
  answers text[] := array_fill(null::text, array[cardinality(p_tenants)]);
  asked record;
begin
  perform concord_bound_locks(p_patient);
  for asked in
    select t.n::int as n, t.tenant_id, t.scope_id
    from unnest(p_tenants, p_scopes) with ordinality as t(tenant_id, scope_id, n) order by t.tenant_id, t.scope_id
  loop
    if exists (select from scopes where tenant_id = asked.tenant_id and scope_id = asked.scope_id) then
      answers[asked.n] := 'exists';
      continue;
    end if;
    perform concord_lock_quota(asked.tenant_id);
    if not exists (select from tenants where tenant_id = asked.tenant_id and deleted_at is null) then answers[asked.n] := 'tenant'; continue; end if;
    if concord_over_quota(asked.tenant_id, 0, 0, 1) is not null then
      answers[asked.n] := 'quota';
      continue;
    end if;
    perform from concord_make_scope(asked.tenant_id, asked.scope_id, null, 'auto');
    if not found then answers[asked.n] := 'exists'; continue; end if;
    insert into events (tenant_id, scope_no, seq, type, data)
      values (asked.tenant_id, 0, nextval('service_events'), 'scope.created', json_build_object('scope_id', asked.scope_id));
    answers[asked.n] := 'made';
  end loop;
  return to_json(answers);
end $$;

-- Rows of tenants with limits that would break one become quota:<limit>, row by row in their order: a row that is too large does not fail the smaller
-- ones behind it. A new revision adds bytes but no document. Rows that wait for their scope count as well, after those that have one.
create function concord_refuse_over_quota(
  outcomes text[], p_tenants text[], p_scopes text[], p_targets int[], p_documents text[], p_texts text[]
) returns text[]
  language plpgsql as $$
declare
  limited record;
  r record;
  used record;
  more integer;
  broken text;
  seen text[];
begin
  for limited in
    select tenant_id, limits from tenants where tenant_id = any (p_tenants) and limits ?| array['documents', 'bytes'] order by tenant_id
  loop
    perform concord_lock_quota(limited.tenant_id);
    select * into used from concord_usage(limited.tenant_id);
    seen := '{}';
    for r in
      select a.n::int as n, octet_length(a.text) as bytes, a.target || ' ' || a.document_id as place,
        not exists (
          select from documents d where d.tenant_id = s.tenant_id and d.scope_no = s.scope_no and d.generation = s.generation
            and d.document_id = a.document_id
        ) as fresh
      from unnest(outcomes, p_targets, p_documents, p_texts) with ordinality as a(outcome, target, document_id, text, n)
      join unnest(p_tenants, p_scopes) with ordinality as t(tenant_id, scope_id, n) on t.n = a.target
      left join scopes s on s.tenant_id = t.tenant_id and s.scope_id = t.scope_id
      -- Also busy ones, or others would be given their room because somebody is at work in their scope.
      where a.outcome in ('queued', 'scope', 'busy') and t.tenant_id = limited.tenant_id
      -- Rows without a scope are written after the others.
      order by a.outcome = 'scope', a.n
    loop
      more := (r.fresh and not r.place = any (seen))::integer;
      broken := concord_broken_limit(limited.limits, used.documents, used.bytes, 0, more, r.bytes, 0);
      if broken is not null then
        outcomes[r.n] := 'quota:' || broken;
      else
        used.bytes := used.bytes + r.bytes;
        used.documents := used.documents + more;
        seen := seen || r.place;
      end if;
    end loop;
  end loop;
  return outcomes;
end $$;

-- Whether a revision only repeats the one before it, so that nothing is read again. The same text about another thing is compared anew, and one under
-- another name, of another type or source (`handed_in`) is read anew: a reader takes who issued a paper, its kind and its form from those.
create function concord_is_unchanged(hash bytea, about text, handed_in text[], hash_before bytea, about_before text, handed_in_before text[],
    status_before text, erased_before timestamptz)
  returns boolean language sql immutable as $$
  select coalesce(hash = hash_before and (about is null or about = about_before) and handed_in = handed_in_before and erased_before is null
    and status_before in ('queued', 'processing', 'indexed'), false)
$$;

-- Writes the rows whose outcome is queued: documents, their events, their places in the backlog, heads and keys. Counts in heads are of current
-- revisions, so a revision that is replaced leaves the count of its state.
create function concord_write_documents(
  outcomes text[], p_tenants text[], p_scopes text[],
  p_targets int[], p_documents text[], p_named boolean[], p_names text[], p_types text[], p_sources text[],
  p_texts text[], p_hashes bytea[], p_keys text[], p_body_hashes bytea[], p_events text[], p_traces text[], p_abouts text[],
  out seqs bigint[], out revisions int[]
)
  language plpgsql as $$
begin
  with target as materialized (
    select t.n, s.tenant_id, s.scope_no, s.generation
    from unnest(p_tenants, p_scopes) with ordinality as t(tenant_id, scope_id, n)
    join scopes s on s.tenant_id = t.tenant_id and s.scope_id = t.scope_id
  ), placed as materialized (
    select r.n, t.tenant_id, t.scope_no, t.generation, r.document_id, r.named, r.hash, r.key, r.body_hash, r.about,
      row_number() over (partition by t.scope_no order by r.n) - 1 as place,
      row_number() over (partition by t.scope_no, r.document_id order by r.n) as nth,
      lag(r.hash) over (partition by t.scope_no, r.document_id order by r.n) as hash_before,
      r.handed_in, lag(r.handed_in) over (partition by t.scope_no, r.document_id order by r.n) as handed_in_before,
      -- What one of the same flush before it is said to be about.
      array_agg(r.about) filter (where r.about is not null)
        over (partition by t.scope_no, r.document_id order by r.n rows between unbounded preceding and 1 preceding) as abouts,
      lead(r.n) over (partition by t.scope_no, r.document_id order by r.n) is null as current
    from (
      select o.*, array[o.name, o.type, o.source] as handed_in
      from unnest(outcomes, p_targets, p_documents, p_named, p_hashes, p_keys, p_body_hashes, p_abouts, p_names, p_types, p_sources)
        with ordinality as o(outcome, target, document_id, named, hash, key, body_hash, about, name, type, source, n)
    ) r
    join target t on t.n = r.target
    where r.outcome = 'queued'
  ), before as materialized (
    -- The current revision of documents that were named by the client; an id made by us cannot exist yet.
    select p.tenant_id, p.scope_no, p.generation, p.document_id, d.revision, d.text_hash, d.handed_in, d.status, d.erased_at,
      case when p_abouts is not null then (
        select e.about from documents e
        where e.tenant_id = p.tenant_id and e.scope_no = p.scope_no and e.generation = p.generation and e.document_id = p.document_id
          and e.about is not null order by e.revision desc limit 1) end as about
    from placed p
    cross join lateral (
      select o.revision, o.text_hash, array[o.name, o.type, o.source] as handed_in, o.status, o.erased_at from documents o
      where o.tenant_id = p.tenant_id and o.scope_no = p.scope_no and o.generation = p.generation and o.document_id = p.document_id
      order by o.revision desc limit 1
    ) d
    where p.named and p.nth = 1
  ), replaced as (
    update documents d set current = false
    from before b
    where d.tenant_id = b.tenant_id and d.scope_no = b.scope_no and d.generation = b.generation
      and d.document_id = b.document_id and d.revision = b.revision
  ), added as materialized (
    select p.scope_no, p.tenant_id, count(*) as events, count(*) filter (where p.current) as documents, sum(octet_length(x.text)) as bytes
    from placed p join unnest(p_texts) with ordinality as x(text, n) on x.n = p.n
    group by p.scope_no, p.tenant_id
  ), left_behind as materialized (
    select scope_no,
      count(*) filter (where status = 'registered') as registered, count(*) filter (where status = 'attached') as attached,
      count(*) filter (where status = 'queued') as queued, count(*) filter (where status = 'processing') as processing,
      count(*) filter (where status = 'indexed') as indexed, count(*) filter (where status = 'held') as held,
      count(*) filter (where status = 'rejected') as rejected, count(*) filter (where status = 'quarantined') as quarantined
    from before group by scope_no
  ), head as materialized (
    update scope_heads h set
      next_seq = h.next_seq + a.events, has_backlog = true, bytes = h.bytes + a.bytes,
      queued = h.queued + a.documents - coalesce(l.queued, 0), registered = h.registered - coalesce(l.registered, 0),
      attached = h.attached - coalesce(l.attached, 0), processing = h.processing - coalesce(l.processing, 0),
      indexed = h.indexed - coalesce(l.indexed, 0), held = h.held - coalesce(l.held, 0),
      rejected = h.rejected - coalesce(l.rejected, 0), quarantined = h.quarantined - coalesce(l.quarantined, 0)
    from added a left join left_behind l on l.scope_no = a.scope_no
    where h.tenant_id = a.tenant_id and h.scope_no = a.scope_no
    returning h.scope_no, h.next_seq - a.events as first_seq
  ), numbered as materialized (
    select p.*, h.first_seq + p.place as seq, (coalesce(b.revision, 0) + p.nth)::int as revision,
      case when p.nth = 1 then concord_is_unchanged(p.hash, p.about, p.handed_in, b.text_hash, b.about, b.handed_in, b.status, b.erased_at)
        else concord_is_unchanged(p.hash, p.about, p.handed_in, p.hash_before, coalesce(p.abouts[cardinality(p.abouts)], b.about), p.handed_in_before,
          'queued', null)
      end as unchanged
    from placed p join head h on h.scope_no = p.scope_no
    left join before b on b.scope_no = p.scope_no and b.document_id = p.document_id
  ), documents_written as (
    insert into documents (tenant_id, scope_no, generation, document_id, revision, current, status, name, type, source, text, text_hash,
      unchanged, seq, queued_at, trace, about)
    select m.tenant_id, m.scope_no, m.generation, m.document_id, m.revision, m.current, 'queued', x.name, x.type, x.source, x.text, m.hash,
      m.unchanged, m.seq, clock_timestamp(), x.trace, m.about
    from numbered m
    join unnest(p_names, p_types, p_sources, p_texts, p_traces) with ordinality as x(name, type, source, text, trace, n) on x.n = m.n
  ), events_written as (
    insert into events (tenant_id, scope_no, seq, type, subject, data)
    select m.tenant_id, m.scope_no, m.seq, 'document.queued', m.document_id,
      (x.data || ',"revision":' || m.revision || ',"unchanged":' || case when m.unchanged then 'true}' else 'false}' end)::json
    from numbered m join unnest(p_events) with ordinality as x(data, n) on x.n = m.n
    order by m.n
  ), backlog_written as (
    insert into backlog (tenant_id, scope_no, seq, generation, document_id, revision)
    select tenant_id, scope_no, seq, generation, document_id, revision from numbered
  ), keys_written as (
    -- In the order of keys, so that two flushes never wait for each other in a circle. A key that another transaction
    -- takes at the same moment (under another scope, else its lock would have kept us apart) violates the unique key:
    -- nothing is written, and the caller runs the flush again. Measured: on conflict do nothing costs a third more.
    insert into idempotency_keys (tenant_id, key, operation, body_hash, scope_no, generation, response)
    select tenant_id, key, 'ingest', body_hash, scope_no, generation, json_build_object('document_id', document_id, 'seq', seq)
    from numbered where key is not null
    order by tenant_id, key
  )
  select array_agg(m.seq order by r.n), array_agg(m.revision order by r.n)
  into seqs, revisions
  from unnest(outcomes) with ordinality as r(outcome, n)
  left join numbered m on m.n = r.n;
end $$;

-- One group commit. Targets are the distinct scopes of the flush, rows its documents in the order they came.
-- Answers for each row [outcome, seq, revision, document_id]; outcome is one of
--   queued, replayed, reused (key used for another request), scope (none of that name), tenant (unknown), quota:<limit>,
--   busy (somebody else holds the lock of its scope: nothing was written, and the caller asks for it again).
-- A flush has rows of many tenants and waits for no scope, or one that is long at work in its scope would hold up all of them, and through the locks
-- the flush has by then everybody else in their scopes. A patient one waits, and has rows of one scope.
--
-- Locks come first and reads in later statements, because a statement that locks and reads sees the time before the
-- lock. Nothing is written before every lock is held: the first write takes the transaction id, which must agree with
-- the order of seq. A flush of replays alone writes nothing.
-- A flush writes only into scopes whose lock it holds. A refused text leaves no empty scope behind: a key that was used before and a limit that is
-- reached are seen before the scope is found missing, since what is missing is then made.
-- p_model_off and p_abouts are null where no document of the flush is kept from models or said to be about something: the others do not pay for it.
create function concord_ingest(
  p_tenants text[], p_scopes text[],
  p_targets int[], p_documents text[], p_named boolean[], p_names text[], p_types text[], p_sources text[],
  p_texts text[], p_hashes bytea[], p_keys text[], p_body_hashes bytea[], p_events text[], p_traces text[], p_model_off boolean[], p_abouts text[],
  p_patient boolean
) returns json language plpgsql as $$
declare
  nos bigint[];
  busy bigint[] := '{}';
  no bigint;
  outcomes text[];
  some_ended boolean;
  seqs bigint[];
  revisions int[];
  answers json;
begin
  perform concord_bound_locks(p_patient);
  select array_agg(distinct s.scope_no order by s.scope_no) into nos
  from unnest(p_tenants, p_scopes) as t(tenant_id, scope_id) join scopes s using (tenant_id, scope_id);
  if nos is not null then
    foreach no in array nos loop
      if p_patient then
        perform pg_advisory_xact_lock(no);
      elsif not pg_try_advisory_xact_lock(no) then
        busy := busy || no;
      end if;
    end loop;
  end if;

  -- What each row is, as seen behind the locks.
  select array_agg(
    case
      when not t.known then 'tenant'
      when k.use in ('replayed', 'reused') then k.use
      -- Also one made since the locks were taken: its lock is not held, so it is answered as missing and written by the next try.
      when t.scope_no is null or t.scope_no <> all (coalesce(nos, '{}')) then 'scope'
      when t.scope_no = any (busy) then 'busy'
      else 'queued'
    end order by r.n), coalesce(bool_or(k.use = 'ended'), false)
  into outcomes, some_ended
  from unnest(p_targets, p_keys, p_body_hashes) with ordinality as r(target, key, body_hash, n)
  join (
    select a.n, a.tenant_id, s.scope_no,
      exists (select from tenants o where o.tenant_id = a.tenant_id and o.deleted_at is null) as known
    from unnest(p_tenants, p_scopes) with ordinality as a(tenant_id, scope_id, n)
    left join scopes s on s.tenant_id = a.tenant_id and s.scope_id = a.scope_id
  ) t on t.n = r.target
  left join lateral concord_key_use(t.tenant_id, r.key, 'ingest', r.body_hash) k on r.key is not null;

  if exists (select from tenants where tenant_id = any (p_tenants) and limits ?| array['documents', 'bytes']) then
    outcomes := concord_refuse_over_quota(outcomes, p_tenants, p_scopes, p_targets, p_documents, p_texts);
  end if;

  if some_ended then
    delete from idempotency_keys where ctid = any (array(
      select i.ctid from unnest(outcomes, p_targets, p_keys) as r(outcome, target, key)
      join idempotency_keys i on i.tenant_id = p_tenants[r.target] and i.key = r.key
      cross join lateral concord_key_use(i.tenant_id, i.key, i.operation, i.body_hash) k where k.use = 'ended' and r.outcome = 'queued'
      order by i.tenant_id, i.key for update of i));
  end if;

  if 'queued' = any (outcomes) then
    select w.seqs, w.revisions into seqs, revisions
    from concord_write_documents(outcomes, p_tenants, p_scopes, p_targets, p_documents, p_named, p_names, p_types, p_sources,
      p_texts, p_hashes, p_keys, p_body_hashes, p_events, p_traces, p_abouts) w;
    if p_model_off is not null then
      insert into model_off (tenant_id, scope_no, generation, document_id)
      select distinct s.tenant_id, s.scope_no, s.generation, r.document_id
      from unnest(outcomes, p_targets, p_documents, p_model_off) as r(outcome, target, document_id, kept_off)
      join scopes s on s.tenant_id = p_tenants[r.target] and s.scope_id = p_scopes[r.target]
      where r.outcome = 'queued' and r.kept_off
      on conflict do nothing;
    end if;
  end if;

  if not 'replayed' = any (outcomes) then
    select json_agg(json_build_array(r.outcome, r.seq, r.revision, r.document_id) order by r.n)
    into answers
    from unnest(outcomes, seqs, revisions, p_documents) with ordinality as r(outcome, seq, revision, document_id, n);
    return answers;
  end if;
  select json_agg(json_build_array(
      r.outcome, coalesce(r.seq, (k.response ->> 'seq')::bigint), r.revision, coalesce(k.response ->> 'document_id', r.document_id)
    ) order by r.n)
  into answers
  from unnest(outcomes, seqs, revisions, p_targets, p_documents, p_keys) with ordinality as r(outcome, seq, revision, target, document_id, key, n)
  left join idempotency_keys k on r.outcome = 'replayed' and k.tenant_id = p_tenants[r.target] and k.key = r.key;
  return answers;
end $$;

-- ---- Turns and leases ----
--
-- Whose turn it is, kept in the order asked for: the next scope to lease is the head of two indexes, however many wait. Halted scopes and tenants are
-- in no index at all. Triggers keep turns, so that no statement that queues, releases, pauses or resumes can forget to. A leased scope keeps its place:
-- its release gives it a new one, and a lease that ran out is found by its own index.

-- A tenant's turn in the fair order between tenants. Its virtual time is the milliseconds of processor time it was charged, by weight; the row of the
-- service is the clock of the order: the virtual time of the tenant served last. due_at is not later than the earliest turn of the tenant's free
-- scopes, and null without any.
create table tenant_turns (
  tenant_id text primary key references tenants, virtual_time double precision not null default 0, due_at timestamptz,
  halted boolean not null default false
);
create index tenant_turns_due on tenant_turns (virtual_time, tenant_id) where due_at is not null and not halted;

-- Who works on which scope, and what has to hold when that work is written.
create table scope_leases (
  tenant_id text not null, scope_no bigint not null, fence bigint not null default 0, owner text, leased_until timestamptz,
  -- The document being worked on, noted before the work: a process that dies over it costs that document an attempt.
  in_hand_seq bigint,
  -- A process died over a batch: documents up to this seq are leased one at a time, so that the next death names its document.
  careful_until_seq bigint,
  primary key (tenant_id, scope_no),
  foreign key (tenant_id, scope_no) references scopes (tenant_id, scope_no)
) with (fillfactor = 50);
create index scope_leases_leased on scope_leases (leased_until) where owner is not null;

-- A backlog puts a scope into the queue, and whatever is added to one that is in backoff ends that, but no rest.
create function concord_queue_scope() returns trigger language plpgsql as $$
begin
  new.turn_at := case when new.has_backlog then greatest(clock_timestamp(), new.rest_until) end;
  return new;
end $$;
create trigger queue_scope before update on scope_heads for each row
  when (new.has_backlog <> (new.turn_at is not null)
    or (new.next_seq > old.next_seq and new.turn_at is not distinct from old.turn_at and new.turn_at > clock_timestamp()))
  execute function concord_queue_scope();

-- The share of the tenant's row is what concord_settle_turns looks for: it cannot conclude that nothing waits while somebody is queueing. Tenants in
-- their order, so that two flushes never wait for each other in a circle. Compares the rows before and after by grouping them: as a join of the two
-- the statement was planned once a session, for the few rows of its first call, as a loop in a loop, and 5,200 scopes changed at once took 15
-- seconds.
create function concord_wake_tenants() returns trigger language plpgsql as $$
declare
  woken record;
begin
  for woken in
    select c.tenant_id, min(c.turn_at) as turn_at
    from (
      select r.tenant_id, r.scope_no, max(r.turn_at) filter (where r.is_new) as turn_at, max(r.turn_at) filter (where not r.is_new) as was_at,
        bool_or(r.halted) filter (where r.is_new) as halted, bool_or(r.halted) filter (where not r.is_new) as was_halted
      from (
        select a.tenant_id, a.scope_no, a.turn_at, a.halted, true as is_new from after_rows a
        union all
        select b.tenant_id, b.scope_no, b.turn_at, b.halted, false from before_rows b
      ) r
      group by r.tenant_id, r.scope_no
    ) c
    where c.turn_at is not null and not c.halted and (c.turn_at is distinct from c.was_at or c.was_halted)
    group by c.tenant_id order by c.tenant_id
  loop
    insert into tenant_turns (tenant_id) select woken.tenant_id
      where not exists (select from tenant_turns t where t.tenant_id = woken.tenant_id) on conflict do nothing;
    perform from tenant_turns t where t.tenant_id = woken.tenant_id for key share;
    update tenant_turns t set due_at = woken.turn_at where t.tenant_id = woken.tenant_id and (t.due_at is null or t.due_at > woken.turn_at);
  end loop;
  return null;
end $$;
create trigger wake_tenants after update on scope_heads referencing old table as before_rows new table as after_rows
  for each statement execute function concord_wake_tenants();

-- A scope that is given back goes to the tail of the queue, or waits until the first of its documents is due again.
create function concord_requeue_scope() returns trigger language plpgsql as $$
begin
  update scope_heads h set turn_at = concord_next_due(h.tenant_id, h.scope_no)
  where h.tenant_id = new.tenant_id and h.scope_no = new.scope_no and h.has_backlog;
  return null;
end $$;
create trigger requeue_scope after update of owner on scope_leases for each row
  when (old.owner is not null and new.owner is null) execute function concord_requeue_scope();

-- When the next document of a scope is due: now, the end of the earliest backoff, or null without a backlog.
create function concord_next_due(of_tenant text, of_scope bigint) returns timestamptz language sql as $$
  select case
    when exists (
      select from backlog b join scopes s on s.tenant_id = b.tenant_id and s.scope_no = b.scope_no and s.generation = b.generation
      where b.tenant_id = of_tenant and b.scope_no = of_scope and b.not_before <= clock_timestamp()
    ) then clock_timestamp()
    else (
      select min(b.not_before) from backlog b join scopes s on s.tenant_id = b.tenant_id and s.scope_no = b.scope_no and s.generation = b.generation
      where b.tenant_id = of_tenant and b.scope_no = of_scope
    )
  end
$$;

-- Tenants that had nothing to lease although they were due: until when, or null. Skips those for whom somebody queues at this moment. The row is
-- locked in one statement and the scopes are read in the next, which sees what was queued before.
create function concord_settle_turns(p_tenants text[]) returns void language plpgsql as $$
declare
  of_tenant text;
begin
  for of_tenant in select t.tenant_id from tenant_turns t where t.tenant_id = any (p_tenants) order by t.tenant_id for update skip locked loop
    update tenant_turns t set due_at = (
      select h.turn_at from scope_heads h
      where h.tenant_id = of_tenant and h.turn_at is not null and not h.halted
        and exists (select from tenants o where o.tenant_id = of_tenant and o.deleted_at is null)
        and not exists (select from scope_leases l where l.tenant_id = h.tenant_id and l.scope_no = h.scope_no and l.owner is not null)
      order by h.turn_at limit 1
    ) where t.tenant_id = of_tenant;
  end loop;
end $$;

create function concord_halt() returns trigger language plpgsql as $$
declare
  of_row runtime_states := case when tg_op = 'DELETE' then old else new end;
  is_halted boolean := tg_op <> 'DELETE' and of_row.state <> 'running';
begin
  if of_row.scope_no <> 0 then
    update scope_heads h set halted = is_halted where h.tenant_id = of_row.tenant_id and h.scope_no = of_row.scope_no;
  elsif of_row.tenant_id <> '-' then
    if tg_op <> 'DELETE' then insert into tenant_turns (tenant_id) values (of_row.tenant_id) on conflict do nothing; end if;
    update tenant_turns t set halted = is_halted, due_at = clock_timestamp() where t.tenant_id = of_row.tenant_id;
  end if;
  return null;
end $$;
create trigger halt after insert or update of state or delete on runtime_states for each row execute function concord_halt();

-- Documents being processed go back to the queue, with one event each. Answers which they were.
create function concord_requeue_processing(
  of_tenant text, of_scope bigint, of_generation integer, of_scope_id text, p_reason text, out ids text[], out last_seq bigint
) language plpgsql as $$
declare
  revisions integer[];
  events text[];
begin
  select array_agg(d.document_id order by b.seq), array_agg(d.revision order by b.seq), max(b.seq),
    array_agg(json_build_object('scope_id', of_scope_id, 'document_id', d.document_id, 'revision', d.revision,
      'status', 'queued', 'reason', p_reason)::text order by b.seq)
  into ids, revisions, last_seq, events
  from backlog b join documents d on d.tenant_id = of_tenant and d.scope_no = of_scope and d.generation = of_generation
    and d.document_id = b.document_id and d.revision = b.revision
  where b.tenant_id = of_tenant and b.scope_no = of_scope and b.generation = of_generation and d.status = 'processing';
  if ids is not null then
    perform concord_move_documents(of_tenant, of_scope, of_generation, ids, revisions, 'processing', 'queued', 'document.requeued', events);
  end if;
end $$;

-- Those without a live lease, and the one in hand of a process that died has cost an attempt. Answers the last seq among them: up to it the scope is
-- leased one document at a time.
create function concord_requeue_orphans(
  of_tenant text, of_scope bigint, of_generation integer, of_scope_id text, p_in_hand bigint
) returns bigint language plpgsql as $$
declare
  orphans record := concord_requeue_processing(of_tenant, of_scope, of_generation, of_scope_id, 'lease_expired');
begin
  if p_in_hand is not null then
    update backlog b set attempts = b.attempts + 1
    where b.tenant_id = of_tenant and b.scope_no = of_scope and b.generation = of_generation and b.seq = p_in_hand;
    update documents d set attempts = d.attempts + 1, reason = 'The process died while it worked on the document.',
      stage = 'extract', error_class = 'process_death'
    where d.tenant_id = of_tenant and d.scope_no = of_scope and d.generation = of_generation and d.seq = p_in_hand
      and d.document_id = any (orphans.ids);
  end if;
  return orphans.last_seq;
end $$;

-- The next documents of a scope in their order, as many as fit; a file whose text is not extracted yet counts by its own size. Documents that are
-- read again have places behind all others (store/documents/rereads), and no batch has both kinds.
create function concord_next_batch(
  of_tenant text, of_scope bigint, of_generation integer, of_scope_id text, p_batch integer, p_bytes bigint,
  out seqs bigint[], out ids text[], out revisions integer[], out events text[], out orphaned boolean, out again boolean
)
  language sql as $$
  select array_agg(n.seq order by n.seq), array_agg(n.document_id order by n.seq), array_agg(n.revision order by n.seq),
    array_agg(json_build_object('scope_id', of_scope_id, 'document_id', n.document_id, 'revision', n.revision,
      'status', 'processing', 'attempt', n.attempts + 1)::text order by n.seq),
    bool_or(n.status = 'processing'), bool_or(n.again)
  from (
    select b.seq, b.attempts, d.document_id, d.revision, d.status, row_number() over up_to_here as place,
      sum(coalesce(octet_length(d.text), d.file_bytes)) over up_to_here as bytes, b.reread is not null as again,
      first_value(b.reread is not null) over up_to_here as first_again
    from (
      select * from backlog b
      where b.tenant_id = of_tenant and b.scope_no = of_scope and b.generation = of_generation and b.not_before <= clock_timestamp()
      order by b.seq limit p_batch
    ) b join documents d on d.tenant_id = of_tenant and d.scope_no = of_scope and d.generation = of_generation
      and d.document_id = b.document_id and d.revision = b.revision
    window up_to_here as (order by b.seq)
  ) n
  where n.again = n.first_again and (n.place = 1 or coalesce(n.bytes, 0) <= p_bytes)
$$;

-- Waits half a second for the lock of a scope and fails with 55P03 then: an act of a person may hold it for seconds, and whoever waits keeps a
-- connection from everybody else. It does wait: where somebody always has the lock, who only tries would never get it. The limit ends with the
-- function and bounds no other lock of the transaction.
create function concord_lock_soon(of_scope bigint) returns void language plpgsql set lock_timeout = '500ms' as $$
begin
  perform pg_advisory_xact_lock(of_scope);
end $$;

-- Leases a scope if it is free, due and running, with the next of its documents; no rows if not. Its lock is the only one a lease ever waits for.
-- Documents that are being processed without anybody's lease go back to the queue like those of a process that died, instead of failing every lease
-- of their scope. A document that is read again keeps its state while it is leased; when the process dies, those that it may have had in hand are
-- leased one at a time, as others are.
create function concord_lease(
  p_owner text, p_lease_ms integer, p_batch integer, p_bytes bigint, of_tenant text, of_scope bigint
) returns table (
  tenant_id text, scope_no bigint, scope_id text, generation integer, fence bigint, took_over boolean, weight integer, seq bigint,
  document_id text, revision integer, attempts integer, current boolean, unchanged boolean, name text, type text, source text, text text,
  text_hash bytea, enqueued_at timestamptz, trace text, approval json, reread json
)
  language plpgsql as $$
#variable_conflict use_column
declare
  found_now record;
  taken record;
  new_fence bigint;
  last_orphan bigint;
  first_again constant bigint := 1000000000000000;
begin
  perform concord_lock_soon(of_scope);
  select s.scope_id, s.generation, t.weight, l.owner, l.in_hand_seq, l.careful_until_seq into found_now
  from scopes s
  join tenants t on t.tenant_id = s.tenant_id and t.deleted_at is null
  join scope_leases l on l.tenant_id = s.tenant_id and l.scope_no = s.scope_no and (l.owner is null or l.leased_until < clock_timestamp())
  where s.tenant_id = of_tenant and s.scope_no = of_scope;
  if not found or concord_effective_state(of_tenant, of_scope) <> 'running' then return; end if;

  taken := concord_next_batch(of_tenant, of_scope, found_now.generation, found_now.scope_id, p_batch, p_bytes);
  if taken.seqs is null then
    update scope_heads h set turn_at = due.at, has_backlog = due.at is not null
    from (select concord_next_due(of_tenant, of_scope) as at) due where h.tenant_id = of_tenant and h.scope_no = of_scope;
    return;
  end if;
  if found_now.owner is not null or taken.orphaned then
    last_orphan := concord_requeue_orphans(of_tenant, of_scope, found_now.generation, found_now.scope_id, found_now.in_hand_seq);
    if taken.again then
      found_now.careful_until_seq := taken.seqs[cardinality(taken.seqs)];
    else
      found_now.careful_until_seq := greatest(case when found_now.careful_until_seq < first_again then found_now.careful_until_seq end, last_orphan);
    end if;
  end if;
  if taken.seqs[1] <= found_now.careful_until_seq and taken.again = (found_now.careful_until_seq >= first_again) then
    taken := concord_next_batch(of_tenant, of_scope, found_now.generation, found_now.scope_id, 1, p_bytes);
  end if;

  if not taken.again then
    perform concord_move_documents(of_tenant, of_scope, found_now.generation, taken.ids, taken.revisions, 'queued', 'processing',
      'document.processing', taken.events);
  end if;
  update scope_leases l set owner = p_owner, fence = l.fence + 1, leased_until = clock_timestamp() + p_lease_ms * interval '1 millisecond',
    careful_until_seq = found_now.careful_until_seq, in_hand_seq = case when cardinality(taken.seqs) = 1 then taken.seqs[1] end
    where l.tenant_id = of_tenant and l.scope_no = of_scope and (l.owner is null or l.leased_until < clock_timestamp())
    returning l.fence into new_fence;
  if not found then raise exception 'the lease was taken meanwhile' using errcode = '40001'; end if;
  return query
    select of_tenant, of_scope, found_now.scope_id, found_now.generation, new_fence, found_now.owner is not null, found_now.weight, b.seq,
      d.document_id, d.revision, b.attempts, d.current, d.unchanged and b.reread is null, d.name, d.type, d.source, d.text, d.text_hash,
      b.enqueued_at, d.trace, d.approval, b.reread
    from backlog b join documents d on d.tenant_id = of_tenant and d.scope_no = of_scope and d.generation = found_now.generation
      and d.document_id = b.document_id and d.revision = b.revision
    where b.tenant_id = of_tenant and b.scope_no = of_scope and b.seq = any (taken.seqs)
    order by b.seq;
end $$;

-- Ends the transaction unless it still holds the lease and what it was computed from still stands: CF001 the lease is lost, CV001 a person, a
-- setting, a policy or the queue has moved on and the round must be computed again. CP001 the scope was paused, and more than the one document in
-- hand was to be finished. p_waiting is the number of documents that wait or are held, or null when the rounds do not rest on it. A fence number can
-- come back: a standby that is promoted without the last commits of its primary gives numbers out again that others still hold. The owner, a name no
-- two workers share, tells them apart.
create function concord_guard(
  of_tenant text, of_scope bigint, p_owner text, p_fence bigint, p_generation integer, p_version bigint, p_round bigint, p_policy text,
  p_waiting bigint, p_documents integer
) returns void language plpgsql as $$
declare
  found_now record;
begin
  select l.owner, l.fence, l.leased_until > clock_timestamp() as held, s.generation, s.version, coalesce(t.round, 0) as round,
    h.queued + h.processing + h.held + h.rereads as waiting,
    (select a.hash from policy_assignments a
      where (a.tenant_id = of_tenant and a.scope_no in (of_scope, 0)) or (a.tenant_id = '-' and a.scope_no = 0)
      order by a.tenant_id = '-', a.scope_no desc limit 1) as policy
  into found_now
  from scopes s
  join scope_leases l on l.tenant_id = s.tenant_id and l.scope_no = s.scope_no
  join scope_heads h on h.tenant_id = s.tenant_id and h.scope_no = s.scope_no
  left join scope_states t on t.tenant_id = s.tenant_id and t.scope_no = s.scope_no and t.generation = s.generation
  where s.tenant_id = of_tenant and s.scope_no = of_scope;
  if found_now.owner is distinct from p_owner or found_now.fence is distinct from p_fence or found_now.generation is distinct from p_generation
    or found_now.held is not true then
    raise exception 'the lease of the scope is lost' using errcode = 'CF001';
  end if;
  if found_now.version is distinct from p_version or found_now.round is distinct from p_round or found_now.policy is distinct from p_policy
    or (p_waiting is not null and found_now.waiting <> p_waiting) then
    raise exception 'the scope has changed since the rounds were computed' using errcode = 'CV001';
  end if;
  if p_documents > 1 and concord_effective_state(of_tenant, of_scope) <> 'running' then
    raise exception 'the scope is paused' using errcode = 'CP001';
  end if;
end $$;

-- Takes scopes away from whoever leases them: the fence rises, documents in hand go back to queued, one event each. The caller holds the locks of the
-- scopes. Answers how many documents went back. Tenants in their order, as a flush wakes them: it and this never wait for each other in a circle.
create function concord_take_back(p_tenants text[], p_scopes bigint[], p_reason text) returns bigint language plpgsql as $$
declare
  scope record;
  held record;
  taken bigint := 0;
begin
  for scope in
    select s.tenant_id, s.scope_no, s.scope_id, s.generation
    from unnest(p_tenants, p_scopes) as t (tenant_id, scope_no) join scopes s on s.tenant_id = t.tenant_id and s.scope_no = t.scope_no
    order by s.tenant_id, s.scope_no
  loop
    update scope_leases l set fence = l.fence + 1, owner = null, leased_until = null, in_hand_seq = null
    where l.tenant_id = scope.tenant_id and l.scope_no = scope.scope_no;
    held := concord_requeue_processing(scope.tenant_id, scope.scope_no, scope.generation, scope.scope_id, p_reason);
    taken := taken + coalesce(cardinality(held.ids), 0);
  end loop;
  return taken;
end $$;

-- ---- The service itself: concord_engine alone may touch it ----

create table nodes (
  node_id text primary key, role text not null check (role in ('all', 'api', 'worker')),
  started_at timestamptz not null default clock_timestamp(), heartbeat_at timestamptz not null default clock_timestamp(),
  snapshot json not null default '{}'
);

-- ---- Webhooks ----

-- Endpoints of tenants that are told of events, and what became of each message. An endpoint whose due_at is null is at rest: everything up to
-- webhook_feed was looked at, and nothing of it concerns the endpoint. One that is due reads the log itself, from its cursor on. due_at is also the
-- time of the next attempt.
create table webhooks (
  tenant_id text not null references tenants, webhook_id text not null, url text not null, description text,
  -- Kinds of events, kinds with `.*` for a family, or `*`.
  events text[] not null check (cardinality(events) between 1 and 100),
  -- Null: every scope, and what concerns no scope.
  scopes text[] check (cardinality(scopes) between 1 and 200), enabled boolean not null default true,
  disabled_reason text check (disabled_reason in ('asked', 'failing', 'gone')),
  created_at timestamptz not null default clock_timestamp(),
  -- Everything up to here was delivered or is none of its business, in commit order, and when that was.
  cursor_xid xid8 not null, cursor_id bigint not null, cursor_at timestamptz not null default clock_timestamp(),
  due_at timestamptz default clock_timestamp(),
  -- Since when the message at the cursor has failed, and how often.
  failing_since timestamptz, attempts integer not null default 0 check (attempts >= 0), last_delivered_at timestamptz,
  owner text, fence bigint not null default 0, leased_until timestamptz,
  primary key (tenant_id, webhook_id),
  check (enabled = (disabled_reason is null)),
  check ((failing_since is null) = (attempts = 0))
) with (fillfactor = 70);
create index webhooks_due on webhooks (due_at) where due_at is not null;
create index webhooks_at_rest on webhooks (tenant_id) where enabled and due_at is null;

-- The newest secret signs, and those before it as long as they have not expired.
create table webhook_secrets (
  tenant_id text not null, webhook_id text not null, secret_no integer not null check (secret_no >= 1),
  secret text not null check (secret like 'whsec_%'), created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz,
  primary key (tenant_id, webhook_id, secret_no),
  foreign key (tenant_id, webhook_id) references webhooks (tenant_id, webhook_id) on delete cascade
);

-- What became of each message: ids, status and times, never a body. The newest thousand of an endpoint are kept.
create table webhook_deliveries (
  tenant_id text not null, webhook_id text not null,
  -- Of an event: made from the id of the event, so that it has one row however often it is tried.
  delivery_id text not null, delivery_no bigint generated always as identity,
  kind text not null check (kind in ('event', 'test', 'redelivery')), event_id text not null, type text not null,
  scope_id text,
  -- Where the event stands in the log; null for a test and a gap.
  scope_no bigint, seq bigint, status text not null check (status in ('pending', 'delivered', 'failed')),
  attempts integer not null default 0, response_status integer, reason text, duration_ms integer,
  created_at timestamptz not null default clock_timestamp(), attempted_at timestamptz,
  primary key (tenant_id, webhook_id, delivery_id),
  foreign key (tenant_id, webhook_id) references webhooks (tenant_id, webhook_id) on delete cascade
);
create index webhook_deliveries_newest on webhook_deliveries (tenant_id, webhook_id, delivery_no);
create index webhook_deliveries_asked on webhook_deliveries (tenant_id, webhook_id, delivery_no) where status = 'pending' and kind <> 'event';

-- How far the log of everything was looked at for the endpoints at rest. Stands still while there are none.
create table webhook_feed (
  singleton boolean primary key default true check (singleton), xid xid8 not null default '0', id bigint not null default 0
);

create function concord_webhook_wants(p_type text, p_scope text, p_events text[], p_scopes text[]) returns boolean language sql immutable as $$
  select coalesce(p_scopes is null or p_scope = any (p_scopes), false) and exists (
    select from unnest(p_events) as e (pattern)
    where pattern in ('*', p_type) or (right(pattern, 2) = '.*' and starts_with(p_type, left(pattern, -1))))
$$;

-- Looks at the next events of the log for all endpoints at rest, and makes those due that want one of them: their cursor moves to where this look
-- began. Whoever comes to rest holds the row of webhook_feed too, so that no event falls between.
create function concord_feed_webhooks(p_limit integer, out resting boolean, out looked integer) language plpgsql as $$
declare
  v_xid xid8;
  v_id bigint;
  v_end xid8;
  v_last_xid xid8;
  v_last_id bigint;
begin
  looked := 0;
  resting := exists (select from webhooks w where w.enabled and w.due_at is null);
  if not resting then return; end if;
  select f.xid, f.id into v_xid, v_id from webhook_feed f for update;
  select (pg_snapshot_xmin(pg_current_snapshot())::text::bigint + h.xid_base)::text::xid8 into v_end from event_horizon h;
  with slice as materialized (
    select e.tenant_id, e.scope_no, e.type, e.xid, e.id, e.data from events e
    where (e.xid, e.id) > (v_xid, v_id) and e.xid < v_end order by e.xid, e.id limit p_limit
  ), wanted as (
    select distinct w.tenant_id, w.webhook_id from slice e
    join webhooks w on w.tenant_id = e.tenant_id and w.enabled and w.due_at is null
    left join scopes s on s.tenant_id = e.tenant_id and s.scope_no = e.scope_no
    where (e.xid, e.id) > (w.cursor_xid, w.cursor_id)
      and concord_webhook_wants(e.type, coalesce(s.scope_id, e.data ->> 'scope_id'), w.events, w.scopes)
  ), marked as (
    update webhooks w set due_at = clock_timestamp(), cursor_at = clock_timestamp(),
      cursor_xid = case when (w.cursor_xid, w.cursor_id) < (v_xid, v_id) then v_xid else w.cursor_xid end,
      cursor_id = case when (w.cursor_xid, w.cursor_id) < (v_xid, v_id) then v_id else w.cursor_id end
    from wanted n where w.tenant_id = n.tenant_id and w.webhook_id = n.webhook_id and w.due_at is null
  )
  select (select count(*) from slice), l.xid, l.id into looked, v_last_xid, v_last_id
  from (select 1) one left join lateral (select e.xid, e.id from slice e order by e.xid desc, e.id desc limit 1) l on true;
  update webhook_feed f set xid = v_last_xid, id = v_last_id where (f.xid, f.id) < (v_last_xid, v_last_id);
end $$;

-- ---- Audit ----

create table audit_log (
  id bigint generated always as identity primary key, at timestamptz not null default clock_timestamp(), tier text not null,
  -- A fingerprint of the key, never the key.
  actor text not null, action text not null, outcome text not null check (outcome in ('allowed', 'refused', 'counted')),
  -- Null from the moment the act is let through until its answer is known.
  status integer, tenant_id text, scope_id text, request_id text not null, address text, detail json not null default '{}',
  -- Filled in afterwards by the leader; ids are taken before commit, so the chain counts for itself.
  chain_no bigint unique, prev_hash text, hash text,
  -- Who saw what: a reading has one row for a person or key, what was read, and the hour, however many nodes answered.
  object text, reader text, hour timestamptz,
  constraint audit_log_reading check (num_nonnulls(object, reader, hour) in (0, 3))
);
create index audit_log_unchained on audit_log (id) where hash is null;
create index audit_log_tenant on audit_log (tenant_id, id);
create index audit_log_scope on audit_log (scope_id, id) where scope_id is not null;
create unique index audit_log_readings on audit_log (tenant_id, object, reader, hour) where object is not null;

-- Where the chain begins once the retention of the log has taken its oldest rows: the last of them.
create table audit_cut (
  single boolean primary key default true check (single), chain_no bigint not null, hash text not null,
  cut_at timestamptz not null default clock_timestamp()
);

-- Whose reads the log has from when on: a row when AUDIT_READS changes (reads), and one when a tenant came from elsewhere (tenant), of which nothing
-- is known before. Told apart by these are findings that nobody opened and findings of which nobody knows.
create table audit_reads (
  since timestamptz not null default clock_timestamp(), reads text check (reads in ('all', 'people', 'off')), tenant text,
  check (num_nonnulls(reads, tenant) = 1)
);
create index audit_reads_tenant on audit_reads (tenant) where tenant is not null;

-- Heads of that chain which were shown to somebody outside, and what they gave in return: the answer of a time stamp authority, or the signed
-- checkpoint that a webhook took.
create table audit_anchors (
  anchor_no bigint generated always as identity primary key, chain_no bigint not null, hash text not null,
  kind text not null check (kind in ('tsa', 'webhook')), url text not null,
  anchored_at timestamptz not null default clock_timestamp(), proof bytea not null
);

-- ---- The first rows, and who may touch which ----

insert into tenants (tenant_id, name) values ('-', 'service');
insert into runtime_states (tenant_id, scope_no, state) values ('-', 0, 'running');
insert into tenant_turns (tenant_id) values ('-');
insert into event_horizon default values;
insert into webhook_feed default values;
insert into credential_generation default values;

-- After the rows above, which forced row-level security would refuse.
do $$
declare
  t text;
  own constant text := 'tenant_id = nullif(current_setting(''concord.tenant'', true), '''')';
begin
  foreach t in array array['tenants', 'tenant_keys', 'sessions', 'tenant_turns', 'tenant_usage', 'scopes', 'scope_heads', 'scope_tombstones', 'scope_leases',
    'scope_states', 'runtime_states', 'legal_holds', 'documents', 'backlog', 'idempotency_keys', 'uploads', 'file_chunks', 'text_places', 'recognised_pages',
    'document_passages', 'passage_terms', 'model_off', 'model_readings', 'documents_sent', 'model_usage', 'claims', 'claim_terms', 'slot_crowds',
    'claim_retirements', 'goals', 'risks', 'contradictions', 'contradiction_sides', 'possible_conflicts', 'supersessions', 'finding_history', 'side_history', 'assignments', 'comments', 'visits', 'rounds',
    'decisions', 'policy_sets', 'policy_assignments', 'sign_offs', 'certificates', 'certificate_lists', 'certificate_changes', 'events',
    'webhooks', 'webhook_secrets', 'webhook_deliveries']
  loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy own_rows on %I to concord_tenant using (%s) with check (%s)', t, own, own);
    execute format('create policy all_rows on %I to concord_engine using (true) with check (true)', t);
    execute format('grant select, insert, update, delete on %I to concord_tenant, concord_engine', t);
  end loop;
end $$;
-- A tenant's summary shows the effective state, which the service's own row is part of; the inherited policy set is read inside a tenant.
create policy service_state on runtime_states for select to concord_tenant using (tenant_id = '-');
create policy service_sets on policy_sets for select to concord_tenant using (tenant_id = '-');
create policy service_assignments on policy_assignments for select to concord_tenant using (tenant_id = '-');

-- A tenant's requests never create tenants, keys, sessions or weights, nor take their turns: those are acts of the service. Its transactions queue and
-- release: they may say that it is due, not what it was charged.
revoke insert, update, delete on tenants, tenant_keys, tenant_turns from concord_tenant;
grant insert (tenant_id, due_at, halted), update (due_at, halted) on tenant_turns to concord_tenant;
revoke all on sessions from concord_tenant;
grant select (tenant_id, session_id) on sessions to concord_tenant;
-- What was used is added, and added up by the service alone.
revoke update, delete on tenant_usage from concord_tenant;
revoke update on tenant_usage from concord_engine;
-- What answers requests writes secrets and never reads them back; who delivers does.
revoke select, update on webhook_secrets from concord_tenant;
grant select (tenant_id, webhook_id, secret_no, created_at, expires_at), update (expires_at) on webhook_secrets to concord_tenant;

grant select, insert, update, delete on nodes, signing_keys, model_trials, audit_log, audit_cut, audit_anchors, audit_reads to concord_engine;
grant select, update on event_horizon, webhook_feed, credential_generation to concord_engine;
grant usage on all sequences in schema public to concord_tenant, concord_engine;
grant execute on function concord_effective_state(text, bigint) to concord_tenant, concord_engine;
