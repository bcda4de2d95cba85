/**
 * How fast documents are read on one core, in CPU time: documents of 4 KB made from the samples, cost a character of a long
 * document, cost a claim of reconciling in a small and a large scope, and texts made to hurt. Prints a table, then one
 * RESULT line.
 *
 *   npx tsx bench/analysis.ts [--full]     (--full: a million live claims instead of fifty thousand)
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { extract } from '../src/analysis/extract.js'
import { emptyMemory, placeClaims } from '../src/analysis/place.js'
import { reconcile } from '../src/analysis/reconcile.js'
import type { PlacedClaim, ScopeMemory } from '../src/analysis/types.js'

const SAMPLES = join(import.meta.dirname, '..', 'samples')
const LIVE_PER_KEY = 64
const SCOPE_DOCUMENTS = 20
const LARGE = process.argv.includes('--full') ? 1_000_000 : 50_000

/** Milliseconds of CPU time; the clock on the wall counts what others do. */
function cpu(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const used = process.cpuUsage(before)
  return (used.user + used.system) / 1000
}

const least = (times: number, work: () => void): number => Math.min(...Array.from({ length: times }, () => cpu(work)))

/** Paragraphs of the samples; figures are varied so that documents differ. */
function paragraphs(): string[] {
  const folders = readdirSync(SAMPLES, { withFileTypes: true }).filter(entry => entry.isDirectory() && entry.name !== 'gold')
  const files = folders.flatMap(folder =>
    readdirSync(join(SAMPLES, folder.name))
      .filter(name => /\.(?:txt|md)$/.test(name))
      .map(name => join(SAMPLES, folder.name, name)),
  )
  return files.sort().flatMap(file => readFileSync(file, 'utf8').split(/\n{2,}/))
}

const parts = paragraphs()

function documentOf(index: number, size: number): string {
  const issuers = ['Harbour Audit', 'Northern Bank', 'City Treasury', 'Works Office']
  let text = `Note ${index}\n\nPrepared by: ${issuers[index % issuers.length]}\nDate: 2025-0${1 + (index % 9)}-11\n`
  for (let i = index * 7; text.length < size; i++)
    text += `\n${parts[i % parts.length]!.replace(/\b\d{2}\b/g, two => String(10 + ((Number(two) + index + i) % 89)))}\n`
  return text.slice(0, size)
}

/** A scope in memory, fetched by key as the store does. */
class Scope {
  memory: ScopeMemory = emptyMemory()
  readonly live = new Map<string, PlacedClaim[]>()

  place(id: string, text: string): PlacedClaim[] {
    const extraction = extract({ documentId: id, revision: 1, name: id, type: 'txt', source: null, text })
    const glossary = { terms: {}, entities: {} }
    const placed = placeClaims({
      extraction,
      documentId: id,
      revision: 1,
      name: id,
      memory: this.memory,
      glossary,
      claimId: index => `${id}#${index}`,
    })
    this.memory = placed.memory
    return placed.claims
  }

  fetch(claims: readonly PlacedClaim[]): PlacedClaim[] {
    const keys = new Set(claims.flatMap(claim => [claim.slotKey, ...claim.lookupKeys]))
    return [...keys].flatMap(key => this.live.get(key)?.slice(-LIVE_PER_KEY) ?? [])
  }

  reconcile(id: string, claims: PlacedClaim[], live: PlacedClaim[]): void {
    const document = { ...this.memory.documents[id]!, documentId: id }
    reconcile({ document, claims, live, previousRevision: [], findings: [], memory: this.memory })
  }

  add(claims: readonly PlacedClaim[]): void {
    for (const claim of claims) {
      const bucket = this.live.get(claim.slotKey)
      if (bucket) bucket.push(claim)
      else this.live.set(claim.slotKey, [claim])
    }
  }
}

function documentsPerSecond(count: number): { rate: number; read: number; reconcile: number; claims: number } {
  let scope = new Scope()
  const texts = Array.from({ length: count }, (_, index) => documentOf(index, 4096))
  let read = 0
  let compared = 0
  let total = 0
  for (const [index, text] of texts.entries()) {
    let claims: PlacedClaim[] = []
    if (index % SCOPE_DOCUMENTS === 0) scope = new Scope()
    read += cpu(() => {
      claims = scope.place(`d${index}`, text)
    })
    const live = scope.fetch(claims)
    compared += cpu(() => scope.reconcile(`d${index}`, claims, live))
    scope.add(claims)
    total += claims.length
  }
  return { rate: (count * 1000) / (read + compared), read: read / count, reconcile: compared / count, claims: total / count }
}

function perCharacter(): number {
  const short = Array.from({ length: 24 }, (_, index) => documentOf(index, 4096))
  const long = documentOf(3, 100_000)
  const small = least(3, () => {
    for (const text of short) new Scope().place('d', text)
  })
  const large = least(3, () => {
    new Scope().place('d', long)
  })
  return large / long.length / (small / (short.length * 4096))
}

/** Live claims of one scope, made by copying read ones under further keys and documents. */
function perClaim(): number {
  const cost = (size: number): number => {
    const scope = new Scope()
    const read = Array.from({ length: 20 }, (_, index) => scope.place(`d${index}`, documentOf(index, 4096))).flat()
    // The same thousand stand in both scopes; the rest lies under other keys.
    for (let i = 0; i < size; i++) {
      const claim = read[i % read.length]!
      scope.add([i < 1_000 ? claim : { ...claim, claimId: `${claim.claimId}/${i}`, slotKey: `${claim.slotKey} ${i >> 13}` }])
    }
    const fresh = scope.place('new', documentOf(21, 4096))
    const work = (): void => {
      for (let i = 0; i < 10; i++) scope.reconcile('new', fresh, scope.fetch(fresh))
    }
    work()
    return least(5, work)
  }
  const small = cost(1_000)
  return cost(LARGE) / small
}

const HOSTILE: Record<string, string> = {
  digits: '1234567890',
  'one long word': 'a',
  brackets: '((((',
  colons: 'a: b: ',
  pipes: '| a ',
  percent: '5 % of ',
  dates: '2025-01-01 to ',
  capitals: 'Alpha Beta ',
  'not a stop': 'the figure was not ',
  newlines: 'x\n',
  items: '- revenue of EUR 5 million was not reported\n',
}

/** The worst growth when a hostile text becomes four times as long; four is linear. */
function hostile(): { name: string; growth: number } {
  let worst = { name: '', growth: 0 }
  for (const [name, unit] of Object.entries(HOSTILE)) {
    const text = (size: number): string => unit.repeat(Math.ceil(size / unit.length))
    new Scope().place('d', text(10_000))
    const small = least(3, () => {
      new Scope().place('d', text(25_000))
    })
    const large = least(2, () => {
      new Scope().place('d', text(100_000))
    })
    // Below a few milliseconds the ratio says nothing.
    const growth = large < 20 ? 0 : large / small
    if (growth > worst.growth) worst = { name, growth }
  }
  return worst
}

function main(): void {
  documentsPerSecond(100)
  const runs = [1, 2, 3].map(() => documentsPerSecond(60)).sort((a, b) => b.rate - a.rate)
  const speed = runs[0]!
  const character = perCharacter()
  const claim = perClaim()
  const worst = hostile()
  const round = (value: number): number => Math.round(value * 100) / 100
  console.log(
    `documents of 4 KB a CPU second   ${round(speed.rate)} (reading ${round(speed.read)} ms, reconciling ${round(speed.reconcile)} ms, ${round(speed.claims)} claims)`,
  )
  console.log(`a character, 100 KB against 4 KB ${round(character)} (at most 1.5)`)
  console.log(`a claim, ${LARGE} live against 1000 ${round(claim)} (at most 1.3)`)
  console.log(`hostile text four times as long  ${round(worst.growth)} (${worst.name || 'all too quick to tell'}; at most 6)`)
  const result = {
    bench: 'analysis',
    documents_per_cpu_second: round(speed.rate),
    read_ms: round(speed.read),
    reconcile_ms: round(speed.reconcile),
    character_ratio: round(character),
    live_claims: LARGE,
    claim_ratio: round(claim),
    hostile_growth: round(worst.growth),
    ok: speed.rate >= 200 && character <= 1.5 && claim <= 1.3 && worst.growth <= 6,
  }
  console.log(`RESULT ${JSON.stringify(result)}`)
}

main()
