-- What a key may do, where, until when, and whose it is. Keys made before may do everything and speak for anybody.
alter table tenant_keys
  add column rights text[] not null default array['read', 'ingest', 'decide', 'erase', 'manage']
    check (rights <@ array['read', 'ingest', 'decide', 'erase', 'manage'] and cardinality(rights) > 0),
  -- Null: every scope, those to come included.
  add column scopes text[] check (cardinality(scopes) between 1 and 200),
  add column expires_at timestamptz,
  add column person text,
  -- Without it the key's person is the only one it can act for.
  add column speak_for boolean not null default true check (speak_for or person is not null);
