import { describe, expect, it } from 'vitest'
import { NOT_THAT } from '../document/says.js'
import { TIME } from '../values/clock.js'
import { formsIn, type Hint, hasHint } from './forms.js'
import { BASIS, PRICED, RATE, ROLES, WHEN } from './roles.js'
import { NEGATION, PUTS_RIGHT } from './stems.js'
import { FRACTION } from './tokens.js'

/** Expressions that are tried only where a word sets their hint; `otherwise` is what else lets them be tried. */
const HINTED: [hint: Hint, form: RegExp, otherwise?: RegExp][] = [
  ...ROLES.map(([hint, form]): [Hint, RegExp] => [hint, form]),
  ['rate', RATE, /\//],
  ['priced', PRICED],
  ['when', WHEN],
  ['basis', BASIS],
  ['negation', NEGATION],
  ['denial', NOT_THAT],
  ['correction', PUTS_RIGHT],
  ['clock', TIME, /\d[:.]\d/],
  ['fraction', FRACTION],
]

describe('an expression that is tried only where a hint stands', () => {
  it.each(HINTED)('is tried on whatever it matches: %s', (hint, form, otherwise) => {
    const found = new Set<string>()
    for (const words of examplesOf(form.source))
      for (const text of [words, `It ${words} 5`, `5 ${words} x`, `is 5 euros ${words}`, `It is so${words}.`, `in ${words} the `]) {
        form.lastIndex = 0
        if (form.test(text)) found.add(text)
      }
    expect(found.size).toBeGreaterThan(0)
    expect([...found].filter(text => !hasHint(formsIn(text).hints, hint) && !otherwise?.test(text))).toEqual([])
  })
})

/** Texts that have each alternative of an expression at least once; one of them may match nothing. */
function examplesOf(source: string): string[] {
  let at = 0
  const alternatives = (): string[] => {
    const all: string[] = []
    for (;;) {
      all.push(...sequence())
      if (source[at] !== '|') return all
      at++
    }
  }
  const sequence = (): string[] => {
    const parts: string[][] = []
    while (at < source.length && source[at] !== '|' && source[at] !== ')') parts.push(repeated(part()))
    const first = parts.map(([text = '']) => text)
    return [
      first.join(''),
      ...parts.flatMap((texts, i) => texts.slice(1).map(text => [...first.slice(0, i), text, ...first.slice(i + 1)].join(''))),
    ]
  }
  const part = (): string[] => {
    const opening = /^\((?:\?(?:[:=!]|<[=!]))?/.exec(source.slice(at))?.[0]
    if (opening !== undefined) {
      at += opening.length
      const texts = alternatives()
      at++
      return opening.includes('!') ? [''] : texts
    }
    const [atom = ''] = /^(?:\\p\{\w+\}|\\.|\[(?:\\.|[^\]])+\]|.)/su.exec(source.slice(at)) ?? []
    at += atom.length
    if (/^(?:\\b|[$^])$/.test(atom)) return ['']
    if (atom.length === 1) return [atom === '.' ? 'x' : atom]
    const one = [...' x5X€,:y.'].find(char => new RegExp(`^${atom}$`, 'u').test(char))
    return [one ?? atom.slice(-1)]
  }
  const repeated = (texts: string[]): string[] => {
    const [often = ''] = /^(?:[?*+]|\{\d+(?:,\d*)?\})\??/.exec(source.slice(at)) ?? []
    at += often.length
    const least = Number(/\d+/.exec(often)?.[0] ?? (often === '' || often.startsWith('+') ? 1 : 0))
    return least > 1 ? texts.map(text => text.repeat(least)) : least === 0 ? [...texts, ''] : texts
  }
  return alternatives()
}
