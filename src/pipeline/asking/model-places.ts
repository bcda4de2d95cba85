/**
 * How many leases of a process ask the model at a time. A worker takes a place before it leases, so that no scope is leased
 * only to be given back: each time all its documents changed their state twice and wrote their events, and the place meant for
 * it stood empty until it was leased again, by a process that did not have the place.
 */
export interface ModelPlaces {
  /** False when all are taken. */
  take(): boolean
  leave(): void
}

export function createModelPlaces(count: number): ModelPlaces {
  let free = count
  return {
    take() {
      if (free === 0) return false
      free--
      return true
    },
    leave() {
      free++
    },
  }
}
