import { describe, expect, it } from 'vitest'
import { csvRows } from '../src/contract/csv-rows.js'
import { type HtmlNode, htmlTree } from './html-tree'

const tree = (html: string) => htmlTree(html, name => ({ nbsp: '\u00a0', amp: '&', lt: '<' })[name] ?? '?') as HtmlNode
const textOf = (node: HtmlNode): string => node.text + node.children.map(textOf).join('')
const tagsOf = (node: HtmlNode): string[] => [...(node.tag === null ? [] : [node.tag]), ...node.children.flatMap(tagsOf)]

describe('HTML that is shown', () => {
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
  ])('%s says %s', (html, said) => {
    const root = tree(html)
    expect(textOf(root)).toBe(said)
    expect(tagsOf(root).filter(tag => !['div', 'p'].includes(tag))).toEqual([])
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
