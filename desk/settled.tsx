/** Whether the case is settled: each gate in plain words with what to do next, and the certificate. */

import { finalityWords, withoutRoutes, words } from '../src/contract/field-words.js'
import { leftOpenWords } from '../src/contract/finding-words.js'
import type { Schema } from '../src/contract/types.js'
import { Certificates } from './certificates'
import { Badge } from './parts'
import { hrefTo } from './route'
import { SignOffs } from './sign-off'
import { sentence } from './wording'

/** What each gate asks, and the view in which it is done. */
const gateWords: Record<string, [question: string, tab: string, act: string]> = {
  claim_confidence: ['Are the facts stated plainly?', 'documents', 'Add documents'],
  contradiction_resolution: ['Are the contradictions decided?', 'contradictions', 'Decide them'],
  goal_completion: ['Are the goals done?', 'documents', 'Add documents'],
  risk_inverse: ['Are the risks low?', 'documents', 'Add documents'],
  no_open_contradictions: ['Is no serious contradiction open?', 'contradictions', 'Decide them'],
  possible_conflicts: ['Are the possible conflicts decided?', 'possible', 'Decide them'],
  monotone: ['Has the case stopped going backwards?', 'story', 'See the story'],
  evidence_present: ['Is there anything to go by?', 'documents', 'Add documents'],
  trajectory_quality: ['Is the way there steady?', 'story', 'See the story'],
  quiescent: ['Has everything been read and reviewed?', 'documents', 'See what waits'],
  minimum_content: ['Is there enough to go by?', 'documents', 'Add documents'],
  examined: ['Has somebody examined it?', 'settled', 'Sign it off'],
}

export function Settled({ summary }: { summary: Schema['ScopeSummary'] }) {
  const { finality, scope_id: scopeId } = summary
  const missing = finality.gates.filter(gate => !gate.ok)
  const left = leftOpenWords({ contradictions: summary.contradictions.open, possible_conflicts: summary.contradictions.unsure })
  return (
    <div class="page">
      <h2>Review complete?</h2>
      <p class="verdict">
        <Badge kind={finality.status}>{finalityWords[finality.status]}</Badge>{' '}
        {finality.status === 'resolved'
          ? `${sentence(left ?? 'nothing is left to decide')} ${sentence(summary.examined.compared)} ${sentence(summary.examined.words)}`
          : missing.length === 0
            ? 'Nothing has been decided yet.'
            : `${missing.length} of ${finality.gates.length} conditions are not met yet.`}
      </p>
      <Certificates newest={summary.certificate} scopeId={scopeId} />
      <SignOffs summary={summary} />
      <ul class="gates">
        {[...missing, ...finality.gates.filter(gate => gate.ok)].map(gate => (
          <Gate key={gate.gate} gate={gate} scopeId={scopeId} />
        ))}
      </ul>
    </div>
  )
}

/** It is on the same page. */
function showSignOff(): void {
  const section = document.getElementById('sign-off')
  section?.scrollIntoView({ block: 'start' })
  section?.focus()
}

function Gate({ gate, scopeId }: { gate: Schema['Gate']; scopeId: string }) {
  const [question, tab, act] = gateWords[gate.gate] ?? [words(gate.gate), 'story', 'See the story']
  const value =
    typeof gate.value === 'number' ? String(Math.round(gate.value * 1000) / 1000) : gate.value === null ? null : String(gate.value)
  return (
    <li class={gate.ok ? 'passed' : 'missing'}>
      <span class={gate.ok ? 'yes' : 'no'}>{gate.ok ? 'met' : 'not yet'}</span>
      <div>
        <strong>{question}</strong>
        <p class="muted small">
          needs {gate.needs}
          {value !== null && `; is ${value}`}
        </p>
        {!gate.ok && <p>{withoutRoutes(gate.how)}</p>}
      </div>
      {!gate.ok &&
        (tab === 'settled' ? (
          <button type="button" onClick={showSignOff}>
            {act}
          </button>
        ) : (
          <a class="button" href={hrefTo('cases', scopeId, tab)}>
            {act}
          </a>
        ))}
    </li>
  )
}
