/**
 * What must stand in a text for a regular expression to match it: a few literals of which every match contains one.
 * Derived from the expression itself, so that whoever changes a pattern need not think of it. Literals are written over a
 * small alphabet: lower-case word characters as they are, everything else as one `BREAK`.
 */

/** Any character that is no ASCII letter, digit or underscore, and the ends of the text. */
export const BREAK = ' '
/** `\b` while a literal is being put together. */
const EDGE = '\u0001'

const MAX_EXACT = 400
const MIN_LETTERS = 2
/** Longer literals tell no more and only make the table of them larger. */
const MAX_LENGTH = 12

/** `exact`: all strings the part can be, when they are few. `needs`: literals of which every match of the part contains one. */
interface Part {
  exact: string[] | null
  needs: string[] | null
}

const ANY: Part = { exact: null, needs: null }
const EMPTY: Part = { exact: [''], needs: null }

const isWord = (char: string): boolean => /^[a-z0-9_]$/.test(char)

/** The literals an expression needs; null when it has none that are long enough to tell anything. */
export function requiredLiterals(pattern: RegExp): string[] | null {
  const parser = new Parser(pattern.source)
  const part = parser.alternatives()
  const literals = bestOf([literalsOf(part.exact), part.needs])
  return literals === null ? null : minimal(literals)
}

/** `\b` beside a word character is a break on its other side. */
function settle(text: string): string {
  let out = ''
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!
    if (char !== EDGE) out += char
    else if (out.at(-1) !== BREAK && text[i + 1] !== BREAK && text[i + 1] !== EDGE && !(out === '' && i + 1 === text.length)) out += BREAK
  }
  return out
}

function literalsOf(exact: readonly string[] | null): string[] | null {
  if (exact === null || exact.length === 0) return null
  const literals = exact.map(text => settle(text).slice(0, MAX_LENGTH))
  return literals.every(text => [...text].filter(isWord).length >= MIN_LETTERS) ? literals : null
}

/** The set whose shortest literal is longest tells most; of equals the smaller one. */
function bestOf(sets: readonly (string[] | null)[]): string[] | null {
  let best: string[] | null = null
  const shortest = (set: readonly string[]): number => Math.min(...set.map(text => text.length))
  for (const set of sets) {
    if (set === null) continue
    if (best === null || shortest(set) > shortest(best) || (shortest(set) === shortest(best) && set.length < best.length)) best = set
  }
  return best
}

/** Without those that contain another of the set. */
function minimal(literals: readonly string[]): string[] {
  const unique = [...new Set(literals)]
  return unique.filter(text => !unique.some(other => other !== text && text.includes(other)))
}

/** Reads the source of an expression as far as literals need it; what it does not know counts as anything. */
class Parser {
  private readonly source: string
  private at = 0

  constructor(source: string) {
    this.source = source
  }

  alternatives(): Part {
    const parts = [this.sequence()]
    while (this.source[this.at] === '|') {
      this.at++
      parts.push(this.sequence())
    }
    if (parts.length === 1) return parts[0]!
    const exact = parts.every(part => part.exact !== null) ? [...new Set(parts.flatMap(part => part.exact!))] : null
    const needs = parts.map(part => bestOf([literalsOf(part.exact), part.needs]))
    return {
      exact: exact !== null && exact.length <= MAX_EXACT ? exact : null,
      needs: needs.every(set => set !== null) ? needs.flat() : null,
    }
  }

  private sequence(): Part {
    const sets: (string[] | null)[] = []
    let exact = ['']
    let whole = true
    const flush = (): void => {
      sets.push(literalsOf(exact))
      whole = false
      exact = ['']
    }
    while (this.at < this.source.length && this.source[this.at] !== '|' && this.source[this.at] !== ')') {
      const part = this.quantified()
      sets.push(part.needs)
      if (part.exact === null) flush()
      else if (exact.length * part.exact.length <= MAX_EXACT) exact = exact.flatMap(left => part.exact!.map(right => left + right))
      else {
        flush()
        exact = part.exact
      }
    }
    if (!whole) sets.push(literalsOf(exact))
    return whole ? { exact, needs: bestOf(sets) } : { exact: null, needs: bestOf(sets) }
  }

  private quantified(): Part {
    const part = this.atom()
    const match = /^(?:[*+?]|\{(\d+)(?:,(\d*))?\})/.exec(this.source.slice(this.at, this.at + 12))
    if (!match) return part
    this.at += match[0].length
    if (this.source[this.at] === '?') this.at++
    if (match[0] === '?') return { exact: part.exact ? ['', ...part.exact] : null, needs: null }
    const least = match[0] === '+' ? 1 : match[0] === '*' ? 0 : Number(match[1])
    if (least === 0) return ANY
    if (match[0] === `{${match[1]}}` && least === 1) return part
    return { exact: null, needs: bestOf([literalsOf(part.exact), part.needs]) }
  }

  private atom(): Part {
    const char = this.source[this.at]!
    if (char === '(') return this.group()
    if (char === '[') return this.set()
    if (char === '\\') return this.escape()
    const whole = String.fromCodePoint(this.source.codePointAt(this.at)!)
    this.at += whole.length
    if (char === '.') return ANY
    // The ends of the text are breaks.
    return char === '^' || char === '$' ? { exact: [EDGE], needs: null } : literal(whole)
  }

  private group(): Part {
    const opening = /^\((\?(?:[:=!]|<[=!]|<[^>]+>))?/.exec(this.source.slice(this.at, this.at + 40))!
    this.at += opening[0].length
    const part = this.alternatives()
    this.at++
    // What only looks ahead or behind takes no room, and asks for less when it is left out.
    return opening[1] !== undefined && /^\?(?:[=!]|<[=!])/.test(opening[1]) ? EMPTY : part
  }

  private escape(): Part {
    const kind = this.source[this.at + 1]!
    this.at += 2
    if (kind === 'b') return { exact: [EDGE], needs: null }
    if (kind === 'p' || kind === 'P') {
      this.at = this.source.indexOf('}', this.at) + 1
      return ANY
    }
    if (kind === 'u') {
      this.at += this.source[this.at] === '{' ? this.source.indexOf('}', this.at) - this.at + 1 : 4
      return ANY
    }
    if (kind === 's' || kind === 'n' || kind === 'r' || kind === 't') return { exact: [BREAK], needs: null }
    return /[a-zA-Z0-9]/.test(kind) ? ANY : literal(kind)
  }

  /** A set of a few word characters, or of none at all. */
  private set(): Part {
    const from = this.at
    for (this.at++; this.source[this.at] !== ']'; this.at++) if (this.source[this.at] === '\\') this.at++
    this.at++
    const inside = this.source.slice(from + 1, this.at - 1)
    if (inside.startsWith('^') || inside.includes('\\') || /\w-\w/.test(inside)) return ANY
    const chars = [...new Set([...inside].map(char => literal(char).exact?.[0] ?? ''))]
    if (chars.includes('')) return ANY
    return chars.length <= 4 ? { exact: chars, needs: null } : ANY
  }
}

function literal(char: string): Part {
  if (char.length > 1) return ANY
  const lower = char.toLowerCase()
  return { exact: [isWord(lower) ? lower : BREAK], needs: null }
}
