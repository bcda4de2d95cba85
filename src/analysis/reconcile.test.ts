import { describe, expect, it } from 'vitest'
import { extract } from './extract.js'
import { emptyMemory, placeClaims } from './place.js'
import { reconcile } from './reconcile.js'
import type { ExistingFinding, PlacedClaim, ReconcileInput, ScopeMemory } from './types.js'

interface Step {
  memory: ScopeMemory
  live: PlacedClaim[]
}

function input(id: string, issuer: string, date: string, body: string, step: Step, findings: ExistingFinding[] = []): ReconcileInput {
  const text = `ACME LTD -- REPORT\n\nPrepared by: ${issuer}\nDate: ${date}\nReporting period: FY 2024\n\nFIGURES\n\n${body}\n`
  const extraction = extract({ documentId: id, revision: 1, name: id, type: 'txt', source: null, text })
  const placed = placeClaims({
    extraction,
    documentId: id,
    revision: 1,
    name: id,
    memory: step.memory,
    glossary: { terms: {}, entities: {} },
    claimId: index => `${id}#${index}`,
  })
  return {
    document: { ...placed.memory.documents[id]!, documentId: id },
    claims: placed.claims,
    live: step.live,
    previousRevision: [],
    findings,
    memory: placed.memory,
  }
}

const start: Step = { memory: emptyMemory(), live: [] }
const following = (done: ReconcileInput): Step => ({ memory: done.memory, live: [...done.live, ...done.claims] })

describe('reconcile', () => {
  const company = input('a', 'Company Finance', '2025-02-01', 'Revenue: EUR 50.0M', start)

  it('contradicts across issuers with a reason', () => {
    const result = reconcile(input('b', 'External Auditor', '2025-03-01', 'Revenue: EUR 38.0M', following(company)))
    expect(result.contradictions).toMatchObject([{ kind: 'numeric', a: 'a#0', b: 'b#0' }])
    expect(result.contradictions[0]!.reason).toContain('24 % apart')
    expect(result.relations).toEqual([{ claimId: 'b#0', relation: 'contradicting' }])
  })

  it('supersedes when the same issuer says so later', () => {
    const result = reconcile(
      input('b', 'Company Finance', '2025-03-01', 'Restated revenue: EUR 38.0M (previously EUR 50.0M)', following(company)),
    )
    expect(result.supersessions).toMatchObject([{ claimId: 'a#0', byClaimId: 'b#0' }])
    expect(result.contradictions).toEqual([])
  })

  it('finds no conflict in another basis, role, period or rounding', () => {
    for (const body of ['Adjusted revenue: EUR 38.0M', 'Target revenue: EUR 60.0M', 'Revenue for FY 2023: EUR 38.0M', 'Revenue: EUR 50M']) {
      const result = reconcile(input('b', 'External Auditor', '2025-03-01', body, following(company)))
      expect([body, result.contradictions, result.supersessions]).toEqual([body, [], []])
    }
  })

  it('adds who repeats a side to the known finding', () => {
    const auditor = input('b', 'External Auditor', '2025-03-01', 'Revenue: EUR 38.0M', following(company))
    const found = reconcile(auditor).contradictions[0]!
    const known: ExistingFinding = {
      contradictionId: 'c1',
      slotKey: found.slotKey,
      status: 'open',
      groupA: found.groupA,
      groupB: found.groupB,
      claimIdsA: [found.a],
      claimIdsB: [found.b],
    }
    const bank = input('c', 'Lending Bank', '2025-04-01', 'Revenue: EUR 38.0M', following(auditor), [known])
    const result = reconcile(bank)
    expect(result.contradictions).toEqual([])
    expect(result.supporters).toEqual([{ contradictionId: 'c1', side: 'b', claimId: 'c#0' }])
  })

  it('is idempotent: the same input gives the same answer, and what is known is not found again', () => {
    const auditor = input('b', 'External Auditor', '2025-03-01', 'Revenue: EUR 38.0M', following(company))
    const first = reconcile(auditor)
    expect(reconcile(auditor)).toEqual(first)
    const found = first.contradictions[0]!
    const known: ExistingFinding = {
      contradictionId: 'c1',
      slotKey: found.slotKey,
      status: 'open',
      groupA: found.groupA,
      groupB: found.groupB,
      claimIdsA: [found.a],
      claimIdsB: [found.b],
    }
    const again = reconcile({ ...auditor, live: [...auditor.live, ...auditor.claims], findings: [known] })
    expect([again.contradictions, again.supporters]).toEqual([[], []])
  })

  it('ends the claims of the previous revision', () => {
    const result = reconcile({
      ...input('a', 'Company Finance', '2025-02-01', 'Revenue: EUR 51.0M', start),
      previousRevision: company.claims.map(claim => ({ ...claim, claimId: `old ${claim.claimId}` })),
    })
    expect(result.supersessions).toMatchObject([{ claimId: 'old a#0', byClaimId: 'a#0' }])
  })
})
