/** A long list of which only what is near the window is drawn: the rest comes as it is scrolled to, and all of it to be printed. */

import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

const atOnce = 25

interface InViewProps<T> {
  items: readonly T[]
  draw: (item: T) => ComponentChildren
  /** What a list may hold. */
  as?: 'div' | 'li'
}

export function InView<T>({ items, draw, as: Rest = 'div' }: InViewProps<T>) {
  const [shown, setShown] = useState(atOnce)
  const end = useRef<HTMLButtonElement>(null)
  const isMore = shown < items.length
  useEffect(() => {
    if (end.current === null) return
    const near = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) setShown(before => before + atOnce)
      },
      { rootMargin: '600px' },
    )
    near.observe(end.current)
    const all = () => setShown(Number.POSITIVE_INFINITY)
    window.addEventListener('beforeprint', all)
    return () => {
      near.disconnect()
      window.removeEventListener('beforeprint', all)
    }
    // Observed anew after each lot: the end may still be in view, of which nothing is told again.
  }, [isMore, shown])
  return (
    <>
      {items.slice(0, shown).map(draw)}
      {isMore && (
        <Rest>
          <button type="button" ref={end} onClick={() => setShown(shown + atOnce)}>
            Show more of {items.length.toLocaleString('en')}
          </button>
        </Rest>
      )}
    </>
  )
}
