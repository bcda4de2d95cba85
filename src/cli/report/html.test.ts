import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { html } from './html.js'

describe('HTML templates', () => {
  it('escape whatever is put into them, in text and in attributes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), text => {
        const { text: made } = html`<p title="${text}">${text}</p>`
        expect(
          made
            .replace(/^<p title="/, '')
            .replace(/<\/p>$/, '')
            .replace('">', ''),
        ).not.toMatch(/[<>"]/)
      }),
    )
    expect(html`${'<img src=x onerror=alert(1)>'}`.text).toBe('&lt;img src=x onerror=alert(1)&gt;')
    expect(html`${['a', null, false, html`<b>${'&'}</b>`]}`.text).toBe('a<b>&amp;</b>')
  })
})
