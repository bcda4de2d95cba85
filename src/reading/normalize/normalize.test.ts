import { describe, expect, it } from 'vitest'
import { normalize } from './normalize.js'
import { textKind } from './text-kind.js'

function rendered(type: string, source: string): string {
  return normalize(source, type).text
}

/** The slice of the submitted text that a piece of the normalized text stands for. */
function sourceOf(type: string, source: string, piece: string): string {
  const normalized = normalize(source, type)
  const at = normalized.text.indexOf(piece)
  expect(at, `${piece} in ${normalized.text}`).toBeGreaterThanOrEqual(0)
  const span = normalized.sourceSpan(at, at + piece.length)
  return source.slice(span.start, span.end)
}

describe('kinds of text', () => {
  it.each([
    ['txt', 'txt'],
    ['text/plain; charset=utf-8', 'txt'],
    ['application/pdf', 'txt'],
    ['', 'txt'],
    ['.MD', 'md'],
    ['Markdown', 'md'],
    ['text/markdown; variant=GFM', 'md'],
    [' HTM ', 'html'],
    ['text/html; charset=utf-8', 'html'],
    ['application/xhtml+xml', 'html'],
    ['tsv', 'csv'],
    ['text/csv', 'csv'],
    ['application/json', 'json'],
    ['application/vnd.acme+json', 'json'],
    ['ndjson', 'json'],
  ])('%s is read as %s', (type, kind) => {
    expect(textKind(type)).toBe(kind)
    expect(normalize('x', type).kind).toBe(kind)
  })
})

describe('plain text', () => {
  it('stays as it is, line ends included, without the byte order mark', () => {
    const source = '\ufeffRevenue: 5\r\n\r\n**not markup** &amp;'
    const normalized = normalize(source, 'txt')
    expect(normalized.text).toBe(source.slice(1))
    expect(normalized.sourceSpan(0, 7)).toEqual({ start: 1, end: 8 })
  })

  it('never splits a surrogate pair in a span', () => {
    expect(normalize('a😀b', 'txt').sourceSpan(2, 3)).toEqual({ start: 1, end: 3 })
  })

  it('answers with something non-empty for an empty or foreign range, and with nothing only for nothing', () => {
    expect(normalize('abc', 'txt').sourceSpan(9, 2)).toEqual({ start: 2, end: 3 })
    expect(normalize('', 'txt').sourceSpan(0, 5)).toEqual({ start: 0, end: 0 })
  })
})

describe('markdown', () => {
  it('loses inline markup and keeps the words', () => {
    const source = '**Revenue** was *EUR 5M* in `FY2024`[^1], see [the note](http://x.y "t"), 5 * 3, a_b_c, \\*so\\*, AT&amp;T.'
    expect(rendered('md', source)).toBe('Revenue was EUR 5M in FY2024, see the note, 5 * 3, a_b_c, *so*, AT&T.')
    expect(sourceOf('md', source, 'Revenue was EUR 5M')).toBe('Revenue** was *EUR 5M')
    expect(sourceOf('md', source, 'AT&T')).toBe('AT&amp;T')
  })

  it('drops struck text, comments and addresses, and keeps the text of notes', () => {
    expect(rendered('md', 'Was ~~3M~~ 5M. <!-- a\nb --> Then.\n\n[ref]: http://x\n[^1]: A note.')).toBe('Was  5M.  Then.\n\n\nA note.')
  })

  it('leaves headings, bullets and tables as they are, and keeps escaped bars from splitting cells', () => {
    const source = '## Last ##\n* one\n> quoted\n\nMetric | 2024\n:--|--:\nNet \\| gross | **5**\n'
    expect(rendered('md', source)).toBe('## Last ##\n* one\n> quoted\n\nMetric | 2024\n:--|--:\nNet ¦ gross | 5\n')
    expect(sourceOf('md', source, 'Net ¦ gross | 5')).toBe('Net \\| gross | **5')
  })

  it('never joins figures across tags, and takes marks of notes for what they are', () => {
    expect(rendered('md', '<td>5</td><td>6</td> EUR 50<sup>2</sup> 3 km<sup>2</sup> the 4<sup>th</sup>')).toBe(
      ' 5  6  EUR 50 3 km2 the 4th',
    )
  })
})

describe('html', () => {
  it('renders headings, paragraphs, items and definitions', () => {
    const source =
      '<title>T</title><h2>Site<br>07</h2><p>Net\n  was&nbsp;5 &mdash; <b>up</b></p><ul><li>one<ul><li>two</li></ul></li></ul><dl><dt>Owner<dd>Ann</dl>'
    expect(rendered('html', source)).toBe('# T\n\n## Site 07\n\nNet was 5 — up\n\n- one\n  - two\n\nOwner: Ann')
    expect(sourceOf('html', source, 'was 5 — up')).toBe('was&nbsp;5 &mdash; <b>up')
  })

  it('passes over scripts, styles, comments and struck text', () => {
    const source = '<h1>A</h1><title>no</title><script>if (a < b) "<p>x"</script><style>p{}</style>b<!-- <p>c --> d<del>9</del>'
    expect(rendered('html', source)).toBe('# A\n\nb d')
  })

  it('renders data tables with a rule below their headers and spans filled', () => {
    const source =
      '<table><caption>Cap</caption><thead><tr><th rowspan=2>Metric<th colspan="2">2024<tr><th>Q1<th>Q2</thead>' +
      '<tr><td rowspan="2">Net|x<td>1<td>2<tr><td>3<br>a<td>4</table>'
    expect(rendered('html', source)).toBe(
      'Cap\n\n| Metric | 2024 | 2024 |\n| Metric | Q1 | Q2 |\n|---|---|---|\n| Net¦x | 1 | 2 |\n| Net¦x | 3 a | 4 |',
    )
    expect(sourceOf('html', source, '3 a | 4')).toBe('3<br>a<td>4')
  })

  it('renders header and value rows as key-value lines', () => {
    expect(rendered('html', '<table><tr><th>Name</th><td>Acme</td></tr><tr><th>Date:</th><td>1 May</td></tr></table>')).toBe(
      'Name: Acme\nDate: 1 May',
    )
  })

  it('reads tables that lay out the page as the blocks they hold', () => {
    const source = '<table><tr><td><h3>Head</h3><p>One</p></td><td><table><tr><td>A<td>B<tr><td>1<td>2</table></td></tr></table>'
    expect(rendered('html', source)).toBe('### Head\n\nOne\n\n| A | B |\n| 1 | 2 |')
  })

  it('keeps the lines of preformatted text', () => {
    expect(rendered('html', '<pre>a: 1\n  b: 2\n\nc</pre>')).toBe('a: 1\n  b: 2\n\nc')
  })

  it.each([
    ['<p>Open <b>end', 'Open end'],
    ['<p>a <a href="x>link</a> b', 'a link b'],
    ['<p>cut <a href="x', 'cut'],
    ['5 < 6 and <5%', '5 < 6 and <5%'],
    ['<table><tr><td>a<td>b', '| a | b |'],
    ['<table><tr><th>a<td>b<td>c<tr><th>d<td>e<td>f</table>', '|  |  |  |\n|---|---|---|\n| a | b | c |\n| d | e | f |'],
    ['a<script>b', 'a'],
    ['</table></p></ul>x', 'x'],
    ['EUR 50<sup><a href="#n">1</a></sup> m<sup>2</sup>', 'EUR 50 m2'],
    ['<p>a <br /', 'a'],
    ['a</p b', 'a'],
    ['a <del>b', 'a b'],
    ['<p>a <b c\nd "e', 'a d "e'],
    ['<title>T<h1>A</h1><p>b', '# T\n\n# A\n\nb'],
    ['<p>a <textarea>b<p>c', 'a b\n\nc'],
    ['<title>T<h2>A</h2><p>b', '# T\n\n## A\n\nb'],
    ['a<![CDATA[b & c]]>', 'ab & c'],
    ['R&D &section=1 &copy 2024 &#150; a&shy;b &bogus;', 'R&D &section=1 © 2024 – ab &bogus;'],
  ])('survives %s', (source, text) => {
    expect(rendered('html', source)).toBe(text)
  })
})

describe('csv', () => {
  it('renders a table, names in words, with quotes and bars', () => {
    const source = '\ufeffnet_revenue,Q1 2024\r\n"Net, all","5,000"\r\n"He said ""hi""\nthere",1|2\r\n'
    expect(rendered('csv', source)).toBe('| net revenue | Q1 2024 |\n|---|---|\n| Net, all | 5,000 |\n| He said "hi" there | 1¦2 |')
    expect(sourceOf('csv', source, 'Net, all | 5,000')).toBe('Net, all","5,000')
    expect(sourceOf('csv', source, 'said "hi"')).toBe('said ""hi""')
  })

  it.each([
    ['a;b\n1,5;2,5', '| a | b |\n|---|---|\n| 1,5 | 2,5 |'],
    ['a\tb\n1,5\t2', '| a | b |\n|---|---|\n| 1,5 | 2 |'],
    ['a|b\n1|2', '| a | b |\n|---|---|\n| 1 | 2 |'],
    ['Title\n\na,b\n1,2', 'Title\n\n| a | b |\n|---|---|\n| 1 | 2 |'],
    ['Capacity,40 MW\nStaff,12', 'Capacity: 40 MW\nStaff: 12'],
    ['Date;4 June 2031;;\na;b;c;d\n1;2;3;4', 'Date: 4 June 2031\n\n| a | b | c | d |\n|---|---|---|---|\n| 1 | 2 | 3 | 4 |'],
    ['amount\n5\n6', 'amount\n5\n6'],
    ['One sentence, with a comma.\nAnother without.\nAnd more.', 'One sentence, with a comma.\nAnother without.\nAnd more.'],
    ['a,"b\n1,2', '| a | "b |\n|---|---|\n| 1 | 2 |'],
    ['"a ""b""",c_d\n1,2', '| a "b" | c d |\n|---|---|\n| 1 | 2 |'],
    ['a,b\n"x" y,2', '| a | b |\n|---|---|\n| "x" y | 2 |'],
  ])('reads %j', (source, text) => {
    expect(rendered('csv', source)).toBe(text)
  })
})

describe('json', () => {
  it('flattens objects', () => {
    const source = '{"report": {"net_revenue": 5.5, "isAudited": true, "total": {"value": 5}, "tags": ["a", "b"], "none": null}}'
    expect(rendered('json', source)).toBe(
      'report · net revenue: 5.5\nreport · is Audited: true\nreport · total · value: 5\nreport · tags: a, b',
    )
    expect(sourceOf('json', source, 'net revenue: 5.5')).toBe('net_revenue": 5.5')
  })

  it('renders arrays of objects as tables, deeper ones as sections, long strings as paragraphs', () => {
    const source = JSON.stringify({
      body: 'One.\n\nTwo "x" 😀',
      items: [
        { name: 'A', cost: { amount: 1 } },
        { name: 'B', left: 3 },
      ],
      sites: [{ name: 'Hill', units: [{ id: 1, mw: 5 }] }],
    })
    expect(rendered('json', source)).toBe(
      '# body\n\nOne.\n\nTwo "x" 😀\n\n# items\n\n| name | cost · amount | left |\n|---|---|---|\n| A | 1 |  |\n| B |  | 3 |\n\n' +
        '# sites\n\n## Hill\n\nname: Hill\n\n### units\n\n| id | mw |\n|---|---|\n| 1 | 5 |',
    )
    expect(sourceOf('json', source, 'Two "x"')).toBe('Two \\"x\\"')
    expect(sourceOf('json', source, '| B |  | 3 |')).toBe('B","left":3')
  })

  it('reads one value a line as rows', () => {
    expect(rendered('ndjson', '{"a":1}\n{"a":2}\n')).toBe('| a |\n|---|\n| 1 |\n| 2 |')
  })

  it.each([
    '{"a":1,',
    '',
    '{"a" 1}',
    'plain words',
    '['.repeat(50_000),
    '['.repeat(101) + ']'.repeat(101),
    '{"a":"\\x"}',
    '{"a":"b',
    '1, 2',
    '[1]]',
  ])('reads what is not JSON as text (%#)', source => {
    expect(rendered('json', source)).toBe(source)
  })
})
