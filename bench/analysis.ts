/**
 * How fast documents are read on one core, in CPU time: reports of 4 KB in cases of twenty, the cost of a character in a
 * long document, the cost of a claim in a small and a large scope, and texts made to hurt. Prints a table, then one
 * RESULT line.
 *
 *   npx tsx bench/analysis.ts [--full]     (--full: a million live claims instead of fifty thousand)
 */

import { pickRivals } from '../src/pipeline/planning/rivals.js'
import { extract } from '../src/reading/document/extract.js'
import { lookupWeights, placeClaims } from '../src/reading/relations/place.js'
import { reconcile } from '../src/reading/relations/reconcile.js'
import type { DocumentFacts, Extraction } from '../src/reading/types.js'
import { type TermRow, termRows } from '../src/store/claims/claim-terms.js'
import { reportDocument } from './support/report-documents.js'

type Placed = ReturnType<typeof placeClaims>['claims'][number]

const SCOPE_DOCUMENTS = 20
const LARGE = process.argv.includes('--full') ? 1_000_000 : 50_000

/** Milliseconds of CPU time of the whole process, its garbage collection included; the clock on the wall counts what others do. */
function cpu(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const used = process.cpuUsage(before)
  return (used.user + used.system) / 1000
}

const least = (times: number, work: () => void): number => Math.min(...Array.from({ length: times }, () => cpu(work)))

/** A scope in memory, its claims found by their words as the pipeline finds them. */
class Scope {
  readonly documents: Record<string, DocumentFacts> = {}
  readonly live: Placed[] = []
  private readonly terms = new Map<string, TermRow[]>()

  extract(id: string, text: string): Extraction {
    return extract({ documentId: id, revision: 1, name: id, type: 'txt', source: null, text })
  }

  place(id: string, extraction: Extraction): Placed[] {
    const glossary = { terms: {}, entities: {} }
    const placed = placeClaims({
      extraction,
      documentId: id,
      revision: 1,
      name: id,
      glossary,
      claimId: index => `${id}#${index}`,
    })
    this.documents[id] = placed.facts
    return placed.claims
  }

  read(id: string, text: string): Placed[] {
    return this.place(id, this.extract(id, text))
  }

  fetch(claims: readonly Placed[]): Placed[] {
    return [...pickRivals(lookupWeights(claims), term => this.terms.get(term) ?? [])].map(claimNo => this.live[claimNo]!)
  }

  reconcile(id: string, claims: Placed[], live: Placed[]): void {
    const document = { ...this.documents[id]!, documentId: id }
    reconcile({ document, claims, live, previousRevision: [], findings: [], documents: this.documents })
  }

  add(claims: readonly Placed[]): void {
    const first = this.live.length
    this.live.push(...claims)
    for (const row of termRows(claims.map((claim, index) => ({ claimNo: first + index, terms: claim.lookupKeys })))) {
      const rows = this.terms.get(row.term)
      if (rows) rows.push(row)
      else this.terms.set(row.term, [row])
    }
  }
}

interface Speed {
  rate: number
  extract: number
  place: number
  reconcile: number
  claims: number
}

/** Live claims come from the store as plain data: nothing that an earlier comparison worked out is left. */
const fromStore = (claims: readonly Placed[]): Placed[] => claims.map(claim => JSON.parse(JSON.stringify(claim)) as Placed)

function documentsPerSecond(count: number): Speed {
  let scope = new Scope()
  const spent = { extract: 0, place: 0, reconcile: 0 }
  let total = 0
  for (let index = 0; index < count; index++) {
    const id = `d${index}`
    const text = reportDocument(index)
    if (index % SCOPE_DOCUMENTS === 0) scope = new Scope()
    let extraction = scope.extract(id, '')
    let claims: Placed[] = []
    spent.extract += cpu(() => {
      extraction = scope.extract(id, text)
    })
    spent.place += cpu(() => {
      claims = scope.place(id, extraction)
    })
    const live = fromStore(scope.fetch(claims))
    spent.reconcile += cpu(() => scope.reconcile(id, claims, live))
    scope.add(claims)
    total += claims.length
  }
  const all = spent.extract + spent.place + spent.reconcile
  const each = (value: number): number => value / count
  return {
    rate: (count * 1000) / all,
    extract: each(spent.extract),
    place: each(spent.place),
    reconcile: each(spent.reconcile),
    claims: each(total),
  }
}

/** A long document is many reports bound together: as dense as they are, and as varied. */
function perCharacter(): number {
  const short = Array.from({ length: 24 }, (_, index) => reportDocument(index))
  const long = short.join('\n\n').slice(0, 100_000)
  const small = least(4, () => {
    for (const text of short) new Scope().read('d', text)
  })
  const large = least(4, () => {
    new Scope().read('d', long)
  })
  return large / long.length / (small / short.reduce((sum, text) => sum + text.length, 0))
}

/** Live claims of one scope, made by copying read ones under further keys and documents. */
function perClaim(): number {
  const cost = (size: number): number => {
    const scope = new Scope()
    const read = Array.from({ length: 20 }, (_, index) => scope.read(`d${index}`, reportDocument(index)))
    const claims = read.flat()
    for (const own of read) scope.add(own)
    // The same stand in both scopes; the rest lies under other words, as claims about other things do.
    for (let i = claims.length; i < size; i++) {
      const claim = claims[i % claims.length]!
      const elsewhere = (word: string): string => `${word}~${i >> 10}`
      const words = claim.says.words.map(([stem, ...rest]) => [elsewhere(stem), ...rest] as (typeof claim.says.words)[number])
      const says = { ...claim.says, words, ids: claim.says.ids.map(elsewhere) }
      scope.add([{ ...claim, claimId: `${claim.claimId}/${i}`, says, lookupKeys: claim.lookupKeys.map(elsewhere) }])
    }
    const fresh = scope.read('new', reportDocument(21))
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
    new Scope().read('d', text(10_000))
    const small = least(6, () => {
      new Scope().read('d', text(25_000))
    })
    // As often: of two runs a collection of garbage falls into each.
    const large = least(6, () => {
      new Scope().read('d', text(100_000))
    })
    // Below a few milliseconds the ratio says nothing.
    const growth = large < 20 ? 0 : large / small
    if (growth > worst.growth) worst = { name, growth }
  }
  return worst
}

function main(): void {
  documentsPerSecond(120)
  const runs = Array.from({ length: 5 }, () => documentsPerSecond(60)).sort((a, b) => b.rate - a.rate)
  const speed = runs[0]!
  const character = perCharacter()
  const claim = perClaim()
  const worst = hostile()
  const round = (value: number): number => Math.round(value * 100) / 100
  console.log(
    `documents of 4 KB a CPU second    ${round(speed.rate)} (best of five runs of 60; slowest ${round(runs.at(-1)!.rate)}; at least 200)`,
  )
  console.log(`  claims a document               ${round(speed.claims)}`)
  console.log(`  extract, place, reconcile in ms ${round(speed.extract)}, ${round(speed.place)}, ${round(speed.reconcile)}`)
  console.log(`a character, 100 KB against 4 KB  ${round(character)} (at most 1.5)`)
  console.log(`a claim, ${LARGE} live against 1000 ${round(claim)} (at most 1.3)`)
  console.log(`hostile text four times as long   ${round(worst.growth)} (${worst.name || 'all too quick to tell'}; at most 6)`)
  const result = {
    bench: 'analysis',
    documents_per_cpu_second: round(speed.rate),
    claims_per_document: round(speed.claims),
    extract_ms: round(speed.extract),
    place_ms: round(speed.place),
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
