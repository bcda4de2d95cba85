/** What runs, at the level of the service, of the tenant whose key was given, and of one of its cases; and who does the work. */

import { useState } from 'preact/hooks'
import type { RuntimeOperation, Target } from '../src/client/index.js'
import { countOf } from '../src/contract/field-words.js'
import type { Schema } from '../src/contract/types.js'
import { ActButton, Badge, Choice, ConfirmButton, Failure } from './parts'
import { client, hasTenantKey, me } from './session'
import { useLoaded } from './use-loaded'

type Snapshot = Schema['HatcherySnapshot']

const operations: [RuntimeOperation, string, question: string | undefined][] = [
  ['start', 'Start', undefined],
  ['pause', 'Pause', 'No document begins until it is resumed. Pause?'],
  ['resume', 'Resume', undefined],
  ['stop', 'Stop', 'Documents in hand go back into the queue. Stop?'],
  ['restart', 'Restart', 'Work in hand is given back and begun again. Restart?'],
]

export function Runtime({
  state,
  snapshot,
  reload,
}: {
  state: Schema['RuntimeState'] | undefined
  snapshot: Snapshot | undefined
  reload: () => Promise<unknown>
}) {
  const [wanted, setLevel] = useState<'service' | 'tenant' | 'scope'>('service')
  // Without a key of the tenant the service alone is offered.
  const level = hasTenantKey.value ? wanted : 'service'
  const [scopeId, setScopeId] = useState('')
  const [answer, setAnswer] = useState<Schema['RuntimeResponse']>()
  const scopes = useLoaded(async () => (me.value === undefined ? [] : client.value.scopes({ limit: 200 }).toArray(200)), [client.value])
  // A case of the tenant before is not one of this tenant.
  const isOurs = scopes.data?.some(scope => scope.scope_id === scopeId) === true
  const target: Target = level === 'scope' ? { level, scopeId } : { level }
  const act = (operation: RuntimeOperation) => async () => {
    setAnswer(await client.value.admin.runtime(operation, target))
    await Promise.all([reload(), scopes.reload()])
  }
  const isReady = level !== 'scope' || isOurs
  return (
    <section aria-labelledby="runtime">
      <h2 id="runtime">Runtime {state && <Badge kind={state === 'running' ? 'resolved' : 'held'}>{state}</Badge>}</h2>
      {snapshot && <Paused runtime={snapshot.runtime} />}
      <div class="tools">
        <Choice
          label="Level"
          value={level}
          onChange={value => setLevel(value as typeof wanted)}
          options={[
            ['service', 'the whole service'],
            ...(!hasTenantKey.value
              ? []
              : ([
                  ['tenant', 'the tenant'],
                  ['scope', 'one case'],
                ] as const)),
          ]}
        />
        {level === 'scope' && (
          <Choice
            label="Case"
            value={isOurs ? scopeId : ''}
            onChange={setScopeId}
            options={[
              ['', 'choose'],
              ...(scopes.data ?? []).map(scope => [scope.scope_id, `${scope.scope_id} (${scope.runtime})`] as const),
            ]}
          />
        )}
      </div>
      {/* A question that is open is not asked of another level or case. */}
      <div class="acts" key={`${level} ${scopeId}`}>
        {isReady &&
          operations.map(([operation, text, question]) =>
            question === undefined ? (
              <ActButton key={operation} act={act(operation)}>
                {text}
              </ActButton>
            ) : (
              <ConfirmButton key={operation} act={act(operation)} question={question}>
                {text}
              </ConfirmButton>
            ),
          )}
      </div>
      {answer && (
        <p role="status">
          {answer.addressed.level === 'scope' ? `case ${answer.addressed.scope_id}` : answer.addressed.level}: {answer.previous} to{' '}
          {answer.state}
          {answer.effective !== answer.state && `, in effect ${answer.effective}`}; {countOf(answer.scopes_affected, 'case')},{' '}
          {countOf(answer.documents_requeued, 'document')} given back.
        </p>
      )}
      <Failure text={scopes.failure} />
    </section>
  )
}

function Paused({ runtime }: { runtime: Snapshot['runtime'] }) {
  const parts = [
    [runtime.tenants_paused, 'tenant', 'paused'],
    [runtime.tenants_stopped, 'tenant', 'stopped'],
    [runtime.scopes_paused, 'case', 'paused'],
    [runtime.scopes_stopped, 'case', 'stopped'],
  ] as const
  const said = parts.filter(([number]) => number > 0).map(([number, noun, state]) => `${countOf(number, noun)} ${state}`)
  return <p class="muted">{said.length === 0 ? 'Nothing is paused or stopped on its own.' : `${said.join(', ')}.`}</p>
}

export function Hatchery({ snapshot }: { snapshot: Snapshot }) {
  const { queue, roles, nodes, workers, leader } = snapshot
  return (
    <section aria-labelledby="hatchery">
      <h2 id="hatchery">Hatchery</h2>
      <dl class="cards">
        <Card name="waiting" number={queue.depth} more={`${queue.runnable} can be read now`} />
        <Card name="oldest" number={Math.round(queue.oldest_age_seconds)} more="seconds" />
        {roles.map(role => (
          <Card
            key={role.role}
            name={`${role.role} workers`}
            number={role.actual}
            more={`${role.busy} busy, ${role.desired} wanted: ${role.reason}`}
          />
        ))}
        {roles.map(role => (
          <Card
            key={`${role.role}-rate`}
            name="throughput"
            number={Math.round(role.completion_rate * 10) / 10}
            more={`documents a second; ${role.arrival_rate.toFixed(1)} arrive`}
          />
        ))}
      </dl>
      <ul class="rows">
        {nodes.map(node => (
          <li key={node.node_id} class="row">
            <span>
              <code>{node.node_id}</code> <Badge kind={node.status === 'alive' ? 'resolved' : 'blocked'}>{node.status}</Badge>{' '}
              {node.node_id === leader && <Badge>leader</Badge>}
            </span>
            <span class="small muted">
              {node.role}, {node.actual} of {countOf(node.desired, 'worker')}, {countOf(node.completed, 'document')},{' '}
              {countOf(node.restarts, 'restart')}
              {node.circuit !== 'closed' && `, circuit ${node.circuit}: ${node.circuit_reason ?? ''}`}
            </span>
          </li>
        ))}
      </ul>
      {workers.some(worker => worker.state === 'busy') && (
        <p class="muted small">
          In hand:{' '}
          {workers
            .filter(worker => worker.state === 'busy')
            .map(worker => `${worker.scope_id} (${worker.documents})`)
            .join(', ')}
        </p>
      )}
    </section>
  )
}

function Card({ name, number, more }: { name: string; number: number; more: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <strong>{number.toLocaleString('en')}</strong>
        <span class="muted">{more}</span>
      </dd>
    </div>
  )
}
