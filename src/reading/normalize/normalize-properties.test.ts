/** What holds for any input of any kind: no crash, a way back that is true, spans that are slices, and linear cost. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { storable } from '../../platform/storable-text.js'
import { insidePair } from './code-points.js'
import { normalize } from './normalize.js'

const prove = process.env['PROVE'] === '1'
const types = ['txt', 'md', 'html', 'csv', 'json'] as const
const anyType = fc.constantFrom(...types)

const markup = [
  ...'|*_`~[]()<>&;:,#-"\'\\/\n\r\t{}=!',
  ...[
    '\r\n',
    '**',
    '~~',
    '<!--',
    '-->',
    '<p>',
    '</p>',
    '<table>',
    '<tr>',
    '<td>',
    '<th colspan=3>',
    '<td rowspan="2">',
    '</table>',
    '<h2>',
    '<li>',
  ],
  ...[
    '<script>',
    '</script>',
    '<del>',
    '</del>',
    '<sup>',
    '</sup>',
    '<br>',
    '<pre>',
    '<dt>',
    '<dd>',
    '<a href="',
    '&amp;',
    '&#x1F600;',
    '&nbsp;',
    '&bogus;',
  ],
  ...[
    '|---|---|\n',
    '| a | b |\n',
    '\n---\n',
    '```',
    '[^1]',
    '[a](b)',
    '> ',
    '# ',
    '{"a":',
    '[{"b":1}',
    '"x\\u0041\\n"',
    'true',
    'null',
    '1.5',
    '""',
  ],
]
const letters = [...'ab 01.é', '\u0301', '😀', '\ud83d', '\ude00', 'שלום', '\u202e', '\u0000', '\ufeff', 'ﷺ', '中']
const anyText = fc.string({ unit: fc.constantFrom(...markup, ...letters, ...letters), maxLength: 120 })
const anyJson = fc.jsonValue({ maxDepth: 5 }).map(value => JSON.stringify(value, null, 1))
const anyCells = fc.array(
  fc.array(fc.constantFrom('a b', '"q ""r"" s"', '1,5', '', 'é😀', '"x\ny"', 'k_l'), { minLength: 1, maxLength: 4 }),
  { maxLength: 8 },
)
const anyCsv = fc.tuple(anyCells, fc.constantFrom(',', ';', '\t', '|')).map(([rows, by]) => rows.map(row => row.join(by)).join('\n'))
/** Escapes of halves of pairs and of NUL, which only look like ones behind a backslash. */
const anyEscapes = fc
  .array(fc.constantFrom('\\ud83d', '\\ude00', '\\u0000', '\\\\', '\\n', 'a', ' ', '😀', 'u0000'), { maxLength: 60 })
  .map(parts => `{"Status ${parts[0] ?? ''}":"approved ${parts.join('')}","b":["${parts.join('","')}"]}`)
const anySource = fc.oneof({ arbitrary: anyText, weight: 4 }, anyJson, anyEscapes, anyCsv, fc.string({ unit: 'binary', maxLength: 60 }))

/** What a decoded character may stand for: one piece of markup, never a stretch of the author's words. */
const decodedFrom = /^(?:&[#\w]+;?|\\(?:u[0-9a-f]{4}|.)|""|\s+|[_|*+]|<[\s\S]*)$/i

describe('normalizing any text', () => {
  it('maps every copied character to itself and every decoded one to its markup', () => {
    fc.assert(
      fc.property(anySource, anyType, (source, type) => {
        const normalized = normalize(source, type)
        // Asked of every character, so only what is wrong is handed to an expectation.
        const wrong: number[] = []
        for (let at = 0; at < normalized.text.length; at++) {
          const origin = normalized.originAt(at)
          const span = normalized.sourceSpan(at, at + 1)
          const written = source.slice(span.start, span.end)
          if (origin === 'copied' && ![written, storable(written)].some(each => each.includes(normalized.text[at]!))) wrong.push(at)
          if (origin === 'decoded' && !decodedFrom.test(source.slice(span.start, span.end))) wrong.push(at)
        }
        expect(wrong).toEqual([])
      }),
      { numRuns: prove ? 1500 : 150 },
    )
  })

  it('leaves nothing that cannot be stored', () => {
    fc.assert(
      fc.property(anySource, anyType, (source, type) => {
        const { text } = normalize(source, type)
        expect(storable(text)).toBe(text)
      }),
      { numRuns: prove ? 1500 : 150 },
    )
  })

  it('answers every range with a non-empty slice on code point boundaries that holds the range', () => {
    fc.assert(
      fc.property(anySource, anyType, fc.integer({ min: -3, max: 200 }), fc.integer({ min: -3, max: 200 }), (source, type, start, end) => {
        const normalized = normalize(source, type)
        const span = normalized.sourceSpan(start, end)
        expect(span.start).toBeGreaterThanOrEqual(0)
        expect(span.end).toBeLessThanOrEqual(source.length)
        if (source !== '') expect(span.end).toBeGreaterThan(span.start)
        expect(insidePair(source, span.start) || insidePair(source, span.end)).toBe(false)
        const outside: number[] = []
        for (let at = Math.max(start, 0); at < Math.min(end, normalized.text.length); at++) {
          if (normalized.originAt(at) === 'synthetic') continue
          const place = normalized.sourceSpan(at, at + 1).start
          if (place < span.start || place >= span.end) outside.push(at)
        }
        expect(outside).toEqual([])
        expect(span.end).toBeLessThanOrEqual(source.length)
      }),
      { numRuns: prove ? 1500 : 150 },
    )
  })

  it('gives the same answer each time and invents no letters or digits', () => {
    fc.assert(
      fc.property(anySource, anyType, (source, type) => {
        const normalized = normalize(source, type)
        expect(normalize(source, type).text).toBe(normalized.text)
        const isNumbering = type === 'json'
        const invented: string[] = []
        for (let at = 0; at < normalized.text.length && !isNumbering; at++) {
          if (normalized.originAt(at) === 'synthetic' && !/[-#|:, \n]/.test(normalized.text[at]!)) invented.push(normalized.text[at]!)
        }
        expect(invented).toEqual([])
      }),
      { numRuns: prove ? 800 : 100 },
    )
  })

  it('leaves plain words as they are in every kind of text', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('Net', 'was', 'élan', '😀', '127.4M', 'שלום'), { minLength: 1, maxLength: 20 }),
        anyType,
        (words, type) => {
          expect(normalize(words.join(' '), type).text).toBe(words.join(' '))
        },
      ),
    )
  })
})

const hostile: Record<string, (size: number) => string> = {
  'empty lines': size => '\n'.repeat(size),
  'a comma on each line': size => `,${'a'.repeat(590)}\n`.repeat(size / 592),
  'escapes in JSON': size => `{"a":"${'\\n'.repeat(size / 2)}"}`,
  'blanks behind JSON': size => `{"a":1}${' '.repeat(size)}`,
  blanks: size => 'a' + ' '.repeat(size) + 'b',
  digits: size => '1'.repeat(size),
  'one long line': size => 'word, '.repeat(size / 6),
  'opening brackets': size => '['.repeat(size),
  'nested links': size => '[a](b'.repeat(size / 5),
  'refused links': size => '[a](b c '.repeat(size / 8),
  'nested addresses': size => '[a]('.repeat(size / 5) + ' b' + ')'.repeat(size / 5),
  'closed links': size => '['.repeat(size / 4) + '](a)'.repeat((size * 3) / 16),
  'opening tags': size => '<a '.repeat(size / 3),
  'tags hidden by quotes': size => '<a '.repeat(size / 3) + '=">"',
  'quotes in tags': size => '<a b="'.repeat(size / 6) + '>',
  'comments without end': size => '<!--'.repeat(size / 4),
  'comments on lines': size => '<!-- a\n'.repeat(size / 7) + '-->',
  'struck without end': size => '<del>~~a '.repeat(size / 9),
  'elements below a long name': size => `{"${'k'.repeat(size / 2)}":[1${',{}'.repeat(size / 6)}]}`,
  'nested tables': size => '<table><tr><td>'.repeat(size / 15),
  'row spans': size => '<table><tr>' + '<td rowspan=100>abcdefgh'.repeat(size / 48) + '<tr><td>x'.repeat(size / 18),
  'column spans': size => '<table><tr>' + '<th colspan=100>abcdefgh'.repeat(size / 24),
  'nested lists': size => '<ul><li>'.repeat(size / 8),
  'closing tags of nothing': size => '<b>'.repeat(size / 8) + '</i>'.repeat(size / 8),
  entities: size => '&amp;&#'.repeat(size / 7),
  'raised marks': size => '<sup>1'.repeat(size / 6),
  bars: size => '|'.repeat(size),
  'delimiter rows': size => 'a|b\n---|---\n'.repeat(size / 12),
  'a delimiter row of blanks': size => 'a|b\n---|' + ' '.repeat(size) + 'x',
  'spaced rules': size => '- '.repeat(size / 2) + 'x',
  hashes: size => '# ' + '#'.repeat(size) + ' x',
  'emphasis marks': size => '*_'.repeat(size / 2),
  fences: size => '```\n'.repeat(size / 4),
  quotes: size => '"'.repeat(size),
  'doubled quotes in open quotes': size => '"a' + ',""b'.repeat(size / 4),
  'quoted fields': size => 'a,"b\n'.repeat(size / 5),
  'wide then narrow records': size => ','.repeat(size / 2) + '\n' + 'a,b\n'.repeat(size / 8),
  'deep JSON': size => '{"a":'.repeat(90) + '1' + '}'.repeat(90) + '\n' + '{"b":1}\n'.repeat(size / 8),
  'JSON under a long name': size => `{"${'n'.repeat(size / 2)}":{${'"a":1,'.repeat(size / 12)}"z":1}}`,
  'JSON with ever new keys': size => `[${Array.from({ length: size / 14 }, (_, index) => `{"k${index}":1}`).join(',')}]`,
  'JSON escapes': size => `"${'\\u0041'.repeat(size / 6)}"`,
  'a JSON string without end': size => '{"a":["' + '\\\\'.repeat(size / 2),
  'JSON without end': size => '[1,'.repeat(size / 3),
}

/** What takes less is no scan gone wrong. */
const unremarkableMs = 500

/** Processor time, not the clock's, and the least of three runs: a busy machine must not look like a slow scan. */
function spentMs(source: string, type: string): number {
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < 3 && least > unremarkableMs; run++) {
    const start = process.cpuUsage()
    const normalized = normalize(source, type)
    normalized.sourceSpan(0, normalized.text.length)
    least = Math.min(least, process.cpuUsage(start).user / 1000)
    expect(normalized.text.length, type).toBeLessThanOrEqual(25 * source.length)
  }
  return least
}

describe('hostile text', () => {
  it.each(Object.entries(hostile))('%s cost no more than their length, in time and size', (_, make) => {
    for (const type of types) {
      const largeMs = spentMs(make(192_000), type)
      // Linear cost is 8 times the small one, quadratic 64 times and seconds.
      if (largeMs > unremarkableMs) expect(largeMs / spentMs(make(24_000), type), type).toBeLessThan(24)
    }
  })

  it('is read as one block of nothing when it is ten thousand empty lines', () => {
    for (const type of types) expect(normalize('\n'.repeat(10_000), type).text.trim()).toBe('')
  })
})
