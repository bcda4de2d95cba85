/** Contradictions, open ones first: both quotes side by side with the disputed value marked, and how it ended. */

import { countOf, statusWords } from '../../contract/field-words.js'
import {
  aboutOf,
  bySeverity,
  decidedWords,
  effectWords,
  othersOf,
  placeInFile,
  replacedWords,
  whyDecided,
} from '../../contract/finding-words.js'
import type { Schema } from '../../contract/types.js'
import { evidenceText } from '../finding-lines.js'
import type { Around, Piece } from './context.js'
import { type Html, html } from './html.js'
import { moment } from './wording.js'

type Contradiction = Schema['Contradiction']
type Side = Contradiction['a']

export function contradictionsSection(
  items: readonly Contradiction[],
  counts: Schema['ScopeSummary']['contradictions'],
  around: Around,
): Html {
  const open = items.filter(item => item.status === 'open').sort(bySeverity)
  const closed = items.filter(item => item.status !== 'open')
  const missing = counts.open + counts.resolved + counts.dismissed - items.length
  return html`<section aria-labelledby="contradictions"><h2 id="contradictions">Contradictions</h2>
${open.length === 0 ? html`<p>No contradiction is open.</p>` : html`<h3>Open (${open.length})</h3>${open.map(item => article(item, around))}`}
${closed.length > 0 && html`<h3>Closed (${closed.length})</h3>${closed.map(item => article(item, around))}`}
${missing > 0 && html`<p class="muted">${countOf(missing, 'more contradiction')} not shown here.</p>`}</section>`
}

function article(item: Contradiction, around: Around): Html {
  return html`<article class="contradiction ${item.status}">
<h4>${aboutOf(item)}</h4>
<p><span class="badge ${item.severity}">${item.severity}</span> <span class="badge">${item.kind}</span> <span class="badge">${statusWords(item.status)}</span> <span class="muted">found ${moment(item.detected_at)}, step ${item.round}, by ${finderOf(item)}</span></p>
<div class="sides">${sideOf('A', item.a, item.supporters_a, item.supporters.a, item, around)}${sideOf('B', item.b, item.supporters_b, item.supporters.b, item, around)}</div>
<p>${item.reason}</p>
${evidenceOf(item.evidence)}
${item.resolution !== undefined && resolutionOf(item.resolution, item)}</article>`
}

function finderOf({ found_by: foundBy, confidence }: Schema['Contradiction']): string {
  return confidence === null ? foundBy : `${foundBy} (${Math.round(confidence * 100)} % sure)`
}

/** What the reason was made from. */
export function evidenceOf(evidence: Schema['Evidence'] | null): Html | false {
  const lines = evidenceText(evidence)
  return lines.length > 0 && html`<ul class="muted">${lines.map(line => html`<li>${line}</li>`)}</ul>`
}

export function sideOf(
  letter: string,
  side: Side,
  supporters: readonly Schema['Claim'][],
  count: number,
  item: Partial<Pick<Contradiction, 'status' | 'resolution'>>,
  around: Around,
): Html {
  const won = item.status !== 'open' && item.resolution?.verdict === letter.toLowerCase()
  const { saying, replaced } = othersOf(side, supporters, count)
  const others = supporters.filter(claim => !replaced.includes(claim))
  const place =
    'claim_id' in side
      ? html`<cite>${nameOf(side, around)}</cite> <span class="muted">revision ${side.revision}${inFile(side)}, characters ${side.start}–${side.end}</span>`
      : html`<cite>${side.source}</cite>`
  return html`<div class="side${won && ' won'}"><p class="place"><strong>${letter}</strong> ${place}${won && html` <span class="badge resolved">holds</span>`}</p>
<blockquote>${inContext(side, around)}</blockquote>
${saying > 0 && html`<p class="muted">${countOf(saying, 'other statement')} with the same value${others.length > 0 && html`: ${[...new Set(others.map(claim => nameOf(claim, around)))].join(', ')}`}</p>`}
${replaced.map(each => html`<p class="muted">${replacedWords(each, () => nameOf(each, around))}</p>`)}</div>`
}

function nameOf({ document_id: id }: Schema['Claim'], { names }: Around): string {
  return names.get(id) ?? id
}

function inFile(side: Schema['Claim']): string {
  const place = placeInFile(side)
  return place === null ? '' : `, ${place}`
}

/** Between the words around it, where they are known. */
function inContext(side: Side, { contexts }: Around): Html {
  const context = 'claim_id' in side && side.quote !== null ? contexts.get(side.claim_id) : undefined
  if (side.quote === null) return html`<em>erased</em>`
  const value = 'claim_id' in side ? side.value : ''
  if (context === undefined) return markedIn(side.quote, value)
  const quoted = context.flatMap(block => ('rows' in block ? block.rows.flat(2) : block.words)).filter(({ isQuoted }) => isQuoted)
  const marked = quoted.filter(({ text }) => text.includes(value))
  const isMarked = (piece: Piece) => marked.length === 0 || marked.includes(piece)
  const piece = (each: Piece) =>
    each.isQuoted ? html`<strong>${isMarked(each) ? markedIn(each.text, value) : each.text}</strong>` : each.text
  return html`${context.map(block => ('rows' in block ? tableOf(block.rows, piece) : html`<span class="context">${block.words.map(piece)}</span>`))}`
}

function tableOf([head = [], ...rows]: readonly (readonly Piece[][])[], piece: (piece: Piece) => Html | string): Html {
  return html`<div class="scroll" role="region" aria-label="Table in the document" tabindex="0"><table><thead><tr>${head.map(cell => html`<th scope="col">${cell.map(piece)}</th>`)}</tr></thead>
<tbody>${rows.map(row => html`<tr>${row.map(cell => html`<td>${cell.map(piece)}</td>`)}</tr>`)}</tbody></table></div>`
}

/** The value is what is disputed; where the quote holds it as it was read, it is marked. */
function markedIn(quote: string, value: string): Html {
  const at = value === '' ? -1 : quote.indexOf(value)
  if (at < 0) return html`<mark>${quote}</mark>`
  return html`${quote.slice(0, at)}<mark>${value}</mark>${quote.slice(at + value.length)}`
}

function resolutionOf(resolution: Schema['Resolution'], item: Contradiction): Html {
  const effect = effectWords(item)
  return html`<p class="resolution"><strong>${decidedWords(resolution)}</strong>, decided by ${resolution.by} ${moment(resolution.resolved_at)}: ${whyDecided(item)}${effect === null ? '' : html` <em>${effect}.</em>`}</p>`
}
