/**
 * What a primary has committed can be seen on it before a second server has it, where the wait for that was broken off: by a server that is
 * stopped, or a person who cancels. A transaction that only reads does not wait for it. Whoever is told that something was taken before has to
 * be answered behind it: this writes a line to the log that nobody reads, so that the commit waits as the first one did.
 */
export const keptSql = "pg_logical_emit_message(true, 'concord', 'replayed')"
