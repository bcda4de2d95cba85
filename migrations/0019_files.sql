-- Documents that came as files: originals kept as they came, the text extracted from them, and where in the file each part
-- of that text stands.

-- A file is written in chunks, a short transaction each. Until its document exists it is an upload: its bytes count
-- towards the tenant's limit, and it is removed when it is not finished within an hour.
create table uploads (
  tenant_id text not null references tenants,
  file_id text not null,
  bytes bigint not null default 0 check (bytes >= 0),
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, file_id)
);
create index uploads_age on uploads (created_at);

create table file_chunks (
  tenant_id text not null references tenants,
  file_id text not null,
  chunk_no integer not null check (chunk_no >= 0),
  -- Null while it is an upload. A reset finds its rows by them.
  scope_no bigint,
  generation integer,
  data bytea not null,
  primary key (tenant_id, file_id, chunk_no)
);
create index file_chunks_scope on file_chunks (tenant_id, scope_no, generation);
-- Most files are compressed already.
alter table file_chunks alter column data set storage external;

alter table documents
  -- Null once the original is removed, and for documents that came as text.
  add column file_id text,
  add column file_sha256 bytea,
  add column file_media_type text,
  add column file_bytes bigint,
  -- What made the text of the file, with its version; null until it is extracted.
  add column text_extractor text,
  -- What a reader of the text should know about how it was made.
  add column text_notes json,
  -- The mail that a document was attached to, and how many mails deep it is.
  add column part_of text,
  add column part_depth smallint not null default 0 check (part_depth between 0 and 3);
create index documents_parts on documents (tenant_id, scope_no, generation, part_of) where part_of is not null;

-- Where parts of an extracted text stand in their file: from starts[i] on (code points) it is labels[i]. Some hundred to a
-- row, so that a place is found without reading the whole map of a long sheet.
create table text_places (
  tenant_id text not null,
  scope_no bigint not null,
  generation integer not null,
  document_id text not null,
  revision integer not null,
  first_at integer not null,
  kind text not null check (kind in ('page', 'cell', 'paragraph')),
  starts integer[] not null,
  labels text[] not null,
  primary key (tenant_id, scope_no, generation, document_id, revision, first_at),
  check (cardinality(starts) = cardinality(labels) and starts[1] = first_at)
);

-- {kind, from, to} of the slice [p_start, p_end) of a text; null where nothing is known.
create function concord_place(
  of_tenant text, of_scope bigint, of_generation integer, of_document text, of_revision integer, p_start integer, p_end integer
) returns json
  language sql stable as $$
  select json_build_object('kind', a.kind, 'from', a.labels[width_bucket(p_start, a.starts)],
    'to', (
      select b.labels[width_bucket(greatest(p_start, p_end - 1), b.starts)] from text_places b
      where b.tenant_id = of_tenant and b.scope_no = of_scope and b.generation = of_generation and b.document_id = of_document
        and b.revision = of_revision and b.first_at <= greatest(p_start, p_end - 1)
      order by b.first_at desc limit 1))
  from text_places a
  where a.tenant_id = of_tenant and a.scope_no = of_scope and a.generation = of_generation and a.document_id = of_document
    and a.revision = of_revision and a.first_at <= p_start
  order by a.first_at desc limit 1
$$;

do $$
declare
  t text;
begin
  foreach t in array array['uploads', 'file_chunks', 'text_places']
  loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy own_rows on %I to concord_tenant using (tenant_id = nullif(current_setting(''concord.tenant'', true), '''')) with check (tenant_id = nullif(current_setting(''concord.tenant'', true), ''''))', t);
    execute format('create policy all_rows on %I to concord_engine using (true) with check (true)', t);
    execute format('grant select, insert, update, delete on %I to concord_tenant, concord_engine', t);
  end loop;
end $$;

-- As before, and uploads take disk too.
create or replace function concord_usage(of_tenant text, out documents bigint, out bytes bigint, out scopes bigint, out derived_bytes bigint)
  language sql stable as $$
  with kept as (
    select h.registered + h.attached + h.queued + h.processing + h.indexed + h.held + h.rejected + h.quarantined as documents, h.bytes,
      coalesce(512 * t.next_claim_no + 1024 * t.next_contradiction_no, 0) as derived
    from scope_heads h
    join scopes s on s.tenant_id = h.tenant_id and s.scope_no = h.scope_no
    left join scope_states t on t.tenant_id = s.tenant_id and t.scope_no = s.scope_no and t.generation = s.generation
    where h.tenant_id = of_tenant
  )
  select coalesce(sum(documents), 0)::bigint,
    (coalesce(sum(bytes + derived), 0) + coalesce((select sum(u.bytes) from uploads u where u.tenant_id = of_tenant), 0))::bigint,
    count(*), coalesce(sum(derived), 0)::bigint
  from kept
$$;

-- As before; a file whose text is not extracted yet counts by its own size.
create or replace function concord_next_batch(
  of_tenant text, of_scope bigint, of_generation integer, of_scope_id text, p_batch integer, p_bytes bigint,
  out seqs bigint[], out ids text[], out revisions integer[], out events text[], out orphaned boolean
)
  language sql as $$
  select array_agg(n.seq order by n.seq), array_agg(n.document_id order by n.seq), array_agg(n.revision order by n.seq),
    array_agg(json_build_object('scope_id', of_scope_id, 'document_id', n.document_id, 'revision', n.revision, 'name', n.name,
      'status', 'processing', 'attempt', n.attempts + 1)::text order by n.seq),
    bool_or(n.status = 'processing')
  from (
    select b.seq, b.attempts, d.document_id, d.revision, d.name, d.status, row_number() over up_to_here as place,
      sum(coalesce(octet_length(d.text), d.file_bytes)) over up_to_here as bytes
    from (
      select * from backlog b
      where b.tenant_id = of_tenant and b.scope_no = of_scope and b.generation = of_generation and b.not_before <= clock_timestamp()
      order by b.seq limit p_batch
    ) b join documents d on d.tenant_id = of_tenant and d.scope_no = of_scope and d.generation = of_generation
      and d.document_id = b.document_id and d.revision = b.revision
    window up_to_here as (order by b.seq)
  ) n
  where n.place = 1 or coalesce(n.bytes, 0) <= p_bytes
$$;
