/** The head of the page: verdict, figures at a glance, dimensions and the gates to finality. */

import { countOf, finalityWords, words } from '../../contract/field-words.js'
import { holdWords } from '../../contract/hold-words.js'
import type { Schema } from '../../contract/types.js'
import { type Html, html } from './html.js'
import { moment } from './wording.js'

type Summary = Schema['ScopeSummary']

const verdicts: Record<Schema['FinalityStatus'], string> = {
  active: 'The case is open.',
  review: 'A person has to look.',
  resolved: 'The review is complete.',
  escalated: 'The case needs a decision from above.',
  blocked: 'The review cannot be completed as it stands.',
}

export function pageHead({ summary, server, madeAt }: { summary: Summary; server: string; madeAt: string }): Html {
  const { legal_hold: hold } = summary
  return html`<header>
<p class="kicker">Report on the case <code>${summary.scope_id}</code></p>
<h1>${summary.display_name ?? summary.scope_id}</h1>
<p class="verdict"><span class="badge ${summary.finality.status}">${finalityWords[summary.finality.status]}</span> ${verdicts[summary.finality.status]}</p>
<p><strong>${capital(summary.examined.words)}.</strong> ${capital(summary.examined.compared)}. ${openWords(summary)}</p>
${hold !== null && html`<p><span class="badge review">on legal hold</span> ${holdWords(hold, 'case', moment)}</p>`}
<p class="muted">Made ${moment(madeAt)} from ${server}, step ${summary.round}, mode ${summary.mode}, runtime ${summary.runtime.state}.</p>
</header>`
}

function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}

function openWords({ contradictions: { open, unsure } }: Summary): string {
  if (open + unsure === 0) return 'No contradiction is open and no possible conflict undecided.'
  return `${countOf(open, 'contradiction')} open, ${countOf(unsure, 'possible conflict')} undecided.`
}

export function glance({ documents, claims, contradictions, goals, risks }: Summary): Html {
  // A service of 0.2.0 does not count them.
  const erased = documents.erased ?? 0
  const cards: [string, number, string][] = [
    [
      'documents',
      documents.total,
      `${documents.indexed} read, ${documents.held} held, ${documents.rejected} refused, ${documents.quarantined} could not be read${erased === 0 ? '' : `, ${erased} erased`}`,
    ],
    ['statements that count', claims.live, `${claims.superseded} no longer count`],
    [
      'open contradictions',
      contradictions.open,
      `${contradictions.open_critical} critical; ${contradictions.resolved + contradictions.dismissed} closed`,
    ],
    ['possible conflicts', contradictions.unsure, 'undecided'],
    ['goals done', goals.done, `of ${goals.total}`],
    ['risks', risks.total, `${risks.critical} critical, ${risks.high} high`],
  ]
  return html`<section aria-labelledby="glance"><h2 id="glance">At a glance</h2>
<dl class="cards">${cards.map(([name, figure, more]) => html`<div><dt>${name}</dt><dd><strong>${figure}</strong><span class="muted">${more}</span></dd></div>`)}</dl></section>`
}

export function dimensions({ convergence }: Summary): Html {
  const rows = Object.entries(convergence.dimensions).map(
    ([
      name,
      { score, target, weight, pressure },
    ]) => html`<tr><th scope="row">${words(name)}${name === convergence.bottleneck && html` <span class="badge review">bottleneck</span>`}</th>
<td><svg class="meter" viewBox="0 0 200 14" role="img" aria-label="${words(name)} ${score.toFixed(2)} of ${target.toFixed(2)}"><rect class="track" width="200" height="14" rx="3"/><rect class="fill" width="${Math.round(Math.max(0, Math.min(1, score)) * 200)}" height="14" rx="3"/><line class="target" x1="${target * 200}" x2="${target * 200}" y1="0" y2="14"/></svg></td>
<td class="number" data-label="score">${score.toFixed(2)}</td><td class="number" data-label="target">${target.toFixed(2)}</td><td class="number" data-label="weight">${weight.toFixed(2)}</td><td class="number" data-label="pressure">${pressure.toFixed(3)}</td></tr>`,
  )
  return html`<section aria-labelledby="dimensions"><h2 id="dimensions">Dimensions</h2>
<p>Goal score <strong>${convergence.goal_score.toFixed(3)}</strong>, distance from a settled story <strong>${convergence.value.toFixed(3)}</strong>${convergence.rate !== null && html`, rate ${convergence.rate.toFixed(3)} a step`}${convergence.estimated_rounds !== null && convergence.estimated_rounds > 0 && html`, about ${countOf(Math.ceil(convergence.estimated_rounds), 'step')} to go`}.</p>
<div class="scroll" role="region" aria-label="Table: Dimensions" tabindex="0"><table><caption>How far each dimension is</caption>
<thead><tr><th scope="col">dimension</th><th scope="col">score and target</th><th scope="col" class="number">score</th><th scope="col" class="number">target</th><th scope="col" class="number">weight</th><th scope="col" class="number">pressure</th></tr></thead><tbody>${rows}</tbody></table></div></section>`
}

export function gates({ finality }: Summary): Html {
  const rows = finality.gates.map(
    gate =>
      html`<tr><td>${gate.ok ? html`<span class="yes">met</span>` : html`<span class="no">not yet</span>`}</td><th scope="row">${words(gate.gate)}</th><td data-label="is">${typeof gate.value === 'number' ? Math.round(gate.value * 1000) / 1000 : String(gate.value ?? '–')}</td><td data-label="needs">${gate.needs}</td><td data-label="how">${gate.ok ? '' : gate.how}</td></tr>`,
  )
  return html`<section aria-labelledby="gates"><h2 id="gates">What the review still needs</h2>
<div class="scroll" role="region" aria-label="Table: Gates" tabindex="0"><table><caption>What has to hold before the case is settled</caption>
<thead><tr><th scope="col">state</th><th scope="col">condition</th><th scope="col">is</th><th scope="col">needs</th><th scope="col">how</th></tr></thead><tbody>${rows}</tbody></table></div></section>`
}
