/**
 * One seed of the simulation: a tenant does twenty things to a scope (ingest, repeat, revise, attach, trigger, erase, reset,
 * decide, object, take that back, read again, pause, start) through a database on which things go wrong, and repeats whatever got no answer, as a client would. At
 * the end the scope is held to every answer that was given. Gives what is wrong, in words; nothing when all is well.
 */

import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { createHints, type Hints } from '../../src/events/hints.js'
import { control } from '../../src/hatchery/control.js'
import type { Ingest } from '../../src/ingest/ingest.js'
import { systemClock } from '../../src/platform/clock.js'
import { isAppError } from '../../src/platform/errors.js'
import { createFaultInjector, type FaultKind, faultKinds } from '../../src/platform/faults.js'
import type { ScopesDeps } from '../../src/scopes/deps.js'
import { attachDocument } from '../../src/scopes/documents/attach.js'
import { eraseDocument } from '../../src/scopes/documents/erase.js'
import { rereadScope } from '../../src/scopes/documents/reread.js'
import { triggerIngest } from '../../src/scopes/documents/trigger.js'
import { objectToSupersession, restoreSupersession } from '../../src/scopes/findings/finding-act.js'
import { reopenContradiction, resolveContradiction } from '../../src/scopes/findings/resolution.js'
import { resetScope } from '../../src/scopes/reset.js'
import type { Database } from '../../src/store/server/database.js'
import { withFaults } from '../../src/store/server/faulty-database.js'
import { documentFor, openIngest } from '../ingest/support.js'
import type { PipelineWorld } from '../pipeline/support.js'
import { brokenPromises, type Known, type Promised, rowsOf } from './promises.js'

export interface Simulation {
  world: PipelineWorld
  seed: number
  rate: number
  /** A mistake made on purpose, which must be found. */
  sabotage?: ((db: Database) => Database) | undefined
  /** What the tenant does, in no order of its own: everything where nothing is said. */
  acts?: readonly Act[]
}

export interface SimulationResult {
  seed: number
  problems: string[]
  faults: Record<FaultKind, number>
  repeats: number
  /** Words that stood in documents which were erased, and nowhere else. */
  erased: string[]
  /** Words on findings that were answered. */
  words: number
}

const scopeId = 'case'
/** The document whose every revision names somebody nobody else names. */
const personal = 'personal'
const refusals = ['RUNTIME_CONFLICT', 'SCOPE_NOT_FOUND', 'DOCUMENT_NOT_FOUND', 'STATE_CONFLICT'] as const
const acts = [
  'ingest',
  'ingest',
  'ingest',
  'repeat',
  'attach',
  'attach',
  'trigger',
  'erase',
  'erase',
  'reset',
  'decide',
  'decide',
  'decide',
  'withdraw',
  'object',
  'object',
  'restore',
  'reread',
  'pause',
  'start',
  'restart',
  'stop',
] as const

/** Besides: to hand in the personal document, and to erase it once it was read. */
export type Act = (typeof acts)[number] | 'ingest-personal' | 'erase-read'

const actsOfSeed = 20

export async function simulate({ world, seed, rate, sabotage, acts: drawn = acts }: Simulation): Promise<SimulationResult> {
  const tenantId = await world.newTenant()
  const injector = createFaultInjector({ seed, rate, kinds: faultKinds })
  const chance = createFaultInjector({ seed: seed + 1_000_000_007, rate: 0, kinds: [] }).share
  const actor = new Actor(
    world,
    tenantId,
    withFaults(sabotage?.(world.db) ?? world.db, injector, () => actor.restart()),
    chance,
    seed,
  )
  await actor.begin()
  for (let n = 0; n < actsOfSeed; n++) await actor.act(n === 0 ? 'ingest' : (drawn[Math.floor(chance() * drawn.length)] as Act), n)
  await actor.act('start', actsOfSeed)
  const drained = await settles(world.db, tenantId, sabotage === undefined ? drainMs : brokenDrainMs)
  const problems = drained ? await brokenPromises(world.db, tenantId, actor.promised) : ['the backlog was never worked off']
  return { seed, problems, faults: injector.counts(), repeats: actor.repeats, erased: actor.promised.erased, words: actor.words }
}

class Actor {
  readonly promised: Promised = {
    queued: [],
    attached: 0,
    resets: 0,
    unansweredResets: 0,
    documents: new Map(),
    keys: new Map(),
    answersChanged: [],
    words: new Map(),
    erased: [],
    said: new Map(),
  }
  repeats = 0
  words = 0
  private ingest: Ingest
  private readonly hints: Hints
  private readonly scopes: ScopesDeps
  private readonly world: PipelineWorld
  private readonly tenantId: string
  private readonly db: Database
  private readonly chance: () => number
  private readonly seed: number

  constructor(world: PipelineWorld, tenantId: string, db: Database, chance: () => number, seed: number) {
    this.world = world
    this.tenantId = tenantId
    this.db = db
    this.chance = chance
    this.seed = seed
    const hints = createHints({ logger: world.logger })
    this.hints = hints
    this.ingest = openIngest(world, {}, { db, hints })
    this.scopes = { db, hints, clock: systemClock, config: { scopeAutocreate: true }, logger: world.logger, certify: world.certify }
  }

  /** A process that died comes back with nothing in its memory. */
  restart(): void {
    this.ingest = openIngest(this.world, {}, { db: this.db })
  }

  /** Half of the time there is something to decide and to object to from the start. */
  async begin(): Promise<void> {
    if (this.chance() < 0.5) return
    const papers = ['a', 'b', 'minutes', 'corrected'].map((documentId, index) => this.paper(documentId, index + 1))
    for (const [index, [documentId, text]] of papers.entries()) await this.ingestOnce(`first-${index}`, documentId, text)
    await settles(this.world.db, this.tenantId, 2000)
  }

  async act(kind: Act, n: number): Promise<void> {
    switch (kind) {
      case 'ingest':
      case 'ingest-personal':
        return this.ingestOnce(
          `key-${n}`,
          ...this.paper(kind === 'ingest' ? this.pick(['a', 'b', 'c', 'minutes', 'corrected', personal, personal]) : personal),
          // Of the tenant too: a seed that is run again must not find the words of the run before.
          lettersOf(this.seed * 100 + n) +
            this.tenantId
              .slice(-6)
              .replaceAll(/[^a-z]/gi, 'x')
              .toLowerCase(),
        )
      case 'repeat': {
        if (this.promised.keys.size === 0) return
        const [key, { body }] = this.pick([...this.promised.keys])
        const [documentId, text] = JSON.parse(body) as [string, string]
        return this.ingestOnce(key, documentId, text)
      }
      case 'attach':
        return this.attachOnce(`key-${n}`, this.pick(['b', 'c', 'd']), `Costs were EUR ${1 + Math.floor(this.chance() * 3)}M in 2025.`)
      case 'trigger':
        return this.trigger()
      case 'erase':
        return this.erase(this.pick([personal, personal, 'b']))
      case 'erase-read':
        await settles(this.world.db, this.tenantId, drainMs)
        return this.erase(personal)
      case 'reset':
        return this.reset()
      case 'decide':
      case 'withdraw':
        return this.sayOfContradiction(kind)
      case 'object':
      case 'restore':
        return this.sayOfSupersession(kind)
      case 'reread':
        await this.insist(() => rereadScope(this.scopes, { tenantId: this.tenantId, scopeId }, {}))
        return
      default:
        // Refused while stopped, or done: either way the scope is as the last answer says.
        await this.insist(() => control({ db: this.db, hints: this.hints }, kind, { level: 'scope', tenantId: this.tenantId, scopeId }))
    }
  }

  /** Two issuers that may disagree, and minutes that may be corrected. */
  private paper(documentId: string, figure = 1 + Math.floor(this.chance() * 3)): [string, string] {
    const board = { minutes: 'Minutes of 4 May 2022', corrected: 'Corrected minutes of 7 June 2022' }[documentId]
    if (board !== undefined) return [documentId, `Harbour board\n${board}\nThe Corran pier is 20${figure} m long.\n`]
    const issuer = { a: 'Aurelia Works', b: 'Brandt Audit', c: 'Keller & Partner' }[documentId]
    if (issuer === undefined) return [documentId, `The revenue for FY2025 was EUR ${figure}M.`]
    const head = `Annual report of Meridian Foods\n\nIssuer: ${issuer}\nDate: 1 March 2026`
    return [documentId, `${head}\n\nRevenue for FY2025: EUR ${figure}M\n`]
  }

  private async sayOfContradiction(kind: 'decide' | 'withdraw'): Promise<void> {
    const id = await this.findingOf(
      'contradictions',
      'contradiction_id',
      kind === 'decide' ? "x.status = 'open'" : "x.resolution->>'by' = 'j.doe'",
    )
    if (id === undefined) return
    const word = { tenantId: this.tenantId, contradictionId: id, ...judgement }
    const verdict = this.pick(['a', 'b', 'both', 'dismiss', 'disputed'] as const)
    if (kind === 'decide') return this.keepWord(id, verdict, () => resolveContradiction(this.scopes, { ...word, verdict }))
    return this.keepWord(id, null, () => reopenContradiction(this.scopes, word))
  }

  private async sayOfSupersession(kind: 'object' | 'restore'): Promise<void> {
    const status = kind === 'object' ? "x.status = 'standing' and x.kind <> 'revision'" : "x.status = 'objected'"
    const id = await this.findingOf('supersessions', 'supersession_id', status)
    if (id === undefined) return
    const word = { tenantId: this.tenantId, findingId: id, ...judgement }
    if (kind === 'object') return this.keepWord(id, 'object', () => objectToSupersession(this.scopes, word))
    return this.keepWord(id, null, () => restoreSupersession(this.scopes, word))
  }

  /** One of those, as somebody sees it who looks at the case. */
  private async findingOf(table: string, column: string, which: string): Promise<string | undefined> {
    await settles(this.world.db, this.tenantId, 400)
    const found = await rowsOf<{ id: string }>(
      this.world.db,
      `select x.${column} as id from ${table} x join scopes s on s.tenant_id = x.tenant_id and s.scope_no = x.scope_no and s.generation = x.generation
       where x.tenant_id = $1 and ${which} order by 1`,
      this.tenantId,
    )
    return found.length === 0 ? undefined : this.pick(found).id
  }

  private async keepWord(id: string, word: string | null, say: () => Promise<unknown>): Promise<void> {
    let isSure = true
    const answer = await this.insist(say, () => {
      isSure = false
    })
    if (answer !== 'refused') {
      this.promised.said.set(id, word)
      this.words++
    } else if (!isSure) this.promised.said.delete(id)
  }

  private async ingestOnce(key: string, documentId: string, said: string, word?: string): Promise<void> {
    const text = documentId === personal && word !== undefined ? `${said}\nThe chairman of ${word} Ltd is Mr ${word}.` : said
    const body = JSON.stringify([documentId, text])
    const answer = await this.insist(() => this.ingest.accept(documentFor(this.tenantId, scopeId, { document_id: documentId, text, key })))
    if (answer === 'refused') return
    const known = this.promised.keys.get(key)
    const { seq, document_id } = answer.response
    if (known !== undefined) {
      if (known.seq !== seq || known.documentId !== document_id) this.promised.answersChanged.push(`key ${key}: ${known.seq} became ${seq}`)
      return
    }
    this.promised.keys.set(key, { body, seq, documentId: document_id })
    this.promised.queued.push({ seq, documentId: document_id })
    this.revise(document_id, text, 'queued')
    if (text !== said) this.promised.words.set(document_id, [...(this.promised.words.get(document_id) ?? []), word as string])
  }

  private async attachOnce(key: string, documentId: string, text: string): Promise<void> {
    const name = { tenantId: this.tenantId, scopeId }
    const answer = await this.insist(() => attachDocument(this.scopes, name, { name: 'A report', text, document_id: documentId }, key))
    if (answer === 'refused') return
    this.promised.attached++
    this.revise(documentId, text, 'attached')
    if (answer.body.revision !== this.promised.documents.get(documentId)?.revision) {
      this.promised.answersChanged.push(`attach answered revision ${answer.body.revision} of ${documentId}`)
    }
  }

  private async trigger(): Promise<void> {
    const answer = await this.insist(() => triggerIngest(this.scopes, { tenantId: this.tenantId, scopeId }))
    if (answer === 'refused') return
    // Tries without an answer may have queued some of them: their places are not known, but that they are queued is.
    for (const known of this.promised.documents.values()) if (known.status === 'attached') known.status = 'queued'
  }

  private async erase(documentId: string): Promise<void> {
    // Half of the time what is erased was read before, unless the scope is paused or stopped.
    if (this.chance() < 0.5) await settles(this.world.db, this.tenantId, 400)
    const answer = await this.insist(() => eraseDocument(this.scopes, { tenantId: this.tenantId, scopeId, documentId }))
    if (answer === 'refused') return
    const known = this.promised.documents.get(documentId)
    if (known !== undefined) known.status = 'erased'
    this.promised.erased.push(...(this.promised.words.get(documentId) ?? []))
  }

  private async reset(): Promise<void> {
    const answer = await this.insist(
      () => resetScope(this.scopes, { tenantId: this.tenantId, scopeId }),
      () => this.promised.unansweredResets++,
    )
    if (answer === 'refused') return
    this.promised.resets++
    this.promised.documents.clear()
    this.promised.keys.clear()
    this.promised.words.clear()
    this.promised.said.clear()
  }

  private revise(documentId: string, text: string, status: Known['status']): void {
    const revision = (this.promised.documents.get(documentId)?.revision ?? 0) + 1
    this.promised.documents.set(documentId, { revision, hash: createHash('sha256').update(text).digest('hex'), status })
  }

  /** Repeats until there is an answer; a refusal is one. */
  private async insist<T>(ask: () => Promise<T>, onSilence: () => void = () => undefined): Promise<T | 'refused'> {
    // An erasure sends dozens of statements, of which each goes wrong now and then: 88 tries in a row were seen.
    for (let tries = 0; tries < 600; tries++) {
      try {
        return await ask()
      } catch (error) {
        if (!isAppError(error, 'STORAGE_UNAVAILABLE')) {
          if (refusals.some(code => isAppError(error, code))) return 'refused'
          throw error
        }
        this.repeats++
        onSilence()
      }
    }
    throw new Error('six hundred tries in a row went wrong')
  }

  private pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.chance() * from.length)] as T
  }
}

const judgement = { by: 'j.doe', reason: 'Looked at both.' }

/** A number as a name no document has by chance. */
function lettersOf(number: number): string {
  return `Zq${[...number.toString(26)].map(digit => String.fromCharCode(97 + Number.parseInt(digit, 26))).join('')}qv`
}

const drainMs = 120_000
/** Where something is broken on purpose, waiting for it in vain is the rule. */
const brokenDrainMs = 2000

/** Whether the backlog is worked off; that of generations before a reset is nobody's work any more. */
async function settles(db: Database, tenantId: string, withinMs: number): Promise<boolean> {
  const end = performance.now() + withinMs
  while (performance.now() < end) {
    const waiting = await rowsOf(
      db,
      `select 1 from backlog b join scopes s on s.tenant_id = b.tenant_id and s.scope_no = b.scope_no and s.generation = b.generation
       where b.tenant_id = $1 limit 1`,
      tenantId,
    )
    if (waiting.length === 0) return true
    await wait(20)
  }
  return false
}
