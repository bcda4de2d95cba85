/**
 * A text with headings, items, tables, quotes and code shown as such: Markdown, and what was made of Word, mails and PDFs, which
 * is written the same way. Only stretches of the text itself are shown, so that every passage is marked where it stands;
 * addresses are not followed and nothing of it is HTML.
 */

import { type ComponentChildren, h } from 'preact'
import { inlineParts } from './inline-parts'
import { memo } from './memo'
import type { Passage } from './passages'
import { markedBetween, type Span, spansOf } from './spans'

interface FormattedProps {
  text: string
  passages: readonly Passage[]
  /** Bold, italics, code and links too, as Markdown has them. */
  inline?: boolean
}

interface Line {
  from: number
  to: number
}

interface Shown {
  text: string
  spans: readonly Span[]
  inline: boolean
}

export const FormattedText = memo(({ text, passages, inline = false }: FormattedProps) => {
  const spans = spansOf(text, passages)
  return <div class="formatted">{blocksOf({ text, spans, inline })}</div>
})

function linesOf(text: string): Line[] {
  const lines: Line[] = []
  for (let from = 0; from <= text.length; ) {
    const end = text.indexOf('\n', from)
    const to = end < 0 ? text.length : end
    lines.push({ from, to })
    from = to + 1
  }
  return lines
}

const heading = /^(#{1,6})\s+/
const item = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+/
const rule = /^\s*(?:-{3,}|\*{3,}|_{3,})\s*$/

function blocksOf(shown: Shown): ComponentChildren[] {
  const lines = linesOf(shown.text)
  const blocks: ComponentChildren[] = []
  const say = (line: Line) => shown.text.slice(line.from, line.to)
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] as Line
    const said = say(line)
    const level = heading.exec(said)
    let end = at + 1
    const while_ = (holds: (text: string) => boolean) => {
      while (end < lines.length && holds(say(lines[end] as Line))) end++
      return lines.slice(at, end)
    }
    if (said.trim() === '') {
      at = end
      continue
    }
    if (/^\s*(```|~~~)/.test(said)) {
      const fence = said.trim().slice(0, 3)
      const inside = while_(each => !each.trim().startsWith(fence)).slice(1)
      if (end < lines.length) end++
      blocks.push(<pre key={line.from}>{inside.flatMap(each => [...leaf(shown, each), '\n'])}</pre>)
    } else if (level !== null) {
      const start = line.from + level[0].length
      blocks.push(
        <p
          key={line.from}
          class={`head level-${Math.min(4, (level[1] as string).length)}`}
          role="heading"
          aria-level={2 + Math.min(4, (level[1] as string).length)}
        >
          {words(shown, { from: start, to: line.to })}
        </p>,
      )
    } else if (isTable(said)) {
      blocks.push(<Table key={line.from} shown={shown} lines={while_(isTable)} />)
    } else if (rule.test(said)) blocks.push(<hr key={line.from} />)
    else if (said.startsWith('>')) {
      const quoted = while_(each => each.startsWith('>'))
      blocks.push(
        <blockquote key={line.from}>
          {quoted.map(each => (
            <p key={each.from}>{words(shown, { from: each.from + (/^>+\s?/.exec(say(each))?.[0].length ?? 0), to: each.to })}</p>
          ))}
        </blockquote>,
      )
    } else if (item.test(said))
      blocks.push(<Items key={line.from} shown={shown} lines={while_(each => item.test(each) || /^\s{2,}\S/.test(each))} />)
    else {
      const own = while_(each => each.trim() !== '' && !heading.test(each) && !isTable(each) && !item.test(each) && !each.startsWith('>'))
      blocks.push(<p key={line.from}>{own.flatMap((each, index) => [index > 0 && <br key={each.from} />, ...words(shown, each)])}</p>)
    }
    at = end
  }
  return blocks
}

function isTable(line: string): boolean {
  return /^\s*\|.*\|\s*$/.test(line)
}

function Items({ shown, lines }: { shown: Shown; lines: readonly Line[] }) {
  return (
    <ul class="said-items">
      {lines.map(line => {
        const said = shown.text.slice(line.from, line.to)
        const sign = item.exec(said)?.[0] ?? ''
        const depth = Math.min(4, Math.floor((/^\s*/.exec(said)?.[0].length ?? 0) / 2))
        const number = /\d+[.)]/.exec(sign)?.[0]
        return (
          <li key={line.from} class={`depth-${depth}`}>
            {number !== undefined && <span class="number-sign">{number} </span>}
            {words(shown, { from: line.from + sign.length, to: line.to })}
          </li>
        )
      })}
    </ul>
  )
}

function Table({ shown, lines }: { shown: Shown; lines: readonly Line[] }) {
  const rows = lines.filter(line => !/^[\s|:-]+$/.test(shown.text.slice(line.from, line.to)))
  const [head, ...rest] = rows
  const cells = (line: Line) => cellsOf(shown.text, line)
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Table">
      <table>
        {head !== undefined && (
          <thead>
            <tr>
              {cells(head).map(cell => (
                <th key={cell.from}>{words(shown, cell)}</th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {rest.map(line => (
            <tr key={line.from}>
              {cells(line).map(cell => (
                <td key={cell.from}>{words(shown, cell)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function cellsOf(text: string, { from, to }: Line): Line[] {
  const cells: Line[] = []
  let start = text.indexOf('|', from) + 1
  for (let bar = text.indexOf('|', start); bar >= 0 && bar < to; bar = text.indexOf('|', bar + 1)) {
    cells.push(trimmed(text, { from: start, to: bar }))
    start = bar + 1
  }
  return cells
}

function trimmed(text: string, { from, to }: Line): Line {
  const said = text.slice(from, to)
  const lead = said.length - said.trimStart().length
  return { from: from + lead, to: from + Math.max(lead, said.trimEnd().length) }
}

function leaf({ text, spans }: Shown, { from, to }: Line): ComponentChildren[] {
  return markedBetween(text, from, to, spans)
}

/** Words of a line; the signs of Markdown are left out where they are meant as such. */
function words(shown: Shown, line: Line): ComponentChildren[] {
  if (!shown.inline) return leaf(shown, line)
  return inlineParts(shown.text.slice(line.from, line.to)).flatMap(({ tag, from, to }) => {
    const children = leaf(shown, { from: line.from + from, to: line.from + to })
    if (tag === null) return children
    const key = `i${line.from + from}`
    return tag === 'link' ? h('span', { key, class: 'dead-link' }, children) : h(tag, { key }, children)
  })
}
