-- Places in the log of everything are transaction ids of the cluster plus this base. It is raised when the rows were restored
-- into a cluster whose ids are lower (`src/store/log-base.ts`), together with the default of events.xid.
alter table event_horizon add column xid_base bigint not null default 0;
