/**
 * The processes of the cluster: each writes its row every second with a report about itself. A node without a heartbeat for
 * long is removed by the leader; one that was only slow writes itself in again.
 */

import { across, type Database, type EngineTransaction } from '../server/database.js'

export type NodeRole = 'all' | 'api' | 'worker'

export interface NodeRow<Report> {
  node_id: string
  role: NodeRole
  started_at: string
  heartbeat_at: string
  /** By the database's clock. */
  silent_ms: number
  snapshot: Report
}

export interface NodeBeat {
  nodeId: string
  role: NodeRole
  /** How long the process has been running. */
  uptimeMs: number
  report: object
}

/** More processes than this on one database are not shown. */
const mostNodes = 1000

/** Answers how many nodes serve requests, this one included: those that were heard of in the last `aliveMs`. */
export async function writeHeartbeat(db: Database, beat: NodeBeat, aliveMs: number): Promise<{ servingNodes: number }> {
  const others = await across(db).value<number>(
    `with beat as (
       insert into nodes (node_id, role, started_at, snapshot) values ($1, $2, clock_timestamp() - $3::float8 * interval '1 millisecond', $4::json)
       on conflict (node_id) do update set heartbeat_at = clock_timestamp(), snapshot = excluded.snapshot)
     select count(*)::integer as others from nodes
     where node_id <> $1 and role <> 'worker' and heartbeat_at > clock_timestamp() - $5::integer * interval '1 millisecond'`,
    [beat.nodeId, beat.role, beat.uptimeMs, JSON.stringify(beat.report), aliveMs],
  )
  return { servingNodes: 1 + others }
}

export async function readNodes<Report>(tx: EngineTransaction): Promise<NodeRow<Report>[]> {
  return tx.rows<NodeRow<Report>>(
    `select node_id, role, started_at, heartbeat_at, snapshot,
       (extract(epoch from clock_timestamp() - heartbeat_at) * 1000)::float8 as silent_ms
     from nodes order by node_id limit ${mostNodes}`,
  )
}

export async function removeNode(db: Database, nodeId: string): Promise<void> {
  await db.engineQuery('delete from nodes where node_id = $1', [nodeId])
}

/** Answers the ids of the nodes removed. */
export async function removeSilentNodes(db: Database, silentMs: number): Promise<string[]> {
  return across(db).column<string>(
    `delete from nodes where heartbeat_at < clock_timestamp() - $1::integer * interval '1 millisecond' returning node_id`,
    [silentMs],
  )
}
