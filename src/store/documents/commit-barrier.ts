/**
 * Selected by a transaction that answers what was taken before, and otherwise only reads. What a primary has committed can be seen on it
 * before a second server has it, where the wait for that was broken off: by a server that is stopped, or a person who cancels. A commit
 * that wrote nothing does not wait. This writes a line to the log that nobody reads, so that the commit waits as the first one did. A server
 * that was made a standby meanwhile may hold what no primary has; there the notification is refused as every write is (25006).
 */
export const commitBarrierSql = `case when pg_is_in_recovery() then pg_notify('concord', '')::text
  else pg_logical_emit_message(true, 'concord', 'replayed')::text end`
