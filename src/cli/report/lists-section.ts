/** Documents and their states, and the decisions as a timeline. */

import { countOf, decisionWords, documentState } from '../../contract/field-words.js'
import { holdWords } from '../../contract/hold-words.js'
import type { Schema } from '../../contract/types.js'
import { type Html, html } from './html.js'
import { moment } from './wording.js'

export function documentsSection(documents: readonly Schema['Document'][], total: number): Html {
  const rows = documents.map(
    document =>
      html`<tr><th scope="row"><span>${document.name}</span>${document.name !== document.document_id && html`<br><span class="muted">${document.document_id}</span>`}</th><td class="number" data-label="revision">${document.revision}</td><td data-label="state"><span class="badge ${document.erased_at === null && document.status}">${documentState(document)}</span>${held(document)}</td><td class="number" data-label="statements">${document.counts.claims}</td><td class="number" data-label="contradictions">${document.counts.contradictions}</td><td data-label="examined">${document.compared_by.words}</td><td data-label="received">${moment(document.timings.received_at)}</td><td data-label="reason">${document.reason}</td></tr>`,
  )
  return html`<section aria-labelledby="documents"><h2 id="documents">Documents</h2>
<div class="scroll" role="region" aria-label="Table: Documents" tabindex="0"><table><caption>${countOf(total, 'document')}${total > documents.length && html`, the first ${documents.length} shown`}</caption>
<thead><tr><th scope="col">document</th><th scope="col" class="number">revision</th><th scope="col">state</th><th scope="col" class="number">statements</th><th scope="col" class="number">contradictions</th><th scope="col">examined</th><th scope="col">received</th><th scope="col">reason</th></tr></thead><tbody>${rows}</tbody></table></div></section>`
}

/** Of the case at the head of the page; of a document beside it, with who and why. */
function held({ legal_hold: hold }: Schema['Document']): Html | false {
  if (hold === null) return false
  return html` <span class="badge review">on legal hold</span>${hold.of !== 'case' && html`<br><span class="muted">${holdWords(hold, 'document', moment)}</span>`}`
}

export function decisionsSection(decisions: readonly Schema['Decision'][]): Html {
  return html`<section aria-labelledby="decisions"><h2 id="decisions">Decisions</h2>
<p class="muted">Each decision names the hash of the one before it: the chain can be checked from end to end.</p>
<ol class="timeline">${decisions.map(decisionItem)}</ol></section>`
}

function decisionItem(decision: Schema['Decision']): Html {
  return html`<li value="${decision.seq}"><p><span class="badge ${decision.outcome}">${decision.outcome}</span> <strong>${decisionWords(decision)}</strong>${decision.document_id !== null && html` of ${decision.document_id} (revision ${decision.revision})`} <time datetime="${decision.recorded_at}" class="muted">${moment(decision.recorded_at)}</time>${decision.review !== null && html` <span class="badge review">${decision.review}</span>`}</p>
<p>${decision.reasons.join(' ')}</p>
<p class="hash muted"><code>${decision.hash}</code></p></li>`
}
