/** Lists of the API as async iterators: `for await` gives the items one by one and reads the next page when it is needed. */

export interface Page<T> {
  items: T[]
  next: string | null
}

export interface List<T> extends AsyncIterable<T> {
  pages(): AsyncIterable<Page<T>>
  /** All items, or the first `most`. */
  toArray(most?: number): Promise<T[]>
}

export type ReadPage<T> = (cursor: string | undefined) => Promise<Page<T>>

export function listOf<T>(readPage: ReadPage<T>): List<T> {
  return {
    [Symbol.asyncIterator]: () => itemsOf(readPage),
    pages: () => pagesOf(readPage),
    async toArray(most = Number.POSITIVE_INFINITY) {
      const items: T[] = []
      for await (const page of pagesOf(readPage)) {
        items.push(...page.items)
        if (items.length >= most) return items.slice(0, most)
      }
      return items
    },
  }
}

async function* pagesOf<T>(readPage: ReadPage<T>): AsyncGenerator<Page<T>, void, undefined> {
  let cursor: string | undefined
  for (;;) {
    const page = await readPage(cursor)
    yield page
    if (page.next === null) return
    cursor = page.next
  }
}

async function* itemsOf<T>(readPage: ReadPage<T>): AsyncGenerator<T, void, undefined> {
  for await (const page of pagesOf(readPage)) yield* page.items
}
