/** Which policies decide on the case, where they come from, and what another set would have made of the record. */

import { useState } from 'preact/hooks'
import { stepWords } from '../src/contract/field-words.js'
import type { Schema } from '../src/contract/types.js'
import { ActButton, Badge, Failure, Loading } from './parts'
import { client, isOperator } from './session'
import { isBeingRead, useLoaded } from './use-loaded'
import { Moment } from './when'
import { moment } from './wording'

const origins: Record<string, string> = {
  shipped: 'the set that comes with the service',
  service: 'the set of the service',
  tenant: 'the set of the tenant',
}

export function PolicyView({ scopeId }: { scopeId: string }) {
  const policy = useLoaded(() => client.value.policies(scopeId), [scopeId, client.value], /^scope\./)
  const { data } = policy
  return (
    <div class="page">
      <h2>Policy</h2>
      <Failure text={policy.failure} />
      {data === undefined ? (
        policy.failure === undefined && <Loading what="the policies" />
      ) : (
        <>
          <p>
            In force: {data.inherited_from === null ? 'a set of this case alone' : (origins[data.inherited_from] ?? data.inherited_from)}
            {data.changed_at !== null && `, changed ${moment(data.changed_at)}`}. <code class="small">{data.hash.slice(0, 16)}</code>
          </p>
          <pre class="policies" tabIndex={0}>
            {data.policies}
          </pre>
          {isOperator.value ? (
            <>
              <Changes />
              <TryChange scopeId={scopeId} policies={data.policies} />
            </>
          ) : (
            <p class="muted">An operator can try a change on the record, and see who changed what: add an admin key.</p>
          )}
        </>
      )}
    </div>
  )
}

/** The audit says which key changed policies. */
function Changes() {
  const list = useLoaded(
    async () =>
      (
        await Promise.all(['putPolicies', 'putScopePolicies'].map(action => client.value.admin.audit({ action, limit: 20 }).toArray(20)))
      ).flat(),
    [client.value],
  )
  const entries = (list.data ?? []).filter(entry => entry.outcome === 'allowed').sort((a, b) => Date.parse(b.at) - Date.parse(a.at))
  return (
    <section aria-labelledby="changes">
      <h3 id="changes">Who changed policies</h3>
      <Failure text={list.failure} />
      {isBeingRead(list) && <Loading what="the audit" />}
      {list.data !== undefined && entries.length === 0 ? (
        <p class="muted">Nobody yet.</p>
      ) : (
        <ul class="rows">
          {entries.slice(0, 10).map(entry => (
            <li key={entry.id} class="row">
              <span>
                <Moment time={entry.at} /> <code>{entry.actor}</code>{' '}
                {entry.scope_id ?? (entry.tenant_id === null ? 'the service' : 'the tenant')}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function TryChange({ scopeId, policies }: { scopeId: string; policies: string }) {
  const [text, setText] = useState(policies)
  const [tried, setTried] = useState<Schema['PolicyDryRunResult'] & { of: string }>()
  const run = async () =>
    setTried({ ...(await client.value.admin.dryRunPolicies({ level: 'scope', scopeId }, { policies: text, last: 200 })), of: text })
  // What was tried is said of that text alone.
  const result = tried?.of === text ? tried : undefined
  return (
    <section aria-labelledby="try">
      <h3 id="try">Try a change on the record</h3>
      <div class="field">
        <label for="policies">Policies</label>
        <textarea id="policies" rows={14} spellcheck={false} value={text} onInput={event => setText(event.currentTarget.value)} />
      </div>
      <ActButton class="primary" act={run}>
        Try it on the last 200 decisions
      </ActButton>
      {result && (
        <>
          <p role="status">
            <strong>It {result.message}.</strong> Nothing was changed.
          </p>
          <ul class="rows">
            {result.changes.map(change => (
              <li key={change.decision_id} class="row">
                <span>
                  decision {change.seq}, {stepWords(change.kind)} {change.document_id !== null && <bdi>{change.document_id}</bdi>}
                </span>
                <span>
                  <Badge kind={change.recorded}>{change.recorded}</Badge> would be <Badge kind={change.would_be}>{change.would_be}</Badge>
                </span>
                <span class="small">{change.reasons.join(' ')}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}
