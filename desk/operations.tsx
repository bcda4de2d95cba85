/** For operators: whether the service works, what runs and what is paused, tenants and keys, quarantine, audit. */

import { useEffect, useState } from 'preact/hooks'
import { countOf, words } from '../src/contract/field-words.js'
import type { Schema } from '../src/contract/types.js'
import { followKernel, poll } from './live'
import { Hatchery, Runtime } from './operations-runtime'
import { Tenants } from './operations-tenants'
import { Troubles } from './operations-troubles'
import { ActButton, Badge, Failure, Field, Loading } from './parts'
import { client, isOperator, seesInternals } from './session'
import { isBeingRead, type Loaded, listRestMs, useLoaded } from './use-loaded'
import { Moment } from './when'

const mostQuarantined = 100

export function Operations() {
  const health = useLoaded(() => client.value.admin.controlPlaneHealth(), [client.value], /^(worker|runtime)\./)
  const snapshot = useLoaded(
    async () => (seesInternals.value ? client.value.internals.snapshot() : undefined),
    [client.value],
    /./,
    listRestMs,
  )
  const quarantine = useLoaded(
    () => client.value.admin.quarantine({ level: 'service' }, { limit: 100 }).toArray(mostQuarantined),
    [client.value],
    /^(document\.(quarantined|requeued|rejected|erased)|scope\.(reset|deleted))$/,
  )
  const reload = async () => (await Promise.all([health.reload(), snapshot.reload(), quarantine.reload()])).every(works => works)
  useEffect(() => (seesInternals.value ? followKernel() : poll(reload)), [client.value])
  if (!isOperator.value) return <p class="page">An operator’s key is needed here.</p>
  return (
    <div class="page">
      <h1>Operations</h1>
      {seesInternals.value && <Troubles />}
      <Failure text={health.failure ?? snapshot.failure} />
      {isBeingRead(health) && <Loading what="the health" />}
      {health.data && <Health health={health.data} />}
      <Runtime state={snapshot.data?.runtime.state} snapshot={snapshot.data} reload={reload} />
      {seesInternals.value && isBeingRead(snapshot) && <Loading what="the hatchery" />}
      {snapshot.data && <Hatchery snapshot={snapshot.data} />}
      <Tenants />
      <Quarantine list={quarantine} />
      <Audit />
    </div>
  )
}

interface HealthView {
  status: string
  checks: readonly { name: string; status: string }[]
}

function Health({ health }: { health: HealthView }) {
  return (
    <section aria-labelledby="health">
      <h2 id="health">
        Health <Badge kind={kindOf(health.status)}>{health.status}</Badge>
      </h2>
      <ul class="checks">
        {health.checks.map(({ name, status }) => (
          <li key={name}>
            {words(name)} <Badge kind={kindOf(status)}>{status}</Badge>
          </li>
        ))}
      </ul>
    </section>
  )
}

function kindOf(status: string): string {
  return status === 'ok' ? 'resolved' : status === 'degraded' ? 'held' : 'blocked'
}

function Quarantine({ list }: { list: Loaded<Schema['QuarantinedDocument'][]> }) {
  return (
    <section aria-labelledby="quarantine">
      <h2 id="quarantine">Could not be read</h2>
      <Failure text={list.failure} />
      {isBeingRead(list) && <Loading what="what could not be read" />}
      {list.data?.length === 0 && <p>No document failed after all attempts.</p>}
      {list.data !== undefined && list.data.length > 0 && (
        <>
          <ActButton
            act={async () => {
              await client.value.admin.retryQuarantine({ level: 'service' })
              await list.reload()
            }}
          >
            Retry all
          </ActButton>
          {list.data.length === mostQuarantined && <p class="muted">The first {mostQuarantined} are shown.</p>}
          <ul class="rows">
            {list.data.map(each => (
              <li key={`${each.tenant_id} ${each.scope_id} ${each.document_id}`} class="row">
                <span>
                  <bdi>{each.name}</bdi>{' '}
                  <span class="muted small">
                    {each.tenant_id}, {each.scope_id}
                  </span>
                </span>
                <span class="small">
                  {each.reason} {countOf(each.attempts, 'attempt')}
                </span>
                <Moment class="muted small" time={each.quarantined_at} />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

const auditFields = { scope_id: 'Case', document_id: 'Document', person: 'Person' } as const

function Audit() {
  const [wanted, setWanted] = useState<{ [Name in keyof typeof auditFields]?: string }>({})
  // Read when somebody says so: every reading of the log is an entry of it.
  const list = useLoaded(() => client.value.admin.audit({ ...onlyFilled(wanted), limit: 50 }).toArray(50), [client.value])
  return (
    <section aria-labelledby="audit">
      <h2 id="audit">Audit</h2>
      <div class="acts">
        {Object.entries(auditFields).map(([name, label]) => (
          <Field
            key={name}
            label={label}
            value={wanted[name as keyof typeof auditFields] ?? ''}
            onInput={text => setWanted({ ...wanted, [name]: text })}
          />
        ))}
        <ActButton act={list.reload}>Read again</ActButton>
      </div>
      <Failure text={list.failure} />
      {isBeingRead(list) && <Loading what="the audit" />}
      {list.data?.length === 0 && <p>No entry fits.</p>}
      <ul class="rows">
        {list.data?.map(entry => (
          <li key={entry.id} class="row audit-row">
            <Moment class="muted small" time={entry.at} />
            <strong>{entry.action}</strong>
            <span>
              <Badge kind={entry.outcome === 'allowed' ? '' : 'held'}>{entry.outcome}</Badge> {entry.status}
            </span>
            <span class="muted small">
              {entry.actor} {entry.tenant_id} {entry.scope_id}
            </span>
            {entry.object !== null && (
              <span class="small wide">
                <bdi>{entry.reader}</bdi> read <bdi>{entry.object}</bdi> in the hour from <Moment time={entry.hour ?? entry.at} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

function onlyFilled(fields: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).flatMap(([name, text]) => (text.trim() === '' ? [] : [[name, text.trim()]])))
}
