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

interface Run extends SourceSpan {
  readonly origin: RunOrigin
  text: string
  /** Where in the rendering it begins. */
  readonly at: number
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
    const last = this.runs.at(-1)
    if (last?.origin !== 'copied' || last.end !== start) return this.push('copied', this.source.slice(start, end), { start, end })
    last.text = this.source.slice(last.start, end)
    last.end = end
    this.length += end - start
    return this
  }

  /** `text` is rendered in place of the non-empty source range. */
  decode(text: string, start: number, end: number): this {
    return this.push('decoded', text, { start, end })
  }

  /** `text` is ours; `at` is where in the source it belongs. */
  add(text: string, at = this.tail): this {
    return this.push('synthetic', text, { start: at, end: at })
  }

  /** Copies a source range with what the pattern finds in it replaced; where it finds a place and no characters, the text is ours. */
  replace(start: number, end: number, pattern: RegExp, decoded: (found: string) => string): this {
    let from = start
    for (const { 0: found, index } of this.source.slice(start, end).matchAll(pattern)) {
      this.copy(from, start + index)
      from = start + index + found.length
      if (found === '') this.add(decoded(found), from)
      else this.decode(decoded(found), start + index, from)
    }
    return this.copy(from, end)
  }

  append(other: Rendering): this {
    for (const run of other.runs) {
      if (run.origin === 'copied') this.copy(run.start, run.end)
      else this.push(run.origin, run.text, run)
    }
    return this
  }

  private push(origin: RunOrigin, text: string, { start, end }: SourceSpan): this {
    const last = this.runs.at(-1)
    if (origin === 'synthetic' && last?.origin === origin) last.text += text
    else if (text !== '') this.runs.push({ origin, text, start, end, at: this.length })
    this.length += text.length
    return this
  }

  /** Where the first run lies in the source; 0 for an empty rendering. */
  get anchor(): number {
    return this.runs[0]?.start ?? 0
  }

  /** Where the last run ends in the source. */
  get tail(): number {
    return this.runs.at(-1)?.end ?? 0
  }

  /** The last `count` characters rendered, or fewer when the last run is shorter. */
  ending(count: number): string {
    return this.runs.at(-1)?.text.slice(-count) ?? ''
  }

  toString(): string {
    return this.runs.map(run => run.text).join('')
  }

  /** What was rendered is the submitted text, or the rest of it behind a byte order mark. */
  finish(kind: TextKind, submitted: string): NormalizedText {
    return new Rendered(kind, submitted, storable(this.toString()), this.runs, submitted.length - this.source.length)
  }
}

/** A class, so that what the engine makes of its methods for one document serves the next. */
class Rendered implements NormalizedText {
  readonly kind: TextKind
  readonly text: string
  private readonly submitted: string
  private readonly runs: readonly Run[]
  private readonly shift: number

  constructor(kind: TextKind, submitted: string, text: string, runs: readonly Run[], shift: number) {
    this.kind = kind
    this.text = text
    this.submitted = submitted
    this.runs = runs
    this.shift = shift
  }

  sourceSpan(start: number, end: number): SourceSpan {
    const { runs, shift, text, submitted } = this
    const from = Math.min(Math.max(Math.floor(start) || 0, 0), Math.max(text.length - 1, 0))
    const to = Math.min(Math.max(Math.floor(end) || 0, from + 1), text.length)
    const first = this.runAt(from)
    let low = Number.POSITIVE_INFINITY
    let high = -1
    for (let index = first; index < runs.length && runs[index]!.at < to; index++) {
      const run = runs[index]!
      if (run.origin === 'synthetic') continue
      const copied = run.origin === 'copied'
      low = Math.min(low, copied ? run.start + Math.max(from - run.at, 0) : run.start)
      high = Math.max(high, copied ? Math.min(run.start + to - run.at, run.end) : run.end)
    }
    if (high < 0) low = high = runs[first]?.start ?? 0
    low = Math.min(low + shift, Math.max(submitted.length - 1, 0))
    high = Math.min(Math.max(high + shift, low + 1), submitted.length)
    return { start: insidePair(submitted, low) ? low - 1 : low, end: insidePair(submitted, high) ? high + 1 : high }
  }

  originAt(offset: number): RunOrigin {
    return this.runs[this.runAt(offset)]?.origin ?? 'synthetic'
  }

  /** The last run that begins at or before the offset. */
  private runAt(offset: number): number {
    let low = 0
    let high = this.runs.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.runs[middle]!.at <= offset) low = middle
      else high = middle - 1
    }
    return low
  }
}
