-- A possible conflict of the rules that a model finds compatible is cleared: nobody is asked, and anybody who may decide can open it again.
alter table possible_conflicts drop constraint possible_conflicts_status_check;
alter table possible_conflicts add constraint possible_conflicts_status_check check (status in ('open', 'promoted', 'dismissed', 'cleared'));
-- That its second claim takes the place of the first, which a person is asked to decide; null where the two may contradict each other.
alter table possible_conflicts add column proposes text check (proposes in ('replacement'));
