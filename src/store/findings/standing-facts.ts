/**
 * The facts around some claims, as `kernel/standing.ts` takes them: what is said, what was found between statements, what people said
 * of it; each with what the caches hold. From claims to what was found about them, to the claims of that, and so on until nothing new
 * is met. Bounded: what lies beyond is taken as it is kept.
 */

import { confidenceMicros } from '../../kernel/scores.js'
import { type SpokenVerdict, verdictOf } from '../../kernel/standing.js'
import type { KeptCase, KeptContradiction, KeptPossible, KeptReplacement, KeptStatement } from '../../kernel/standing-difference.js'
import { stillSaidSql } from '../claims/claim-ends.js'
import { claimsOfStatements } from '../claims/statements.js'
import { inPlace, ofPlace, placeOf, type ScopePlace } from '../scopes/scopes.js'
import type { Transaction } from '../server/database.js'
import type { WordEffect } from './finding-rows.js'

/** As far as claims are followed, and as many. */
const mostSteps = 8
const mostClaims = 4000

export interface Touched {
  claimNos: readonly number[]
  /** Reported ones have no claims. */
  contradictionNos?: readonly number[]
}

interface ClaimFact {
  statement: number
  claimNo: number
  claimId: string
  documentId: string
  slotKey: string
  confidence: number
  said: boolean
  live: boolean
  supersededBy: string | null
  recordedRound: number
  supersededRound: number | null
}

interface ContradictionFactRow {
  no: number
  id: string
  severity: KeptContradiction['severity']
  status: 'open' | 'resolved' | 'dismissed'
  closed: boolean
  inForce: boolean
  /** Null for what has statements; a report in words is said until they are erased with a document it names. */
  reported: { said: boolean } | null
  resolution: { verdict: SpokenVerdict; side?: 'a' | 'b'; by?: string; reason?: string; round?: number; effect?: WordEffect } | null
  a: number[]
  b: number[]
}

interface ReplacementFactRow {
  no: number
  id: string
  status: KeptReplacement['kept']
  claim: number
  by: number
  reason: string
  objectedRound: number | null
}

interface PossibleFactRow {
  no: number
  id: string
  status: 'open' | 'promoted' | 'dismissed' | 'cleared'
  closed: boolean
  inForce: boolean
  a: number
  b: number
  round: number | null
}

export async function readKeptCase(tx: Transaction, place: ScopePlace, touched: Touched): Promise<KeptCase> {
  return new Reading(tx, place).read(touched)
}

class Reading {
  private readonly tx: Transaction
  private readonly place: ScopePlace
  private readonly claims = new Map<number, ClaimFact>()
  private readonly followed = new Set<number>()
  private readonly contradictions = new Map<number, ContradictionFactRow>()
  private readonly replacements = new Map<number, ReplacementFactRow>()
  private readonly possible = new Map<number, PossibleFactRow>()

  constructor(tx: Transaction, place: ScopePlace) {
    this.tx = tx
    this.place = place
  }

  async read({ claimNos, contradictionNos = [] }: Touched): Promise<KeptCase> {
    for (const row of await this.contradictionRows('x.contradiction_no = any ($4::bigint[])', contradictionNos))
      this.contradictions.set(row.no, row)
    let next = [...claimNos, ...this.met()]
    for (let step = 0; next.length > 0 && step < mostSteps && this.claims.size < mostClaims; step++) {
      await this.follow(next)
      next = this.met()
    }
    await this.readClaims(next)
    return this.facts()
  }

  /** Claims of what was found that were not followed yet. */
  private met(): number[] {
    const numbers = [
      ...[...this.contradictions.values()].flatMap(each => [...each.a, ...each.b]),
      ...[...this.replacements.values()].flatMap(each => [each.claim, each.by]),
      ...[...this.possible.values()].flatMap(each => [each.a, each.b]),
    ]
    return [...new Set(numbers)].filter(no => !this.followed.has(no))
  }

  private async follow(claimNos: readonly number[]): Promise<void> {
    const read = await this.readClaims(claimNos)
    const fresh = [...new Set([...claimNos, ...read.map(each => each.claimNo)])].filter(no => !this.followed.has(no))
    for (const no of fresh) this.followed.add(no)
    const ofClaims = `x.contradiction_no in (select m.contradiction_no from contradiction_sides m where ${inPlace('m')} and m.claim_no = any ($4::bigint[]))`
    const [contradictions, replacements, possible] = await Promise.all([
      this.contradictionRows(ofClaims, fresh),
      this.replacementRows(fresh),
      this.possibleRows(fresh),
    ])
    for (const row of contradictions) this.contradictions.set(row.no, row)
    for (const row of replacements) this.replacements.set(row.no, row)
    for (const row of possible) this.possible.set(row.no, row)
  }

  /** With all claims of the same statements. */
  private async readClaims(claimNos: readonly number[]): Promise<ClaimFact[]> {
    const unread = claimNos.filter(no => !this.claims.has(no))
    if (unread.length === 0) return []
    const rows = await this.tx.rows<ClaimFact>(
      `with ${claimsOfStatements}
       select o.no as statement, c.claim_no as "claimNo", c.claim_id as "claimId", c.document_id as "documentId",
         coalesce(c.body->>'slotKey', '') as "slotKey", c.confidence, c.superseded_at is null as live, c.superseded_by as "supersededBy",
         c.recorded_round as "recordedRound", c.superseded_round as "supersededRound", ${stillSaidSql('c')} as said
       from own o cross join lateral (select * from claims where ${ofPlace} and claim_no = o.claim_no limit 1) c`,
      [...placeOf(this.place), unread],
    )
    for (const row of rows) this.claims.set(row.claimNo, row)
    return rows
  }

  private async contradictionRows(which: string, numbers: readonly number[]): Promise<ContradictionFactRow[]> {
    if (numbers.length === 0) return []
    const side = (name: 'a' | 'b') =>
      `array(select m.claim_no from contradiction_sides m where ${inPlace('m')} and m.contradiction_no = x.contradiction_no
         and m.side = '${name}' and m.in_force order by m.lead desc, m.claim_no)`
    return this.tx.rows<ContradictionFactRow>(
      `select x.contradiction_no as no, x.contradiction_id as id, x.severity, x.status, x.closed_itself as closed, x.in_force as "inForce",
         case when x.reported is not null then json_build_object('said', x.reported->>'claim_a' <> '') end as reported, x.resolution, ${side('a')} as a, ${side('b')} as b
       from contradictions x where ${inPlace('x')} and ${which} order by x.contradiction_no`,
      [...placeOf(this.place), numbers],
    )
  }

  private replacementRows(claimNos: readonly number[]): Promise<ReplacementFactRow[]> {
    const by = (column: string) => `
      select p.supersession_no as no, p.supersession_id as id, p.status, p.claim_no as claim, p.by_claim_no as by, p.reason,
        (p.objection->>'round')::bigint as "objectedRound"
      from supersessions p where ${inPlace('p')} and p.${column} = any ($4::bigint[]) and p.kind <> 'revision'`
    return this.tx.rows<ReplacementFactRow>(`${by('claim_no')} union ${by('by_claim_no')} order by no`, [...placeOf(this.place), claimNos])
  }

  private possibleRows(claimNos: readonly number[]): Promise<PossibleFactRow[]> {
    const by = (column: string) => `
      select p.possible_no as no, p.possible_conflict_id as id, p.status, p.closed_itself as closed, p.in_force as "inForce", p.claim_a as a,
        p.claim_b as b, (p.decision->>'round')::bigint as round
      from possible_conflicts p where ${inPlace('p')} and p.${column} = any ($4::bigint[])`
    return this.tx.rows<PossibleFactRow>(`${by('claim_a')} union ${by('claim_b')} order by no`, [...placeOf(this.place), claimNos])
  }

  private facts(): KeptCase {
    const statementOf = (claimNo: number) => this.claims.get(claimNo)?.statement ?? claimNo
    const statementsOf = (claimNos: readonly number[]) => [...new Set(claimNos.map(statementOf))]
    return {
      statements: this.statements(),
      contradictions: [...this.contradictions.values()].map(row => toContradiction(row, statementsOf)),
      replacements: [...this.replacements.values()].map(row => toReplacement(row, statementOf)),
      possible: [...this.possible.values()].map(row => toPossible(row, statementOf)),
    }
  }

  /** Each with the claims that are said, which may be several of one passage; else with one that counts still, else the last. */
  private statements(): KeptStatement[] {
    const claims = [...this.claims.values()]
    const said = claims.filter(claim => claim.said)
    const spoken = new Set(said.map(claim => claim.statement))
    const last = new Map<number, ClaimFact>()
    for (const claim of claims) {
      const known = last.get(claim.statement)
      const isBetter = known === undefined || (claim.live === known.live ? claim.claimNo > known.claimNo : claim.live)
      if (!spoken.has(claim.statement) && isBetter) last.set(claim.statement, claim)
    }
    // A claim of an earlier reading that counts all the same is said by nobody.
    const strays = claims.filter(claim => claim.live && !claim.said && last.get(claim.statement) !== claim)
    const all = [...said, ...last.values(), ...strays.map(claim => ({ ...claim, statement: -1 - claim.claimNo }))]
    return all.map(({ statement: no, confidence, ...claim }) => ({
      no,
      ...claim,
      micros: confidenceMicros(confidence),
      ...(claim.said && !claim.live && !this.followed.has(claim.claimNo) ? { endedElsewhere: true } : {}),
    }))
  }
}

function toContradiction(row: ContradictionFactRow, statementsOf: (claimNos: readonly number[]) => number[]): KeptContradiction {
  const { no, id, severity, status, closed, inForce, reported, resolution } = row
  const word = closed || resolution === null ? null : { verdict: verdictOf(resolution.verdict, resolution.side), at: resolution.round ?? 0 }
  return {
    ...{ no, id, severity, inForce, word, reported },
    a: statementsOf(row.a),
    b: statementsOf(row.b),
    kept: closed ? 'closed' : status === 'open' ? 'open' : 'decided',
    onRecord: word !== null && resolution?.effect?.state === 'on_record',
    why: word === null ? '' : `Decided by ${resolution?.by ?? ''}: ${resolution?.reason ?? ''}`,
  }
}

function toReplacement(row: ReplacementFactRow, statementOf: (claimNo: number) => number): KeptReplacement {
  const { no, id, status, claim, by, reason, objectedRound } = row
  const objection = status === 'objected' ? { verdict: 'object' as const, at: objectedRound ?? 0 } : null
  return {
    no,
    id,
    kept: status,
    why: reason,
    statement: statementOf(claim),
    by: statementOf(by),
    inForce: status !== 'withdrawn',
    objection,
  }
}

function toPossible(row: PossibleFactRow, statementOf: (claimNo: number) => number): KeptPossible {
  const { no, id, status, closed, inForce, a, b, round } = row
  const verdict = status === 'open' ? null : wordsOf[status]
  return {
    ...{ no, id, inForce },
    a: statementOf(a),
    b: statementOf(b),
    word: verdict === null || closed ? null : { verdict, at: round ?? 0 },
    kept: closed ? 'closed' : status === 'open' ? 'open' : 'decided',
  }
}

const wordsOf = { promoted: 'promote', dismissed: 'dismiss', cleared: 'clear' } as const
