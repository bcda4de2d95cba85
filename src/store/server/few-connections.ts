/** The database with few statements across tenants at once: what there may be many of must not crowd out what documents need. */

import type { Database } from './database.js'

type Few = Pick<Database, 'engine' | 'engineQuery'>

export function fewConnections(db: Database, most: number): Database {
  let free = most
  const line: (() => void)[] = []
  const enter = async () => {
    if (free > 0) free--
    else await new Promise<void>(resolve => line.push(resolve))
  }
  /** A free place goes to the first in the queue. */
  const leave = () => {
    const next = line.shift()
    if (next === undefined) free++
    else next()
  }
  const within = async <T>(work: () => Promise<T>): Promise<T> => {
    await enter()
    try {
      return await work()
    } finally {
      leave()
    }
  }
  const few: Few = {
    engine: (work, options) => within(() => db.engine(work, options)),
    engineQuery: (text, values) => within(() => db.engineQuery(text, values)),
  }
  return { ...db, ...few }
}
