/** HTML as safe formatted text: made anew from what of it may be shown. */

import { type ComponentChildren, h } from 'preact'
import { useMemo } from 'preact/hooks'
import { type HtmlNode, htmlTree } from './html-tree'
import { MarkedText } from './marked-text'
import { memo } from './memo'
import type { Passage } from './passages'
import { markedBetween, passageOver, type Span, spansOf } from './spans'

export const HtmlText = memo(({ text, passages }: { text: string; passages: readonly Passage[] }) => {
  const tree = useMemo(() => htmlTree(text, characterNamed), [text])
  const spans = spansOf(text, passages)
  if (tree === null) return <MarkedText text={text} passages={passages} />
  return <div class="formatted from-html">{tree.children.map((node, index) => shown(node, index, text, spans))}</div>
})

/** Headings of a document stand below those of the page; tags that mean the same are one. */
const shownAs: Record<string, string> = { h1: 'h3', h2: 'h4', h3: 'h5', h4: 'h6', h5: 'h6', section: 'div', article: 'div' }

function shown(node: HtmlNode, key: number, source: string, spans: readonly Span[]): ComponentChildren {
  if (node.tag === null) {
    if (node.text === source.slice(node.from, node.to)) return markedBetween(source, node.from, node.to, spans)
    const passage = passageOver(spans, node.from, node.to)
    return passage === undefined ? (
      node.text
    ) : (
      <mark key={key} class={passage.kind} data-id={passage.id}>
        {node.text}
      </mark>
    )
  }
  const children = node.children.map((each, index) => shown(each, index, source, spans))
  if (node.tag === 'table')
    return (
      <div key={key} class="scroll" tabIndex={0} role="region" aria-label="Table">
        <table>{children}</table>
      </div>
    )
  return h(shownAs[node.tag] ?? node.tag, { key, ...(node.span > 1 ? { colSpan: node.span } : {}) }, children)
}

const known = new Map<string, string>()

/** The browser knows the names of characters; what it makes of one is read as text, from a document that runs and fetches nothing. */
function characterNamed(name: string): string {
  const found = known.get(name)
  if (found !== undefined) return found
  const made = new DOMParser().parseFromString(`&${name};`, 'text/html').body.textContent ?? ''
  known.set(name, made)
  return made
}
