/** The address of a passage within a document, by its revision and place: it leads there whatever was read in it. Pure. */

import type { Schema } from '../src/contract/types.js'

export interface PassageAddress {
  revision: number
  start: number
  end: number
}

/** `r2.120-164` */
export function addressOf({ revision, start, end }: PassageAddress): string {
  return `r${revision}.${start}-${end}`
}

export function passageAtAddress(part: string | undefined): PassageAddress | null {
  const found = /^r(\d{1,9})\.(\d{1,9})-(\d{1,9})$/.exec(part ?? '')
  if (found === null) return null
  const [revision = 0, start = 0, end = 0] = found.slice(1).map(Number)
  return revision >= 1 && start < end ? { revision, start, end } : null
}

/** The page it stands on as far as the statements around it tell: that of the last one that begins before it ends. */
export function pageNear({ end }: PassageAddress, claims: readonly Pick<Schema['Claim'], 'start' | 'page'>[]): number | null {
  const before = claims.filter(claim => claim.page !== null && claim.start < end).sort((a, b) => a.start - b.start)
  return before.at(-1)?.page ?? claims.find(claim => claim.page !== null)?.page ?? null
}
