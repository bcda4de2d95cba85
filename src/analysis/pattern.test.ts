import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pattern } from './pattern.js'
import { requiredLiterals } from './required.js'

const EXPRESSIONS = [
  /\b(?:pending|in progress|under (?:review|way)|disput\w*|not yet)\b/i,
  /\blimits?\b|\bfinal(?:i[sz]ed)?$/i,
  /^(?:not|rather than)\s(?:the\s)?\p{L}+/iu,
  /(?<![\p{L}-])(?:non-?current|long-term)(?![\p{L}-])/iu,
  /\b(?:may|MAY|can)\b/,
  /, not (?:the )?[\d€(]|n't\b/i,
  /\b(?:has|is)\s+(?:\w+ly\s+)?(?:closed|open)\b|[:—-]\s*(?:closed|open)$/i,
  /(?:risk|level)+ is (?:very )?(?:low|high){1,2}/i,
  /\b20\d\d[EF]\b|\best\.|q[1-4] of/i,
  /\d+ ?%|x/,
  /^un.|^\d/,
  /^[a-z]{2,}(?:ed|en|wn)$/,
  /^(?:risk|[^\w\s])?\s*[k-s]/iu,
  /(?:closed|[.!?]|\p{L}\d?)$/u,
  /[(€]\s?\d|[^\p{L}\d\s]{2}/u,
  /^(?!not)(?:\p{Lu}|[“"]?\p{Ll}{3,})(?=\s)/u,
]

const PIECES = [
  ...'pending|in progress|under|review|way|disputed|not yet|limit|limits|final|finalised|FINALIZED|not|rather than|the|non-current|noncurrent'.split(
    '|',
  ),
  ..."long-term|may|MAY|May|can|, not|(|5|€|don’t|don't|has|is|newly|closed|open|: |—|risk|risklevel|level|very|low|highhigh|2024E|est.|q3 of|5 %|x".split(
    '|',
  ),
  ...'é|ß|ſ|K|riſk|naïve|_|-|\n|\u00a0|😀'.split('|'),
]

const PATTERNS = EXPRESSIONS.map(expression => ({ expression, tried: pattern(expression) }))

describe('a pattern', () => {
  it('answers as its expression does, whatever the text', () => {
    const text = fc.array(fc.tuple(fc.constantFrom(...PIECES), fc.constantFrom(' ', '', '  ', '\n', '.')), { maxLength: 12 })
    fc.assert(
      fc.property(text, pieces => {
        const words = pieces.flat().join('')
        for (const { expression, tried } of PATTERNS) {
          expect(tried.test(words)).toBe(expression.test(words))
          expect(tried.exec(words)?.index).toBe(expression.exec(words)?.index)
        }
      }),
      { numRuns: 400 },
    )
  })

  it('is not tried where none of its literals stands', () => {
    const open = pattern(/\b(?:pending|in progress)\b/i)
    expect(open.possible('the matter was closed in March')).toBe(false)
    expect(open.possible('the matter is Pending')).toBe(true)
    expect(open.possible('spending grew in all progressive regions')).toBe(false)
  })

  it('is not tried where the text begins or ends otherwise', () => {
    expect(pattern(/^(?:non?|un)/i).possible('settled')).toBe(false)
    expect(pattern(/^(?:non?|un)/i).possible('Unsettled')).toBe(true)
    expect(pattern(/(?:ed|\?)$/).possible('closing')).toBe(false)
    expect(pattern(/(?:ed|\?)$/).possible('closed')).toBe(true)
    expect(pattern(/^\d/).possible('')).toBe(false)
  })

  it('replaces and lists as strings do', () => {
    const hollow = pattern(/\bnot only\b/gi)
    expect(hollow.replace('not only this, Not Only that', '-')).toBe('- this, - that')
    expect([...hollow.all('not only this, Not Only that')].map(match => match.index)).toEqual([0, 15])
    expect([...hollow.all('nothing of the kind')]).toEqual([])
  })
})

describe('required literals', () => {
  it('are read from alternatives, options and small sets', () => {
    expect(requiredLiterals(/\b(?:recogni[sz]ed|cap)\b/i)).toEqual([' recognised ', ' recognized ', ' cap '])
    expect(requiredLiterals(/limits?/)).toEqual(['limit'])
    expect(requiredLiterals(/\w+ (?:of|in) breach of [^.]+/)).toEqual([' of breach o', ' in breach o'])
  })

  it('are none where an alternative can do without', () => {
    expect(requiredLiterals(/limit|\d+/)).toBe(null)
    expect(requiredLiterals(/(?:limit)?/)).toBe(null)
  })
})
