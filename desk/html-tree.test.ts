import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { csvRows } from '../src/contract/csv-rows.js'
import { readHtml } from '../src/reading/normalize/html-tags.js'
import { type HtmlNode, htmlTree } from './html-tree'

const tree = (html: string) => htmlTree(html, name => ({ nbsp: '\u00a0', amp: '&', lt: '<' })[name] ?? '?') as HtmlNode
const textOf = (node: HtmlNode): string => node.text + node.children.map(textOf).join('')
const tagsOf = (node: HtmlNode): string[] => [...(node.tag === null ? [] : [node.tag]), ...node.children.flatMap(tagsOf)]

describe('HTML that is shown', () => {
  it('has no heading of which nothing is shown', () => {
    expect(tagsOf(tree('<h3><svg><text>x</text></svg></h3><h2> </h2><p>Rent</p><h3>Due</h3>'))).toEqual(['div', 'p', 'h3'])
  })

  it('keeps headings, paragraphs, tables and words, and says where they stand', () => {
    const html = '<h1>Title</h1><p>A &amp; <b>B</b><p>C<table><tr><td colspan=2>x'
    const root = tree(html)
    expect(tagsOf(root)).toEqual(['div', 'h1', 'p', 'b', 'p', 'table', 'tr', 'td'])
    expect(textOf(root)).toBe('TitleA & BCx')
    const words: HtmlNode[] = []
    const collect = (node: HtmlNode) => (node.tag === null ? words.push(node) : node.children.forEach(collect))
    collect(root)
    for (const each of words) expect(['&', html.slice(each.from, each.to)]).toContain(each.text)
  })

  it.each([
    ['<script>alert(1)</script>a', 'a'],
    ['<SCRIPT>alert(1)</script >a', 'a'],
    ['<style>a</style><svg><script>b</script></svg><p onclick="x">c', 'c'],
    ['<img src=x onerror="alert(1)">a', 'a'],
    ['<a href="javascript:alert(1)">a</a>', 'a'],
    ['<!-- <p>b</p> -->a<!doctype html>', 'a'],
    ['<p title="a > b">c', 'c'],
    ['&lt;script>', '<script>'],
    ['&#60;b&#x3e;', '<b>'],
    ['a < b', 'a < b'],
    ['<script>never closed', ''],
    ['<head><title>a</title><body><p>b</body>', 'ab'],
    ['<head><title>a</title><h1>b', 'b'],
    ['<h1>a</h1><title>b', 'ab'],
    ['<head><meta charset=utf-8><style>a</style><p>b', 'b'],
    ['a<embed src="x.pdf">b', 'ab'],
    ['a<svg width="1"/>b<math />c<svg a=b/>d</svg>e', 'abce'],
    ['<select><option>a<option>b</select><textarea>c', 'abc'],
    ['<audio src="x">a', 'a'],
    [`<script>if (a<b) say("it's")</script>c`, 'c'],
    ['<p title="a>b<p>c', 'bc'],
    ["<p it's>a<p it's>b", 'ab'],
    ["<!doctype it's>a", 'a'],
    ['a<p\nb', 'a\nb'],
  ])('%s says %s', (html, said) => {
    const root = tree(html)
    expect(textOf(root)).toBe(said)
    expect(tagsOf(root).filter(tag => !['div', 'p', 'h1'].includes(tag))).toEqual([])
  })

  it('hides nothing that the service reads', () => {
    const pieces = [
      ...[
        'word',
        ' ',
        '\n',
        '"',
        "'",
        '=',
        '/',
        '>',
        '<',
        '<p',
        '<p>',
        '</p>',
        '<p a="',
        "<p a='b'>",
        '<p a=b/>',
        '<!doctype html>',
        '<?x',
        '<!--',
        '-->',
        '--!>',
      ],
      ...['<html>', '<head>', '</head>', '<body>', '<h1>', '<title>', '</title>', '<meta charset=utf-8>', '<embed src=x>', '<img/>'],
      ...['<script>', '</script>', '<style>', '</style >', '<svg>', '<svg/>', '</svg>', '<math>', '</math>', '<object>', '</object>'],
      ...[
        '<noscript>',
        '</noscript>',
        '<template>',
        '</template>',
        '<iframe>',
        '</iframe>',
        '<select>',
        '<option>',
        '<textarea>',
        '</textarea>',
      ],
      ...['<canvas>', '<audio>', '<video>', '<table>', '<td>', '<br>'],
    ]
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 14 }), chosen => {
        const html = chosen.map((piece, index) => (piece === 'word' ? `word${index}` : piece)).join('')
        const shown = textOf(tree(html))
        const read: string[] = []
        readHtml(html, { text: (start, end) => read.push(html.slice(start, end)), tag: () => undefined })
        for (const word of read.join('').match(/word\d+/g) ?? []) expect(shown).toContain(word)
      }),
      { numRuns: 2000 },
    )
  })

  it('is not deeper than can be drawn, and nothing where it is too much', () => {
    const depthOf = (node: HtmlNode): number => 1 + Math.max(0, ...node.children.map(depthOf))
    const deep = tree(`${'<div>'.repeat(5000)}x`)
    expect(depthOf({ ...deep, children: deep.children.slice(0, 1) })).toBeLessThan(60)
    expect(htmlTree('<p>x'.repeat(50_000), () => '')).toBeNull()
  })
})

describe('rows of a CSV', () => {
  it('hold fields with separators, quotes and line breaks in them', () => {
    expect(csvRows('a;b\n"x;""y""\nz";2\n').map(row => row.map(each => each.text))).toEqual([
      ['a', 'b'],
      ['x;"y"\nz', '2'],
    ])
  })
})
