/** Pages of a list that are no longer than an agent can take: fewer items, never half of one. */

import { fits } from './answers.js'

interface ListPage {
  items: object[]
  next: string | null
}

const usualLimit = 20

/** A page that is too long is read again with as many items as fit, so that its cursor goes on right after them. */
export async function pageThatFits(
  query: Record<string, unknown>,
  read: (query: Record<string, unknown>) => Promise<ListPage>,
): Promise<ListPage> {
  const page = brief(await read({ ...query, limit: query['limit'] ?? usualLimit }))
  if (fits(page)) return page
  let count = page.items.length - 1
  while (count > 1 && !fits({ ...page, items: page.items.slice(0, count) })) count--
  return brief(await read({ ...query, limit: Math.max(1, count) }))
}

/** Who else says the same is a matter of `supporters`, which counts them. */
function brief({ items, next }: ListPage): ListPage {
  const short = items.map(item => Object.fromEntries(Object.entries(item).filter(([name]) => !/^supporters_[ab]$/.test(name))))
  return { items: short, next }
}
