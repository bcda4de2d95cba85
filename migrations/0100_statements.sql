-- What counts follows from what is said. A claim of a later reading that says what one of the reading before said is the same statement:
-- null where it is the first to say it, else the number of the claim that was.
alter table claims add column statement_no bigint;
create index claims_statements on claims (tenant_id, scope_no, generation, statement_no) where statement_no is not null;

-- Until a later comparison of both sides does not find it again, or a person takes back what made it. What is no longer in force never
-- opens by itself.
alter table contradictions add column in_force boolean not null default true;
alter table contradiction_sides add column in_force boolean not null default true;
alter table possible_conflicts add column in_force boolean not null default true;
