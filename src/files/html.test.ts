import { expect, it } from 'vitest'
import { writeHtml } from './html.js'
import { TextWriter } from './text-writer.js'

function textOf(html: string): string {
  const out = new TextWriter({ kind: null, maxChars: 10_000 })
  writeHtml(out, html)
  return out.finish().text
}

it.each([
  ['<html><head><meta charset=utf-8><title>Mail</title><p>The rent is 500 EUR.</p></html>', 'The rent is 500 EUR.'],
  ['<head><style>p { color: red }</style><script>x()</script><template><p>no</p></template><div>Rent</div><p>500', 'Rent\n\n500'],
  ['<head><title>Mail</title><body><p>Rent</p>', 'Rent'],
  ['<html><head><title>Mail</title></head><body>Rent</body></html>', 'Rent'],
  ['<p>One</p><embed src="x.pdf"><p>two</p>', 'One\n\ntwo'],
  ['<p>One</p><svg width="1"/><p>two</p>', 'One\n\ntwo'],
  ['<p>One</p><svg><text>no</text></svg><p>two</p>', 'One\n\ntwo'],
  ['<p>One<constructor>, two</constructor></p>', 'One, two'],
])('shows what is said behind a head, whether or not that is ended, and behind elements without end: %s', (html, text) => {
  expect(textOf(html)).toBe(text)
})
