/** Tenants, their limits, their keys and who has signed in: made, listed, changed, ended. A key is shown once. */

import { useState } from 'preact/hooks'
import { countOf } from '../src/contract/field-words.js'
import type { Schema } from '../src/contract/types.js'
import { CopyButton } from './copy-button'
import { ActButton, Badge, ConfirmButton, Failure, Field, Loading } from './parts'
import { ReadMore, useMost } from './read-more'
import { client } from './session'
import { isBeingRead, useLoaded } from './use-loaded'
import { Moment } from './when'
import { moment } from './wording'

const tenantsAtOnce = 200
const keysAtOnce = 100

export function Tenants() {
  const [name, setName] = useState('')
  const [made, setMade] = useState<{ of: string; apiKey: string }>()
  const most = useMost(tenantsAtOnce)
  const list = useLoaded(() => client.value.admin.tenants({ limit: 200 }).toArray(most.current.most), [client.value])
  const create = async () => {
    const tenant = await client.value.admin.createTenant({ name: name.trim() })
    setMade({ of: tenant.tenant_id, apiKey: tenant.api_key })
    setName('')
    await list.reload()
  }
  return (
    <section aria-labelledby="tenants">
      <h2 id="tenants">Tenants and keys</h2>
      <Failure text={list.failure} />
      <div class="tools">
        <Field label="Name of a new tenant" value={name} onInput={setName} maxLength={500} />
        <ActButton act={create} disabled={name.trim() === ''}>
          Create tenant
        </ActButton>
      </div>
      {made && <NewKey {...made} />}
      {isBeingRead(list) && <Loading what="the tenants" />}
      {list.data?.length === 0 && <p>There is no tenant yet.</p>}
      <ul class="rows">
        {list.data?.map(tenant => (
          <Tenant key={tenant.tenant_id} tenant={tenant} />
        ))}
      </ul>
      <ReadMore of={most} read={[list.data]} reload={list.reload} />
    </section>
  )
}

function NewKey({ of, apiKey }: { of: string; apiKey: string }) {
  return (
    <p class="panel" role="status">
      Key of {of}, shown once: <code>{apiKey}</code> <CopyButton text={() => apiKey}>Copy</CopyButton>
    </p>
  )
}

function Tenant({ tenant }: { tenant: Schema['Tenant'] }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <li class="row tenant-row">
      <span>
        <bdi>{tenant.name}</bdi> <code class="small">{tenant.tenant_id}</code>
      </span>
      <span class="muted small">
        {countOf(tenant.keys, 'key')}, since <Moment time={tenant.created_at} />
      </span>
      <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Close' : 'Keys and limits'}
      </button>
      {isOpen && (
        <div class="wide">
          <Keys tenantId={tenant.tenant_id} />
          <Sessions tenantId={tenant.tenant_id} />
        </div>
      )}
    </li>
  )
}

function Keys({ tenantId }: { tenantId: string }) {
  const [made, setMade] = useState<string>()
  const [label, setLabel] = useState('')
  const most = useMost(keysAtOnce)
  const keys = useLoaded(() => client.value.admin.keys(tenantId, { limit: 100 }).toArray(most.current.most), [tenantId])
  const limits = useLoaded(() => client.value.admin.limits(tenantId), [tenantId])
  const issue = async () => {
    const key = await client.value.admin.createKey(tenantId, label.trim() === '' ? {} : { label: label.trim() })
    setMade(key.api_key)
    setLabel('')
    await keys.reload()
  }
  return (
    <>
      {(isBeingRead(keys) || isBeingRead(limits)) && <Loading what="keys and limits" />}
      {limits.data && <Limits key={JSON.stringify(limits.data.limits)} view={limits.data} reload={limits.reload} />}
      <Failure text={keys.failure ?? limits.failure} />
      <ul class="rows">
        {keys.data?.map(key => (
          <li key={key.key_id} class="row">
            <span>
              <code>{key.key_prefix}…</code> <bdi>{key.label ?? ''}</bdi> <KeyState of={key} />
            </span>
            <span class="muted small">
              {key.rights.join(', ')}
              {key.scopes !== null && `; only ${key.scopes.join(', ')}`}; since <Moment time={key.created_at} />
              {key.expires_at !== null && `, until ${moment(key.expires_at)}`}
            </span>
            {key.revoked_at === null && (
              <ConfirmButton
                question="Revoke it for good?"
                act={async () => {
                  await client.value.admin.revokeKey(tenantId, key.key_id)
                  await keys.reload()
                }}
              >
                Revoke
              </ConfirmButton>
            )}
          </li>
        ))}
      </ul>
      <ReadMore of={most} read={[keys.data]} reload={keys.reload} />
      <div class="tools">
        <Field label="Label" value={label} onInput={setLabel} maxLength={200} />
        <ActButton act={issue}>Issue key</ActButton>
      </div>
      {made !== undefined && <NewKey of={tenantId} apiKey={made} />}
    </>
  )
}

/** Who has signed in: with an issuer, or with a key that was exchanged. Ended ones stay in the list until they would have ended by themselves. */
function Sessions({ tenantId }: { tenantId: string }) {
  const most = useMost(keysAtOnce)
  const list = useLoaded(() => client.value.admin.sessions(tenantId, { limit: 100 }).toArray(most.current.most), [tenantId])
  const end = async (sessionId: string) => {
    await client.value.admin.revokeSession(tenantId, sessionId)
    await list.reload()
  }
  return (
    <section aria-label="Sessions">
      <h3>Signed in</h3>
      <Failure text={list.failure} />
      {isBeingRead(list) && <Loading what="the sessions" />}
      {list.data?.length === 0 && <p class="muted">Nobody is signed in.</p>}
      <ul class="rows">
        {list.data?.map(session => (
          <li key={session.session_id} class="row">
            <span>
              <bdi>{session.person ?? 'nobody by name'}</bdi>{' '}
              <span class="muted small">
                {session.key_id === null ? <bdi>{session.subject}</bdi> : <>with the key {session.key_id}</>}
                {session.kind === 'device' && ', on the command line'}
              </span>{' '}
              {session.revoked_at !== null && <Badge kind="blocked">ended</Badge>}
            </span>
            <span class="muted small">
              since <Moment time={session.created_at} />, last used <Moment time={session.used_at} />, until{' '}
              <Moment time={session.expires_at} />
            </span>
            {session.revoked_at === null && (
              <ConfirmButton question="End it? Who uses it has to sign in again." act={() => end(session.session_id)}>
                End
              </ConfirmButton>
            )}
          </li>
        ))}
      </ul>
      <ReadMore of={most} read={[list.data]} reload={list.reload} />
    </section>
  )
}

function KeyState({ of: { revoked_at, expires_at } }: { of: Schema['TenantKey'] }) {
  if (revoked_at !== null) return <Badge kind="blocked">revoked</Badge>
  return expires_at !== null && Date.parse(expires_at) <= Date.now() ? <Badge kind="blocked">expired</Badge> : null
}

type LimitsView = Schema['TenantLimitsView']

const limitNames: readonly [name: Exclude<keyof LimitsView['limits'] & string, 'model'>, label: string, mayBeEmpty: boolean][] = [
  ['documents', 'Documents', true],
  ['bytes', 'Bytes', true],
  ['scopes', 'Cases', true],
  ['requests_per_second', 'Requests a second', true],
  ['model_tokens_per_day', 'Tokens of models a day', true],
  ['concurrent_scopes', 'Cases at once', false],
  ['weight', 'Share of the workers', false],
]

function Limits({ view: { tenant_id, limits, usage }, reload }: { view: LimitsView; reload: () => Promise<unknown> }) {
  const kept = Object.fromEntries(limitNames.map(([name]) => [name, limits[name] === null ? '' : String(limits[name])]))
  const [given, setGiven] = useState<Record<string, string>>(kept)
  const [isKept, setKept] = useState(limits.model === 'off')
  const numbers = limitNames.map(([name, , mayBeEmpty]) => [name, numberOf(given[name] ?? '', mayBeEmpty)] as const)
  const isRight = numbers.every(([, value]) => value !== undefined)
  const isChanged = isKept !== (limits.model === 'off') || limitNames.some(([name]) => given[name]?.trim() !== kept[name])
  const { documents, bytes, scopes, model_tokens_today: model_tokens_per_day } = usage
  const used: Record<string, number> = { documents, bytes, scopes, model_tokens_per_day }
  return (
    <div class="tools limits" role="group" aria-label="Limits">
      {limitNames.map(([name, label, mayBeEmpty]) => (
        <Field
          key={name}
          label={label}
          value={given[name] ?? ''}
          onInput={value => setGiven(before => ({ ...before, [name]: value }))}
          hint={[used[name] === undefined ? '' : `${used[name].toLocaleString('en')} used.`, mayBeEmpty ? 'Empty: no limit.' : 'From 1.']
            .join(' ')
            .trim()}
        />
      ))}
      <label class="check">
        <input type="checkbox" checked={isKept} onChange={event => setKept(event.currentTarget.checked)} /> No model reads its documents
      </label>
      <ActButton
        disabled={!isRight || !isChanged}
        act={async () => {
          await client.value.admin.setLimits(tenant_id, { ...Object.fromEntries(numbers), model: isKept ? 'off' : null })
          await reload()
        }}
      >
        Set limits
      </ActButton>
    </div>
  )
}

/** Undefined for what is no whole number; null is no limit. */
function numberOf(text: string, mayBeEmpty: boolean): number | null | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return mayBeEmpty ? null : undefined
  return /^\d{1,15}$/.test(trimmed) ? Number(trimmed) : undefined
}
