/**
 * One tenant leaves a quarter of the connections to others. An act that waits for a case in which another takes long keeps its
 * connection meanwhile: were there as many of them as connections, nobody else's request would be answered. Who finds no place waits for
 * one in the order of coming, as long as for a connection.
 */

import { AppError } from '../../platform/errors.js'

type Within = <T>(tenantId: string, work: () => Promise<T>) => Promise<T>

interface Taken {
  places: number
  line: (() => void)[]
}

/** Of one or two connections none can be spared. */
export function placesOf(connections: number): number {
  return connections < 3 ? connections : connections - Math.ceil(connections / 4)
}

export function createPlacesOfTenants({ connections, patienceMs }: { connections: number; patienceMs: number }): Within {
  const most = placesOf(connections)
  const tenants = new Map<string, Taken>()

  const enter = (tenantId: string): Promise<void> | undefined => {
    const taken = tenants.get(tenantId) ?? { places: 0, line: [] }
    tenants.set(tenantId, taken)
    if (taken.places < most) {
      taken.places++
      return undefined
    }
    return new Promise((resolve, reject) => {
      const giveUp = setTimeout(() => {
        taken.line.splice(taken.line.indexOf(begin), 1)
        reject(new AppError('STORAGE_UNAVAILABLE', { detail: 'Other requests of this tenant take long.', retryAfterSeconds: 1 }))
      }, patienceMs)
      const begin = () => {
        clearTimeout(giveUp)
        resolve()
      }
      taken.line.push(begin)
    })
  }

  /** A place that is free goes to the first in the line. */
  const leave = (tenantId: string) => {
    const taken = tenants.get(tenantId) as Taken
    const next = taken.line.shift()
    if (next !== undefined) next()
    else if (--taken.places === 0) tenants.delete(tenantId)
  }

  return async (tenantId, work) => {
    await enter(tenantId)
    try {
      return await work()
    } finally {
      leave(tenantId)
    }
  }
}
