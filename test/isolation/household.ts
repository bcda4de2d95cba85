/**
 * A tenant with something of everything: scopes, documents, claims, contradictions, decisions, policies, keys, cursors.
 * Two households use the same scope ids, document ids and idempotency keys; all they own besides carries a mark of
 * their own, so that whatever leaks can be recognised.
 */

import { randomBytes } from 'node:crypto'
import type { Covered } from '../../src/store/scopes/sign-offs.js'
import { openSession } from '../../src/tenancy/sessions.js'
import { fileForm } from '../support/multipart.js'
import type { TestAnswer, TestService } from '../support/service.js'

export interface Household {
  tenantId: string
  key: string
  /** Token of the session of a person who may do everything. */
  session: string
  /** In every text, name and label of this tenant, and never in a request of the other. */
  mark: string
  /** Names only this tenant has. */
  scope: string
  documents: string[]
  contradictions: string[]
  possibleConflicts: string[]
  supersessions: string[]
  decisions: string[]
  signOffs: string[]
  webhooks: string[]
  deliveries: string[]
  claims: string[]
  certificates: string[]
  keys: string[]
  sessions: string[]
  cursors: string[]
  etags: string[]
  idempotencyKeys: string[]
}

export const sharedScopes = ['alpha', 'beta']
export const sharedDocuments = ['report', 'memo']
export const sharedKeys = ['key-1', 'key-2']

export function randomLetters(length: number): string {
  return [...randomBytes(length)].map(byte => String.fromCharCode(97 + (byte % 26))).join('')
}

export async function furnish(service: TestService): Promise<Household> {
  const mark = `q${randomLetters(11)}`
  const tenant = await service.createTenant(mark)
  const own = { tenantId: tenant.tenant_id, key: tenant.api_key, mark, scope: `only-${randomLetters(12)}` }
  const admin = (method: string, path: string, body?: unknown) => service.admin(method, path, body, own.key)
  // One after the other: on a busy machine so many at once wait longer for a connection than they may.
  const readAll = async (paths: readonly string[]) => {
    const answers: TestAnswer[] = []
    for (const path of paths) {
      const answer = await service.call('GET', path, { headers: { 'x-tenant-api-key': own.key } })
      expectStatus(answer, 200)
      answers.push(answer)
    }
    return answers
  }
  const privateDocument = `own-${randomLetters(12)}`
  const privateKey = `idem-${randomLetters(12)}`
  const scopes = [...sharedScopes, own.scope]
  for (const scope_id of scopes) expectStatus(await admin('POST', '/admin/scopes', { scope_id, display_name: `${mark} case` }), 201)
  for (const [n, scope_id] of scopes.entries())
    await fillScope(service, own, { scopeId: scope_id, privateDocument, privateKey: `${privateKey}-${n}` })
  await govern(service, own)
  const hooked = await listen(service, own)
  const signedIn = await signIn(service, own)
  const documents = new Set<string>([privateDocument])
  for (const scope of scopes) for (const each of await settled(service, own, scope)) documents.add(each)
  await findMore(service, own)
  await signOff(service, own)
  const lists = await readAll(
    scopes.flatMap(scope =>
      [
        'documents',
        'claims?state=all',
        'contradictions?status=all',
        'possible-conflicts?status=all',
        'supersessions',
        'decisions',
        'sign-offs',
      ].map(list => `/api/scopes/${scope}/${list}`),
    ),
  )
  const items = lists.flatMap(answer => answer.body.items as Record<string, unknown>[])
  for (const id of named(items, 'contradiction_id')) await talkAbout(service, own, id)
  const pages = await readAll(
    [
      '/api/scopes',
      `/api/webhooks/${hooked.webhooks[0]}/deliveries`,
      ...['documents', 'claims', 'contradictions', 'possible-conflicts', 'supersessions', 'decisions', 'sign-offs'].map(
        list => `/api/scopes/${own.scope}/${list}`,
      ),
    ].map(path => `${path}?limit=1`),
  )
  const summaries = await readAll(scopes.map(scope => `/api/scopes/${scope}/summary`))
  const keys = await service.admin('GET', `/admin/tenants/${own.tenantId}/keys`)
  expectStatus(keys, 200)
  return {
    ...own,
    ...hooked,
    session: signedIn.token,
    sessions: [signedIn.sessionId],
    documents: [...documents].filter(id => !sharedDocuments.includes(id)),
    contradictions: named(items, 'contradiction_id'),
    possibleConflicts: named(items, 'possible_conflict_id'),
    supersessions: named(items, 'supersession_id'),
    decisions: named(items, 'decision_id'),
    signOffs: named(items, 'sign_off_id'),
    claims: named(items, 'claim_id'),
    certificates: summaries.flatMap(answer => (answer.body.certificate ? [answer.body.certificate.certificate_id as string] : [])),
    keys: named(keys.body.items, 'key_id'),
    cursors: pages.map(page => page.body.next as string),
    etags: summaries.flatMap(answer => answer.headers.get('etag') ?? []),
    idempotencyKeys: scopes.map((_scope, n) => `${privateKey}-${n}`),
  }
}

type Owner = Pick<Household, 'tenantId' | 'key' | 'mark' | 'scope'>

async function fillScope(
  service: TestService,
  own: Owner,
  { scopeId, privateDocument, privateKey }: { scopeId: string; privateDocument: string; privateKey: string },
): Promise<void> {
  const { mark } = own
  const post = (path: string, body: object) => service.call('POST', path, { headers: { 'x-tenant-id': own.tenantId }, body })
  const ingest = async (document_id: string | undefined, figure: number, idempotency_key?: string) => {
    const text = `# ${mark} Holding\n\nThe revenue of ${mark} Holding for FY2025 was EUR ${figure}M.\nRisk: ${mark} may lose a licence.\n`
    const body = {
      scope_id: scopeId,
      name: `${mark} ${figure}`,
      type: 'md',
      text,
      source: `${mark}-desk-${figure}`,
      document_id,
      idempotency_key,
    }
    expectStatus(await post('/api/ingest', body), 202)
  }
  await ingest('report', 41, scopeId === 'alpha' ? sharedKeys[0] : undefined)
  await ingest('memo', 33, scopeId === 'alpha' ? sharedKeys[1] : undefined)
  await ingest(privateDocument, 27, privateKey)
  await ingest(undefined, 19)
  expectStatus(
    await post('/api/contradictions', {
      scope_id: scopeId,
      claim_a: `${mark} says yes`,
      claim_b: `${mark} says no`,
      source_a: `${mark}-a`,
      source_b: `${mark}-b`,
      severity: 'low',
    }),
    201,
  )
  expectStatus(await post('/api/documents', { scope_id: scopeId, name: `${mark} register`, type: 'pdf', provenance: `urn:${mark}` }), 201)
  const file = fileForm({ scope_id: scopeId, document_id: `${privateDocument}-file` }, { bytes: `${mark} as a file.`, name: `${mark}.txt` })
  expectStatus(await service.call('POST', '/api/files', { headers: { 'x-tenant-api-key': own.key, ...file.headers }, raw: file.raw }), 202)
  const attached = { name: `${mark} attached`, text: `${mark} waits.`, provenance: `urn:${mark}` }
  expectStatus(await service.admin('POST', `/admin/scopes/${scopeId}/documents`, attached, own.key), 201)
}

/** Findings no text gives for sure, whatever the reader: written as a round would. */
async function findMore(service: TestService, own: Owner): Promise<void> {
  const pair = `from scopes s cross join lateral (
      select min(claim_no) as one, max(claim_no) as other from claims c
      where c.tenant_id = s.tenant_id and c.scope_no = s.scope_no and c.generation = s.generation) c
    where s.tenant_id = $1 and c.one < c.other`
  await service.database.owner.query(
    `insert into possible_conflicts (tenant_id, scope_no, generation, possible_no, possible_conflict_id, status, kind, severity, score_micros,
       claim_a, claim_b, reason, detected_at, detected_round)
     select s.tenant_id, s.scope_no, s.generation, n, 'pcf_' || substr(md5($2 || s.scope_no || n), 1, 22), 'open', 'numeric', 'low', 500000,
       c.one, c.other, $2, now(), 1 from generate_series(1000, 1001) n, ${pair.slice('from '.length)}`,
    [own.tenantId, own.mark],
  )
  await service.database.owner.query(
    `update scope_states t set aggregates = (t.aggregates::jsonb || jsonb_build_object('possibleOpen', (t.aggregates->>'possibleOpen')::integer + 2))::json
     from possible_conflicts p where p.tenant_id = $1 and p.possible_no = 1000 and t.tenant_id = p.tenant_id and t.scope_no = p.scope_no
       and t.generation = p.generation`,
    [own.tenantId],
  )
  await service.database.owner.query(
    `insert into supersessions (tenant_id, scope_no, generation, supersession_no, supersession_id, status, kind, claim_no, by_claim_no, reason,
       detected_at, detected_round)
     select s.tenant_id, s.scope_no, s.generation, n, 'sup_' || substr(md5($2 || s.scope_no || n), 1, 22), 'standing', 'words',
       c.one + n - 1000, c.other, $2, now(), 1 from generate_series(1000, 1001) n, ${pair.slice('from '.length)}`,
    [own.tenantId, own.mark],
  )
}

/** Who is to look at it, and what somebody wrote. */
async function talkAbout(service: TestService, own: Owner, contradictionId: string): Promise<void> {
  const headers = { 'x-tenant-api-key': own.key }
  const path = `/api/contradictions/${contradictionId}`
  expectStatus(await service.call('PUT', `${path}/assignment`, { headers, body: { to: own.mark } }), 200)
  expectStatus(await service.call('POST', `${path}/comments`, { headers, body: { by: own.mark, text: own.mark } }), 201)
}

/** Open contradictions keep a person from signing here: written as rounds would. Two to a scope, so that the list has a next page. */
async function signOff(service: TestService, own: Owner): Promise<void> {
  const none = { count: 0, digest: '0'.repeat(64) }
  const covers: Covered = {
    documents: { ...none, hashes: [] },
    claims: none,
    left_open: { contradictions: 0, contradiction_ids: [], possible_conflicts: 0, possible_conflict_ids: [] },
    settings_digest: none.digest,
  }
  await service.database.owner.query(
    `insert into sign_offs (tenant_id, scope_no, generation, round, sign_off_id, decision_id, signed_by, person, bound, reason, signed_at, covers, unread)
     select s.tenant_id, s.scope_no, s.generation, d.round, 'sgn_' || substr(md5($2 || d.decision_id), 1, 22), d.decision_id, $2, $2, false, $2, now(),
       $3, '[]'
     from scopes s cross join lateral (
       select round, min(decision_id) as decision_id from decisions d
       where d.tenant_id = s.tenant_id and d.scope_no = s.scope_no and d.generation = s.generation group by round order by round limit 2) d
     where s.tenant_id = $1`,
    [own.tenantId, own.mark, JSON.stringify(covers)],
  )
}

async function govern(service: TestService, own: Owner): Promise<void> {
  const glossary = { terms: { [`${own.mark} revenue`]: ['turnover'] }, entities: {} }
  expectStatus(await service.admin('PUT', `/admin/scopes/${own.scope}/glossary`, glossary, own.key), 200)
  const { body } = await service.admin('GET', '/admin/policies', undefined, own.key)
  expectStatus(await service.admin('PUT', '/admin/policies', { policies: `// ${own.mark}\n${body.policies}` }, own.key), 200)
  expectStatus(await service.admin('POST', `/admin/tenants/${own.tenantId}/keys`, { label: own.mark }), 201)
}

/** A webhook that nothing is ever sent to, so that it stays as it is, and deliveries as if something had been. */
async function listen(service: TestService, own: Owner): Promise<Pick<Household, 'webhooks' | 'deliveries'>> {
  const body = { url: `https://${own.mark}.invalid/`, events: ['webhook.disabled'], description: own.mark }
  const made = await service.call('POST', '/api/webhooks', { headers: { 'x-tenant-api-key': own.key }, body })
  expectStatus(made, 201)
  const deliveries = [`dlv_${randomLetters(22)}`, `dlv_${randomLetters(22)}`]
  await service.database.owner.query(
    `insert into webhook_deliveries (tenant_id, webhook_id, delivery_id, kind, event_id, type, scope_id, scope_no, seq, status)
     select tenant_id, $2, unnest($3::text[]), 'event', 'evt_' || $4, 'document.queued', scope_id, scope_no, 0, 'delivered' from scopes
     where tenant_id = $1 and scope_id = $5`,
    [own.tenantId, made.body.webhook_id, deliveries, own.mark, own.scope],
  )
  return { webhooks: [made.body.webhook_id], deliveries }
}

/** As if a person had signed in with an issuer. */
async function signIn(service: TestService, own: Owner): Promise<{ token: string; sessionId: string }> {
  const grant = { person: own.mark, tenantId: own.tenantId, rights: ['read', 'ingest', 'decide', 'erase', 'manage', 'hold'], scopes: null }
  const about = {
    kind: 'device' as const,
    attempt: own.mark,
    issuer: 'https://issuer.invalid',
    subject: own.mark,
    keyId: null,
    minutes: 60,
    idleMinutes: 60,
  }
  const opened = await openSession(service.database.db, { ...grant, ...about })
  if (typeof opened === 'string') throw new Error(`no session could be opened: ${opened}`)
  return { token: opened.token, sessionId: opened.session.session_id }
}

/** The documents of a scope, once none of them is under way any more. */
export async function settled(service: TestService, own: Owner, scopeId: string): Promise<string[]> {
  const headers = { 'x-tenant-api-key': own.key }
  const { body } = await service.call('GET', `/api/scopes/${scopeId}/documents?limit=200`, { headers })
  const items = body.items as { document_id: string; status: string }[]
  for (const { document_id: id } of items.filter(item => ['queued', 'processing'].includes(item.status))) {
    const answer = await service.call('GET', `/api/documents/${encodeURIComponent(id)}?scope_id=${scopeId}&wait=30`, { headers })
    if (['queued', 'processing'].includes(answer.body.status)) throw new Error(`${id} of ${scopeId} was never processed`)
  }
  return items.map(item => item.document_id)
}

function named(items: Record<string, unknown>[], name: string): string[] {
  return [...new Set(items.flatMap(item => (typeof item[name] === 'string' ? [item[name]] : [])))]
}

function expectStatus(answer: TestAnswer, status: number): void {
  if (answer.status !== status) throw new Error(`answered ${answer.status} instead of ${status}: ${answer.text}`)
}
