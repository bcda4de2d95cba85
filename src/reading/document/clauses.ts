/**
 * The clause a figure stands in. A sentence or answer with several figures says something else with each of them: what the
 * clause says is said of the figure, what the rest of the statement says stands above it.
 */
import { matchesOf } from '../matches.js'
import type { Tokens, Word } from '../words/tokens.js'
import { type Frame, type FrameWord, flagsOf, NAME } from './frames.js'
import { type Above, periodOf, type ReadLines } from './read-lines.js'
import type { Statement } from './statements.js'

export interface Span {
  start: number
  end: number
}

const BREAK =
  /[;()[\]]|\s[–—]\s|,\s(?:and|but|while|whereas|which|who|where|although|though|so|of which|because|compared|against|instead|not)\b|\s(?:but|while|whereas|although|though|because)\s|\sand\s|,\s/gi
const STRONG = 3

/** Nothing less than this divides what stands before the first figure or behind the last. */
function strengthOf(text: string): number {
  if (/^[;()[\]]|[–—]/.test(text)) return 4
  if (/^,\s\w|\w/.test(text)) return /^\sand\s$/i.test(text) ? 2 : STRONG
  return 1
}

interface Break extends Span {
  strength: number
}

/** Figures between which nothing divides the text share their clause. */
export function clauseOf(breaks: readonly Break[], whole: Span, figures: readonly Span[], at: number): Span {
  const figure = figures[at]!
  let { start, end } = whole
  for (let i = at - 1; i >= 0; i--) {
    const best = strongest(breaks, figures[i]!.end, figure.start)
    if (best === null) continue
    start = best.end
    break
  }
  for (let i = at + 1; i < figures.length; i++) {
    const best = strongest(breaks, figure.end, figures[i]!.start)
    if (best === null) continue
    end = best.start
    break
  }
  for (const each of breaks) {
    if (each.strength < STRONG) continue
    if (each.end <= figure.start && each.start > start) start = each.end
    if (each.start >= figure.end && each.start < end) end = each.start
  }
  return { start, end }
}

/** Where a text can be divided: behind its label, and not inside of a figure. */
export function breaksIn(text: string, labelEnd: number, figures: readonly Span[]): Break[] {
  const found: Break[] = []
  for (const match of matchesOf(BREAK, text)) {
    const [start, end] = [match.index, match.index + match[0].length]
    if (start < labelEnd || figures.some(figure => start < figure.end && end > figure.start)) continue
    found.push({ start, end, strength: strengthOf(match[0]) })
  }
  return found
}

function strongest(breaks: readonly Break[], from: number, to: number): Break | null {
  let best: Break | null = null
  for (const each of breaks) if (each.start >= from && each.end <= to && (best === null || each.strength > best.strength)) best = each
  return best
}

/** The frame of a statement as one of its figures sees it. */
export function clauseFrame(
  statement: Statement,
  frame: Frame,
  tokens: Tokens,
  figures: readonly Span[],
  clause: Span,
  lines: ReadLines,
): Frame {
  const { text, labelEnd } = statement
  if (clause.start <= labelEnd && clause.end >= text.length) return frame
  const end = endOf(text, clause, figures)
  const dates = datesOf(tokens, { start: clause.start, end }, figures)
  const said = text.slice(clause.start, end)
  const inside = ({ start }: { start: number }): boolean => start < labelEnd || (start >= clause.start && start < clause.end)
  const own: FrameWord[] = []
  const rest: FrameWord[] = []
  for (const [index, word] of frame.words.entries()) {
    const at = tokens.words[index]!
    // Who is named before the clause is spoken of in it as well.
    const isNamed = (word[1] & NAME) !== 0 && at.end <= clause.start
    ;(isNamed || inside(at) ? own : rest).push(word)
  }
  // What lists figures says its verb and what it speaks of once, before the first of them.
  const isListed = labelEnd === 0 && clause.start > figures[0]!.end && !tokens.words.some(word => inside(word) && isVerb(word))
  const lead = isListed ? leadOf(frame, tokens, figures[0]!) : []
  const identifiers = frame.identifiers.filter(id => {
    const found = tokens.identifiers.find(each => each.key === id)
    return found === undefined || inside(found)
  })
  return {
    ...frame,
    ...flagsOf(`${text.slice(0, labelEnd)} ${said}`, statement, tokens, lines),
    words: [...lead, ...own],
    identifiers,
    dates,
    above: withContext(
      frame.above,
      rest,
      frame.identifiers.filter(id => !identifiers.includes(id)),
    ),
  }
}

const isVerb = (word: Word): boolean => word.predicate

function leadOf(frame: Frame, tokens: Tokens, first: Span): FrameWord[] {
  return frame.words.filter((_, index) => tokens.words[index]!.end <= first.start)
}

function withContext(above: Above, rest: readonly FrameWord[], identifiers: readonly string[]): Above {
  const names = rest.filter(([, flags]) => (flags & NAME) !== 0).map(([lemma]) => lemma)
  return {
    ...above,
    words: [...new Set([...rest.map(([lemma]) => lemma), ...above.words])].slice(0, 48),
    names: [...new Set([...names, ...above.names])].slice(0, 16),
    identifiers: [...new Set([...identifiers, ...above.identifiers])].slice(0, 8),
  }
}

/** A bracket without figures says how the one before it is meant: "about 5 km/h (driver's estimate)". */
function endOf(text: string, { end }: Span, figures: readonly Span[]): number {
  const bracket = text[end] === '(' ? text.indexOf(')', end) : -1
  return bracket > 0 && !figures.some(({ start }) => start > end && start < bracket) ? bracket : end
}

/** Days of the clause; else those before the first figure; else all of them. */
function datesOf({ dates }: Tokens, clause: Span, figures: readonly Span[]): Frame['dates'] {
  const own = dates.filter(({ start }) => start >= clause.start && start < clause.end)
  const found = own.length > 0 ? own : dates.filter(({ start }) => start < (figures[0]?.start ?? 0))
  return (found.length > 0 ? found : dates).map(periodOf).slice(0, 6)
}
