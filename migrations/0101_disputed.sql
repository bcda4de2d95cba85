-- Certificates list what people left disputed.
create index contradictions_disputed on contradictions (tenant_id, scope_no, generation, contradiction_no)
  where status = 'resolved' and resolution->>'verdict' = 'disputed';
