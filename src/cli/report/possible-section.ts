/** What a person has still to look at, and what was replaced: neither is silent. */

import { countOf } from '../../contract/field-words.js'
import type { Schema } from '../../contract/types.js'
import type { Around } from './context.js'
import { evidenceOf, sideOf } from './contradictions-section.js'
import { type Html, html } from './html.js'
import { moment } from './wording.js'

export function possibleSection(items: readonly Schema['PossibleConflict'][], undecided: number, around: Around): Html {
  return html`<section aria-labelledby="possible"><h2 id="possible">Possible conflicts</h2>
${items.length === 0 ? html`<p>No possible conflict is undecided.</p>` : html`<p class="muted">These may be contradictions, and enter no score. A person promotes or dismisses them; the likeliest come first.</p>${items.map(item => possible(item, around))}`}
${undecided > items.length && html`<p class="muted">${countOf(undecided - items.length, 'more possible conflict')} not shown here.</p>`}</section>`
}

function possible(item: Schema['PossibleConflict'], around: Around): Html {
  const about = [item.subject, item.attribute].filter(Boolean).join(' · ')
  return html`<article class="contradiction open">
<h3>${about}</h3>
<p><span class="badge">${item.kind}</span> <span class="muted">score ${item.score.toFixed(2)}, found ${moment(item.detected_at)}, step ${item.round}</span></p>
<div class="sides">${sideOf('A', item.a, [], 0, {}, around)}${sideOf('B', item.b, [], 0, {}, around)}</div>
<p>${item.reason}</p>
${evidenceOf(item.evidence)}</article>`
}

export function supersessionsSection(items: readonly Schema['Supersession'][], around: Around): Html {
  return html`<section aria-labelledby="supersessions"><h2 id="supersessions">What was replaced</h2>
${items.length === 0 ? html`<p>No statement was replaced by another.</p>` : items.map(item => supersession(item, around))}</section>`
}

function supersession(item: Schema['Supersession'], around: Around): Html {
  const objection = item.objection
  return html`<article class="contradiction ${item.status === 'objected' ? 'open' : 'resolved'}">
<h3>${[item.claim.subject, item.claim.attribute].filter(Boolean).join(' · ')}</h3>
<div class="sides">${sideOf('Replaced', item.claim, [], 0, {}, around)}${sideOf('By', item.superseded_by, [], 0, {}, around)}</div>
<p>${item.reason}</p>
${evidenceOf(item.evidence)}
${objection !== undefined && html`<p class="resolution"><strong>objected to</strong> by ${objection.by} ${moment(objection.decided_at)}: ${objection.reason}</p>`}</article>`
}
