-- Of a signing key that came with a tenant: the tenants whose certificates it may verify. Null for the installation's own keys. Who wrote a
-- tenant's file holds the private part, and could sign in the name of everybody.
alter table signing_keys add column tenants text[];

-- The owner sees no row of a table whose row-level security is forced.
alter table certificates no force row level security;
update signing_keys k set tenants = coalesce((select array_agg(distinct c.tenant_id) from certificates c where c.kid = k.kid), '{}')
where k.retired_at is not null and k.retired_at = k.created_at;
alter table certificates force row level security;
