/** A page of a list whose rows are in the order of one id. */

import { type ListIdentity, type PageRequest, pageOf, readPaging } from '../scopes/cursors.js'
import type { Answer } from './handler.js'

/** What is read behind the id of the last row of the page before: one more than is shown tells whether there is a next page. */
export interface PageRead {
  after: string | null
  limit: number
}

export async function pageAnswer<Row, Item = Row>(
  request: PageRequest,
  list: ListIdentity,
  read: (page: PageRead) => Promise<readonly Row[]>,
  make: { id: (row: Row) => string; item?: (row: Row) => Item },
): Promise<Answer> {
  const paging = readPaging(request, list, ['string'])
  const rows = await read({ after: (paging.after?.[0] as string | undefined) ?? null, limit: paging.limit + 1 })
  const { id, item = (row: Row) => row as unknown as Item } = make
  return { body: pageOf(rows, paging, list, { place: row => [id(row)], item }) }
}
