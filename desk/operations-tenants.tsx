/** Tenants and their keys: made, listed, revoked. A key is shown once. */

import { useState } from 'preact/hooks'
import type { Schema } from '../src/client/index.js'
import { ActButton, Badge, ConfirmButton, Failure, Field } from './parts'
import { client } from './session'
import { useLoaded } from './use-loaded'
import { countOf, moment } from './wording'

export function Tenants() {
  const [name, setName] = useState('')
  const [made, setMade] = useState<{ of: string; apiKey: string }>()
  const list = useLoaded(() => client.value.admin.tenants({ limit: 200 }).toArray(200), [client.value])
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
      <ul class="rows">
        {list.data?.map(tenant => (
          <Tenant key={tenant.tenant_id} tenant={tenant} />
        ))}
      </ul>
    </section>
  )
}

function NewKey({ of, apiKey }: { of: string; apiKey: string }) {
  return (
    <p class="panel" role="status">
      Key of {of}, shown once: <code>{apiKey}</code>
    </p>
  )
}

function Tenant({ tenant }: { tenant: Schema['Tenant'] }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <li class="row">
      <span>
        <bdi>{tenant.name}</bdi> <code class="small">{tenant.tenant_id}</code>
      </span>
      <span class="muted small">
        {countOf(tenant.keys, 'key')}, since {moment(tenant.created_at)}
      </span>
      <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Close' : 'Keys and limits'}
      </button>
      {isOpen && <Keys tenantId={tenant.tenant_id} />}
    </li>
  )
}

function Keys({ tenantId }: { tenantId: string }) {
  const [made, setMade] = useState<string>()
  const [label, setLabel] = useState('')
  const keys = useLoaded(() => client.value.admin.keys(tenantId, { limit: 100 }).toArray(100), [tenantId])
  const limits = useLoaded(() => client.value.admin.limits(tenantId), [tenantId])
  const issue = async () => {
    const key = await client.value.admin.createKey(tenantId, label.trim() === '' ? {} : { label: label.trim() })
    setMade(key.api_key)
    setLabel('')
    await keys.reload()
  }
  return (
    <div class="wide">
      {limits.data && (
        <p class="muted small">
          {countOf(limits.data.usage.documents, 'document')} of {limits.data.limits.documents ?? 'any number'},{' '}
          {countOf(limits.data.usage.bytes, 'byte')} of {limits.data.limits.bytes ?? 'any number'},{' '}
          {countOf(limits.data.usage.scopes, 'case')} of {limits.data.limits.scopes ?? 'any number'}
        </p>
      )}
      <Failure text={keys.failure ?? limits.failure} />
      <ul class="rows">
        {keys.data?.map(key => (
          <li key={key.key_id} class="row">
            <span>
              <code>{key.key_prefix}…</code> <bdi>{key.label ?? ''}</bdi> {key.revoked_at !== null && <Badge kind="blocked">revoked</Badge>}
            </span>
            <span class="muted small">{moment(key.created_at)}</span>
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
      <div class="tools">
        <Field label="Label" value={label} onInput={setLabel} maxLength={200} />
        <ActButton act={issue}>Issue key</ActButton>
      </div>
      {made !== undefined && <NewKey of={tenantId} apiKey={made} />}
    </div>
  )
}
