-- What closed without anybody's word has a column of its own: who decided is what people call themselves.
alter table contradictions add column closed_itself boolean not null default false;
alter table possible_conflicts add column closed_itself boolean not null default false;
-- The owner sees no row of a table whose row-level security is forced.
alter table contradictions no force row level security;
alter table possible_conflicts no force row level security;
update contradictions set closed_itself = true where status = 'resolved' and resolution ->> 'verdict' = 'superseded';
update possible_conflicts set closed_itself = true where status = 'dismissed' and decision ->> 'verdict' = 'superseded';
alter table contradictions force row level security;
alter table possible_conflicts force row level security;
alter table contradictions add constraint contradictions_closed_itself check (not closed_itself or status = 'resolved');
alter table possible_conflicts add constraint possible_conflicts_closed_itself check (not closed_itself or status = 'dismissed');
