-- In steps. The hash comes first: behind the columns of the primary key the index was also taken by statements that ask for
-- claims by their number, and then read whole scopes.
create index concurrently if not exists claims_by_subject on claims (subject_hash, tenant_id, scope_no, generation, claim_no);
drop index concurrently if exists claims_subjects;
