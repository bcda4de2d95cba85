/**
 * Places in lists. A cursor is opaque base64url JSON, bound to the list it came from: the same list of another scope,
 * another tenant, another generation or with other filters refuses it instead of giving a page of something else.
 */

import { createHash } from 'node:crypto'
import { AppError, invalidMember } from '../platform/errors.js'
import { isStorable } from './storable.js'
import type { Page } from './types.js'

export const defaultLimit = 50
export const maximumLimit = 200

/** `number` is a whole number, as keys are; `int4` one that a column of four bytes holds; `real` any. */
export type PlaceKind = 'string' | 'number' | 'int4' | 'real'

/** A place is the sort key of the last item given. */
export type Place = readonly (string | number)[]

export interface PageRequest {
  limit?: number | undefined
  cursor?: string | undefined
}

/** Which list: its name, then everything that decides its content. */
export type ListIdentity = readonly (string | number | boolean | null | undefined)[]

export interface Paging {
  limit: number
  after: Place | null
}

/** Reads the request for a page; `shape` says what the place of this list consists of. */
export function readPaging(request: PageRequest, list: ListIdentity, shape: readonly PlaceKind[]): Paging {
  const limit = request.limit ?? defaultLimit
  if (!Number.isInteger(limit) || limit < 1 || limit > maximumLimit) {
    throw invalidMember('/limit', `must be a whole number from 1 to ${maximumLimit}`)
  }
  return { limit, after: request.cursor === undefined ? null : readCursor(request.cursor, list, shape) }
}

/** Makes the page out of up to `limit` + 1 rows: one more than asked for tells whether there is a next page. */
export function pageOf<Row, Item>(
  rows: readonly Row[],
  paging: Paging,
  list: ListIdentity,
  make: { place: (row: Row) => Place; item: (row: Row) => Item },
): Page<Item> {
  const shown = rows.slice(0, paging.limit)
  const last = shown.at(-1)
  const next = rows.length > paging.limit && last !== undefined ? writeCursor(list, make.place(last)) : null
  return { items: shown.map(make.item), next }
}

export function writeCursor(list: ListIdentity, place: Place): string {
  return Buffer.from(JSON.stringify([fingerprint(list), ...place])).toString('base64url')
}

function readCursor(cursor: string, list: ListIdentity, shape: readonly PlaceKind[]): Place {
  const content = decode(cursor)
  const [mark, ...place] = Array.isArray(content) ? content : []
  const fits =
    mark === fingerprint(list) && place.length === shape.length && place.every((part, index) => isOfKind(part, shape[index] as PlaceKind))
  if (!fits) throw new AppError('CURSOR_INVALID', { detail: 'The cursor is not one of this list.' })
  return place as Place
}

function decode(cursor: string): unknown {
  if (cursor.length > 2000 || !/^[A-Za-z0-9_-]+$/.test(cursor)) return undefined
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  } catch {
    // Not JSON: an invalid cursor.
    return undefined
  }
}

/** A cursor can be made up: what the database would refuse as a value must not get there. */
function isOfKind(part: unknown, kind: PlaceKind): boolean {
  switch (kind) {
    case 'string':
      return typeof part === 'string' && isStorable(part)
    case 'number':
      return Number.isSafeInteger(part)
    case 'int4':
      return Number.isInteger(part) && Math.abs(part as number) < 2 ** 31
    case 'real':
      return Number.isFinite(part)
  }
}

function fingerprint(list: ListIdentity): string {
  return createHash('sha256')
    .update(JSON.stringify(list.map(part => part ?? null)))
    .digest('base64url')
    .slice(0, 12)
}
