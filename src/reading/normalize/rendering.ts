/**
 * A plain-text rendering under construction that remembers, run by run, where every character came from.
 * Copied runs map character by character; decoded runs (an entity, an escape, a collapsed blank) stand for a source
 * range as a whole; synthetic runs (our own `# ` or `| `) stand for nothing and only have an anchor.
 */
import { storable } from '../../platform/storable-text.js'
import { insidePair } from './code-points.js'
import type { TextKind } from './text-kind.js'

export type RunOrigin = 'copied' | 'decoded' | 'synthetic'

export interface SourceSpan {
  start: number
  end: number
}

export interface NormalizedText {
  readonly kind: TextKind
  /**
   * Plain text that can be stored: `# ` headings, `| a | b |` tables with a `|---|` row under the header, `- ` items, blank lines
   * between paragraphs.
   */
  readonly text: string
  /**
   * The tight slice of the submitted text that a range of `text` stands for, in UTF-16 offsets: within bounds, on code
   * point boundaries, and never empty unless the submitted text is. Markup between the first and last character is included.
   */
  sourceSpan(start: number, end: number): SourceSpan
  /** Whether the character at the offset was copied, decoded from markup, or added by the rendering. */
  originAt(offset: number): RunOrigin
}

interface Run {
  readonly origin: RunOrigin
  /** What is rendered; null for copied runs, whose text is the source slice. */
  readonly text: string | null
  readonly start: number
  readonly end: number
}

export class Rendering {
  private readonly source: string
  private readonly runs: Run[] = []
  /** Length of what was rendered so far. */
  length = 0

  constructor(source: string) {
    this.source = source
  }

  copy(start: number, end: number): this {
    if (end <= start) return this
    const last = this.runs[this.runs.length - 1]
    if (last?.origin === 'copied' && last.end === start) {
      this.runs[this.runs.length - 1] = { origin: 'copied', text: null, start: last.start, end }
    } else {
      this.runs.push({ origin: 'copied', text: null, start, end })
    }
    this.length += end - start
    return this
  }

  /** `text` is rendered in place of the non-empty source range. */
  decode(text: string, start: number, end: number): this {
    if (text === '') return this
    this.runs.push({ origin: 'decoded', text, start, end })
    this.length += text.length
    return this
  }

  /** `text` is ours; `at` is where in the source it belongs. */
  add(text: string, at: number): this {
    if (text === '') return this
    const last = this.runs[this.runs.length - 1]
    // Neighbouring synthetic runs are merged, so that a range always meets a real run within two steps.
    if (last?.origin === 'synthetic') {
      this.runs[this.runs.length - 1] = { ...last, text: last.text + text }
    } else {
      this.runs.push({ origin: 'synthetic', text, start: at, end: at })
    }
    this.length += text.length
    return this
  }

  append(other: Rendering): this {
    for (const run of other.runs) {
      if (run.origin === 'copied') this.copy(run.start, run.end)
      else if (run.origin === 'decoded') this.decode(run.text ?? '', run.start, run.end)
      else this.add(run.text ?? '', run.start)
    }
    return this
  }

  /** Where the first run lies in the source; 0 for an empty rendering. */
  get anchor(): number {
    return this.runs[0]?.start ?? 0
  }

  /** Where the last run ends in the source. */
  get tail(): number {
    return this.runs[this.runs.length - 1]?.end ?? 0
  }

  /** The last `count` characters rendered, or fewer when the last run is shorter. */
  ending(count: number): string {
    const last = this.runs[this.runs.length - 1]
    if (last === undefined) return ''
    return last.text?.slice(-count) ?? this.source.slice(Math.max(last.start, last.end - count), last.end)
  }

  toString(): string {
    return this.runs.map(run => run.text ?? this.source.slice(run.start, run.end)).join('')
  }

  finish(kind: TextKind): NormalizedText {
    return new Rendered(kind, this.source, storable(this.toString()), [...this.runs])
  }
}

/** A class, so that what the engine makes of its methods for one document serves the next. */
class Rendered implements NormalizedText {
  readonly kind: TextKind
  readonly text: string
  private readonly source: string
  private readonly runs: readonly Run[]
  private readonly starts: Uint32Array
  private monotone = true

  constructor(kind: TextKind, source: string, text: string, runs: readonly Run[]) {
    this.kind = kind
    this.text = text
    this.source = source
    this.runs = runs
    this.starts = new Uint32Array(runs.length)
    let at = 0
    let reached = 0
    for (let index = 0; index < runs.length; index++) {
      const run = runs[index]!
      this.starts[index] = at
      at += run.text?.length ?? run.end - run.start
      if (run.origin === 'synthetic') continue
      if (run.start < reached) this.monotone = false
      reached = Math.max(reached, run.end)
    }
  }

  sourceSpan(start: number, end: number): SourceSpan {
    const { text, runs, starts } = this
    const from = Math.min(Math.max(Math.floor(start) || 0, 0), Math.max(text.length - 1, 0))
    const to = Math.min(Math.max(Math.floor(end) || 0, from + 1), text.length)
    const first = lastAtOrBefore(starts, from)
    const last = lastAtOrBefore(starts, to - 1)
    const span = { start: Number.POSITIVE_INFINITY, end: -1 }
    // In source order only the outermost real runs matter, and those are at most one synthetic run away from the ends.
    const outermost = this.monotone && last - first > 4
    for (let index = first; index <= last; index++) {
      if (outermost && index === first + 2) index = last - 1
      this.widen(span, index, from, to)
    }
    if (span.end < 0) span.start = span.end = runs[first]?.start ?? 0
    return onCodePoints(this.source, span)
  }

  private widen(span: SourceSpan, index: number, from: number, to: number): void {
    const run = this.runs[index]
    if (run === undefined || run.origin === 'synthetic') return
    const copied = run.origin === 'copied'
    const base = run.start - (this.starts[index] ?? 0)
    span.start = Math.min(span.start, copied ? Math.max(run.start, base + from) : run.start)
    span.end = Math.max(span.end, copied ? Math.min(run.end, base + to) : run.end)
  }

  originAt(offset: number): RunOrigin {
    return this.runs[lastAtOrBefore(this.starts, Math.max(0, offset))]?.origin ?? 'synthetic'
  }
}

function onCodePoints(source: string, span: SourceSpan): SourceSpan {
  let start = Math.min(span.start, Math.max(source.length - 1, 0))
  let end = Math.min(Math.max(span.end, start + 1), source.length)
  if (insidePair(source, start)) start--
  if (insidePair(source, end)) end++
  return { start, end }
}

function lastAtOrBefore(starts: Uint32Array, offset: number): number {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((starts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return low
}
