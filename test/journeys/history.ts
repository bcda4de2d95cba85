/**
 * A case over HTTP to which anything may happen: documents are said, revised and erased, people decide, object, promote, dismiss and
 * take it back, sign and report, everything is read again, reset, or moves elsewhere. What a reader sees of it must be what its documents and the words of people lead to.
 */

import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { exportTenant } from '../../src/store/maintenance/tenant-export.js'
import { importTenant } from '../../src/store/maintenance/tenant-import.js'
import { invariants } from '../../src/store/maintenance/verify-invariants.js'
import { unsettledIn } from '../../src/store/maintenance/verify-standing.js'
import type { ScopePlace } from '../../src/store/scopes/scopes.js'
import type { TestAnswer, TestService } from '../support/service.js'
import { type AsOfAnswer, type Listed, type Lists, readLists } from './moments.js'
import { type Act, texts } from './random-acts.js'
import { type Claim, type Finding, isPersons, type PossibleConflict, silentPairs } from './silent.js'

const said = { reason: 'Looked at the papers.', by: 'j.doe' }
const query = `reason=${encodeURIComponent(said.reason)}&by=${said.by}`

const figures = invariants.find(({ name }) => name === 'state.figures')

type WordAct = Exclude<Extract<Act, { at: number }>, { kind: 'report' }>

export interface Seen {
  counts: string[]
  open: string[]
  possible: string[]
  replaced: string[]
}

type Answered = Pick<TestAnswer, 'status' | 'text'>

interface Tenant {
  tenant_id: string
  api_key: string
}

export class History {
  private service: TestService
  private readonly tenant: Tenant
  private readonly scopeId: string
  private readonly texts = new Map<string, { text: string; source: string | null }>()
  /** Where the tenant can go, once. */
  private elsewhere: TestService | undefined

  constructor(service: TestService, tenant: Tenant, scopeId: string, elsewhere?: TestService) {
    this.service = service
    this.tenant = tenant
    this.scopeId = scopeId
    this.elsewhere = elsewhere
  }

  /** False where it is left to the workers, and something else happens before they are through. */
  async act(act: Act): Promise<boolean> {
    // What is done to rows by hand is done to those of documents that were read.
    if (['move', 'lose text', 'upgrade'].includes(act.kind)) await this.settle()
    await this.perform(act)
    const isHurried = 'hurried' in act && act.hurried
    if (!isHurried) await this.settle()
    return !isHurried
  }

  private perform(act: Act): Promise<void> {
    switch (act.kind) {
      case 'say':
        return this.say(act.document, `${texts[act.document]?.(act.value)}${act.more ? 'The shed is red.\n' : ''}`, act.source)
      case 'erase':
        return this.erase(act.document)
      case 'read again':
        return this.readAgain()
      case 'sign off':
        return this.signOff()
      case 'report':
        return this.report(act.at)
      case 'reset':
        return this.reset()
      case 'move':
        return this.move()
      case 'lose text':
        return this.change('text = null', act.document)
      case 'upgrade':
        return this.change(
          `extractor_version = extractor_version || '-', profile = profile || jsonb_build_object('reader', profile->>'reader' || '-')`,
        )
      default:
        return this.sayOf(act)
    }
  }

  /** As age or an upgrade leaves its documents. */
  private async change(set: string, documentId: string | null = null): Promise<void> {
    await this.service.database.owner.query(
      `update documents set ${set} where tenant_id = $1 and status = 'indexed' and ($3::text is null or document_id = $3)
         and scope_no = (select scope_no from scopes where tenant_id = $1 and scope_id = $2)`,
      [this.tenant.tenant_id, this.scopeId, documentId],
    )
  }

  /** Nothing to sign yet, or something open: 409. */
  private async signOff(): Promise<void> {
    if (this.texts.size > 0) await this.word('POST', `/api/scopes/${this.scopeId}/sign-off`, said)
  }

  private async report(number: number): Promise<void> {
    if (this.texts.size === 0) return
    const sides = { claim_a: `Door ${number} is shut.`, claim_b: `Door ${number} is open.`, source_a: 'guard', source_b: 'visitor' }
    await this.expect(201, this.call('POST', '/api/contradictions', { scope_id: this.scopeId, severity: 'low', ...sides }))
  }

  private async reset(): Promise<void> {
    if (this.texts.size === 0) return
    const path = `/admin/scopes/${this.scopeId}/reset`
    await this.expect(200, this.service.admin('POST', path, undefined, this.tenant.api_key))
    this.texts.clear()
  }

  /** To another installation. */
  private async move(): Promise<void> {
    const { elsewhere } = this
    if (elsewhere === undefined) return
    const lines: string[] = []
    await exportTenant(this.service.database.db, this.tenant.tenant_id, async line => void lines.push(line))
    await importTenant(elsewhere.database.db, Readable.from(lines))
    this.service = elsewhere
    this.elsewhere = undefined
  }

  async say(documentId: string, text: string, source: string | null): Promise<void> {
    const body = { scope_id: this.scopeId, name: documentId, document_id: documentId, text, ...(source === null ? {} : { source }) }
    await this.expect(202, this.service.call('POST', '/api/ingest', { headers: { 'x-tenant-id': this.tenant.tenant_id }, body }))
    this.texts.set(documentId, { text, source })
  }

  /** What is left of it, in a case of its own. */
  async fresh(scopeId: string): Promise<History> {
    const fresh = new History(this.service, this.tenant, scopeId)
    for (const [documentId, { text, source }] of this.texts) await fresh.say(documentId, text, source)
    await fresh.settle()
    return fresh
  }

  private async erase(documentId: string): Promise<void> {
    if (!this.texts.delete(documentId)) return
    // One that a worker has at the moment is asked for again, as the answer says.
    const erase = () => this.call('DELETE', `/api/documents/${documentId}?scope_id=${this.scopeId}`)
    let answer = await erase()
    for (let tries = 0; tries < 200 && answer.status === 409 && answer.text.includes('being processed'); tries++) {
      await wait(50)
      answer = await erase()
    }
    await this.expect(200, answer)
  }

  async readAgain(): Promise<void> {
    if (this.texts.size > 0) await this.call('POST', `/api/scopes/${this.scopeId}/reread`, {})
    await this.settle()
  }

  private async sayOf(act: WordAct): Promise<void> {
    const target = await this.targetOf(act)
    if (target === undefined) return
    const slip = act.kind === 'decide' && act.verdict === 'clerical_error' ? { side: act.at % 2 === 0 ? 'a' : 'b' } : {}
    const body = act.kind === 'decide' ? { ...said, ...slip, verdict: act.verdict } : said
    await this.word(target.method, target.path, body)
  }

  /** A word may come too late (409); everything else must be taken. */
  private async word(method: string, path: string, body: object): Promise<boolean> {
    const answer = method === 'POST' ? await this.call('POST', path, body) : await this.call('DELETE', `${path}?${query}`)
    if (![200, 201, 409].includes(answer.status)) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
    return answer.status !== 409
  }

  private async targetOf(act: WordAct): Promise<{ method: string; path: string } | undefined> {
    const pick = <T>(items: readonly T[]): T | undefined => items[act.at % Math.max(1, items.length)]
    if (act.kind === 'decide' || act.kind === 'withdraw') {
      const items = (await this.findings()).filter(each => (act.kind === 'decide' ? each.status === 'open' : isPersons(each)))
      const found = pick(items)
      return (
        found && { method: act.kind === 'decide' ? 'POST' : 'DELETE', path: `/api/contradictions/${found.contradiction_id}/resolution` }
      )
    }
    if (act.kind === 'object' || act.kind === 'restore') {
      const found = pick(
        await this.items<{ supersession_id: string }>(`supersessions?status=${act.kind === 'object' ? 'standing' : 'objected'}`),
      )
      return found && { method: act.kind === 'object' ? 'POST' : 'DELETE', path: `/api/supersessions/${found.supersession_id}/objection` }
    }
    const possible = await this.items<{ possible_conflict_id: string; status: string }>('possible-conflicts?status=all')
    const isWanted = (status: string) => (act.kind === 'take back' ? status !== 'open' : status === 'open')
    const found = pick(possible.filter(each => isWanted(each.status)))
    if (found === undefined) return undefined
    const word = act.kind === 'promote' || found.status === 'promoted' ? 'promotion' : 'dismissal'
    return { method: act.kind === 'take back' ? 'DELETE' : 'POST', path: `/api/possible-conflicts/${found.possible_conflict_id}/${word}` }
  }

  /** Takes back every word of a person; what the first pass could not, because of another word, a later one can. */
  async withdrawAll(): Promise<void> {
    for (let pass = 0; pass < 4; pass++) {
      let changed = false
      for (const each of await this.findings())
        if (isPersons(each))
          changed = (await this.word('DELETE', `/api/contradictions/${each.contradiction_id}/resolution`, said)) || changed
      await this.settle()
      for (const each of await this.items<{ supersession_id: string }>('supersessions?status=objected'))
        changed = (await this.word('DELETE', `/api/supersessions/${each.supersession_id}/objection`, said)) || changed
      for (const each of await this.items<{ possible_conflict_id: string; status: string; decision?: { by: string } }>(
        'possible-conflicts?status=all',
      )) {
        if (each.status === 'open' || each.decision?.by === 'system') continue
        const word = each.status === 'promoted' ? 'promotion' : 'dismissal'
        changed = (await this.word('DELETE', `/api/possible-conflicts/${each.possible_conflict_id}/${word}`, said)) || changed
      }
      await this.settle()
      if (!changed) return
    }
  }

  async seen(): Promise<Seen> {
    const live = await this.items<Claim>('claims?state=live')
    // What was handed in by hand is in no document.
    const found = (await this.findings()).filter(each => each.status === 'open' && each.kind !== 'reported')
    const standing = await this.items<{ kind: string; claim: Claim; superseded_by: Claim }>('supersessions?status=standing')
    const isNow = (claim: Claim) => this.texts.get(claim.document_id)?.text.includes(claim.quote) === true
    const replaced = standing.filter(each => each.kind !== 'revision' && isNow(each.claim) && isNow(each.superseded_by))
    return {
      counts: sorted(live.map(name)),
      open: sorted(found.flatMap(pairsOf)),
      possible: (await this.items<PossibleConflict>('possible-conflicts?status=open')).map(({ a, b }) => pairOf(name(a), name(b))).sort(),
      replaced: sorted(replaced.map(each => `${name(each.superseded_by)} replaces ${name(each.claim)}`)),
    }
  }

  /** Where what is kept is not what follows from the facts, or the figures are not those of the rows. */
  unsettled(): Promise<string[]> {
    const place = `select s.tenant_id as "tenantId", s.scope_no as "scopeNo", s.generation from scopes s where s.tenant_id = $1 and s.scope_id = $2`
    return this.service.database.db.engine(async tx => {
      const scope = await tx.row<ScopePlace>(place, [this.tenant.tenant_id, this.scopeId])
      if (scope === null) return []
      const counted = await tx.column<string>(
        `select f.detail from (${figures?.sql}) as f (tenant_id, scope_no, detail) where f.tenant_id = $1 and f.scope_no = $2`,
        [scope.tenantId, scope.scopeNo],
      )
      return [...counted, ...(await unsettledIn(tx, scope))]
    })
  }

  /** Values of one fact that count together although nothing about the two is open or decided. */
  async silent(): Promise<string[]> {
    return silentPairs({
      live: await this.items<Claim>('claims?state=live'),
      findings: await this.findings(),
      possible: await this.items<PossibleConflict>('possible-conflicts?status=all'),
      readers: await this.readers(),
    })
  }

  /** By document, the version of the reader that read it. */
  private async readers(): Promise<Map<string, string>> {
    const { rows } = await this.service.database.owner.query(
      `select d.document_id, d.profile->>'reader' as reader from documents d join scopes s using (tenant_id, scope_no)
       where s.tenant_id = $1 and s.scope_id = $2 and d.generation = s.generation and d.status = 'indexed' order by d.revision`,
      [this.tenant.tenant_id, this.scopeId],
    )
    return new Map(rows.map(row => [row.document_id, row.reader]))
  }

  /** With `knownAt`, what was known then. */
  lists(knownAt?: string): Promise<Lists> {
    return readLists(path => this.items<Listed>(path), knownAt === undefined ? '' : `&known_at=${knownAt}`)
  }

  async asOf(at: string): Promise<AsOfAnswer> {
    const path = `/api/scopes/${this.scopeId}/as-of?at=${at}&limit=200`
    const { body } = await this.call('GET', path)
    for (const [list, page] of Object.entries<Listed | null>(body))
      for (let next = page?.['next']; next != null; ) {
        const further = (await this.call('GET', `${path}&list=${list}&cursor=${encodeURIComponent(next)}`)).body[list]
        page?.['items'].push(...further.items)
        next = further.next
      }
    return body
  }

  private findings(): Promise<Finding[]> {
    return this.items<Finding>('contradictions?status=all')
  }

  private async items<T>(path: string): Promise<T[]> {
    const items: T[] = []
    for (let cursor = ''; ; ) {
      const answer = await this.call('GET', `/api/scopes/${this.scopeId}/${path}&limit=200${cursor}`)
      // A case that was given nothing is not there.
      if (answer.status === 404 && this.texts.size === 0) return []
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`)
      items.push(...answer.body.items)
      if (answer.body.next === null) return items
      cursor = `&cursor=${encodeURIComponent(answer.body.next)}`
    }
  }

  private call(method: string, path: string, body?: unknown) {
    const headers = { 'x-tenant-api-key': this.tenant.api_key }
    return this.service.call(method, path, { headers, ...(body === undefined ? {} : { body }) })
  }

  private async expect(status: number, answer: Answered | Promise<Answered>): Promise<void> {
    const { status: given, text } = await answer
    if (given !== status) throw new Error(`answered ${given}: ${text}`)
  }

  /** Until nothing waits, documents to be read again included. */
  async settle(): Promise<void> {
    const waiting = `select h.queued + h.processing + h.rereads as waiting from scope_heads h
      join scopes s using (tenant_id, scope_no) where s.tenant_id = $1 and s.scope_id = $2`
    for (;;) {
      const { rows } = await this.service.database.owner.query(waiting, [this.tenant.tenant_id, this.scopeId])
      if (Number(rows[0]?.waiting ?? 0) === 0) return
      await wait(10)
    }
  }
}

const name = ({ document_id, quote }: Claim) => `${document_id}: ${quote}`
const sorted = (lines: readonly string[]) => [...new Set(lines)].sort()

function pairOf(one: string, two: string): string {
  return [one, two].sort().join(' | ')
}

function pairsOf({ a, b, supporters_a, supporters_b }: Finding): string[] {
  const live = (claims: Claim[]) => claims.filter(each => each.superseded_at === null).map(name)
  return live([a, ...supporters_a]).flatMap(one => live([b, ...supporters_b]).map(two => pairOf(one, two)))
}
