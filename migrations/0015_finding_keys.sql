-- The newest contradictions of a slot and of a claim are read from the index alone, however many there are.
drop index contradictions_slots;
create index contradictions_slots on contradictions (tenant_id, scope_no, generation, slot_hash, contradiction_no);
drop index contradiction_sides_claims;
create index contradiction_sides_claims on contradiction_sides (tenant_id, scope_no, generation, claim_no, contradiction_no);
