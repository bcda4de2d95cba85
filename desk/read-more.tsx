/** Lists are read from their beginning as far as somebody wants to look: each time more is asked for, a lot more. */

import { type MutableRef, useRef } from 'preact/hooks'
import { ActButton } from './parts'

interface Read {
  /** So many are read at most. */
  most: number
  atOnce: number
}

/** What a list is read with: kept while it is on the screen, and read again as far when something happens. */
export function useMost(atOnce: number): MutableRef<Read> {
  return useRef({ most: atOnce, atOnce })
}

interface ReadMoreProps {
  of: MutableRef<Read>
  /** Several where what is shown is put together of them. */
  read: readonly (readonly unknown[] | undefined)[]
  reload: () => Promise<unknown>
  /** Whether what is searched is what was read. */
  isSearched?: boolean
}

/** Nothing where the list is at its end. */
export function ReadMore({ of, read, reload, isSearched = false }: ReadMoreProps) {
  const { most } = of.current
  if (!read.some(each => each !== undefined && each.length >= most)) return null
  const readOn = async () => {
    of.current = { ...of.current, most: most + of.current.atOnce }
    await reload()
  }
  return (
    <div class="acts">
      <span class="muted">
        The first {most.toLocaleString('en')} are shown{isSearched && ' and searched'}.
      </span>
      <ActButton act={readOn}>Read more</ActButton>
    </div>
  )
}
