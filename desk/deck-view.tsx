/**
 * A presentation as slides, each with its number, its text and below it its notes. What made its text runs here again: the text is
 * parted into slides where it gives the same, and shown as one where it does not.
 */

import { useMemo } from 'preact/hooks'
import { notesHeading, readDeck } from '../src/files/deck.js'
import { FormattedText } from './formatted-text'
import { NoMark } from './no-mark'
import type { Passage } from './passages'
import { unpackParts } from './unzip'

export interface Deck {
  text: string
  /** From starts[i] on the text stands on slide labels[i]. */
  starts: number[]
  labels: string[]
}

const isWanted = (name: string) => /^ppt\/(?:_rels\/)?presentation\.xml|^ppt\/(?:slides|notesSlides|diagrams)\/.*\.(?:xml|rels)$/.test(name)

export async function openDeck(file: Blob): Promise<Deck> {
  const { text, places } = readDeck(await unpackParts(file, isWanted), Number.POSITIVE_INFINITY)
  return { text, starts: places?.starts ?? [], labels: places?.labels ?? [] }
}

interface Stretch {
  text: string
  passages: Passage[]
}

interface Slide {
  number: string
  said: Stretch
  notes: Stretch
}

export function DeckView({ deck, text, passages }: { deck: Deck; text: string; passages: readonly Passage[] }) {
  const slides = useMemo(() => (deck.text === text ? slidesOf(deck, passages) : null), [deck, text, passages])
  if (slides === null)
    return (
      <>
        <NoMark />
        <FormattedText text={text} passages={passages} />
      </>
    )
  return (
    <div class="deck">
      {slides.map(({ number, said, notes }) => (
        <section key={number} class="slide" aria-label={`Slide ${number}`}>
          <p class="muted small">Slide {number}</p>
          <FormattedText text={said.text} passages={said.passages} />
          {notes.text !== '' && (
            <aside class="slide-notes" aria-label={`Notes to slide ${number}`}>
              <FormattedText text={notes.text} passages={notes.passages} />
            </aside>
          )}
        </section>
      ))}
    </div>
  )
}

function slidesOf({ text, starts, labels }: Deck, passages: readonly Passage[]): Slide[] {
  const points = [...text]
  return starts.map((start, index) => {
    const end = starts[index + 1] ?? points.length
    const said = points.slice(start, end).join('')
    const line = said.search(new RegExp(`^${notesHeading}$`, 'm'))
    const parted = line < 0 ? end : start + [...said.slice(0, line)].length
    return {
      number: labels[index] as string,
      said: stretchOf(points, passages, start, parted),
      notes: line < 0 ? { text: '', passages: [] } : stretchOf(points, passages, parted, end),
    }
  })
}

function stretchOf(points: readonly string[], passages: readonly Passage[], start: number, end: number): Stretch {
  const own = passages.filter(each => each.start < end && each.end > start)
  return {
    text: points.slice(start, end).join(''),
    passages: own.map(each => ({ ...each, start: Math.max(0, each.start - start), end: Math.min(end, each.end) - start })),
  }
}
