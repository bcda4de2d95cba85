-- The planner took the index by scope for as good a way to a word as the primary key, and read all words of the scope. By
-- the number first, it serves the removal of one revision's words and nothing else.
drop index claim_terms_documents;
create index claim_terms_revisions on claim_terms (first_claim_no, scope_no, tenant_id, generation);
