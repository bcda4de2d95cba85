/** Lists are read from their beginning as far as somebody wants to look: each time more is asked for, a lot more. */

import { type MutableRef, useRef, useState } from 'preact/hooks'
import { ActButton } from './parts'

interface Read {
  /** So many are read at most. */
  most: number
  /** So many were asked for when it was last read. */
  shown: number
  atOnce: number
}

/** What a list is read with: kept while it is on the screen, and read again as far when something happens. */
export function useMost(atOnce: number): MutableRef<Read> {
  return useRef({ most: atOnce, shown: atOnce, atOnce })
}

interface ReadMoreProps {
  of: MutableRef<Read>
  /** Several where what is shown is put together of them. */
  read: readonly (readonly unknown[] | undefined)[]
  /** Tells whether it worked. */
  reload: () => Promise<boolean>
  /** Whether what is searched is what was read. */
  isSearched?: boolean
}

/** Nothing where the list is at its end. */
export function ReadMore({ of, read, reload, isSearched = false }: ReadMoreProps) {
  const [, setTimesRead] = useState(0)
  const { shown } = of.current
  if (!read.some(each => each !== undefined && each.length >= shown)) return null
  const readOn = async () => {
    of.current.most = shown + of.current.atOnce
    if (await reload()) of.current.shown = of.current.most
    else of.current.most = shown
    setTimesRead(times => times + 1)
  }
  return (
    <div class="acts">
      <span class="muted">
        The first {shown.toLocaleString('en')} are shown{isSearched && ' and searched'}.
      </span>
      <ActButton act={readOn}>Read more</ActButton>
    </div>
  )
}
