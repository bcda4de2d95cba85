import { preparsePolicySet, preparseSchema, statefulIsAuthorized, validate } from '@cedar-policy/cedar-wasm/nodejs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  calmClaims,
  compiled,
  documentProposal,
  finalityProposal,
  resolutionProposal,
  reviewProposal,
  scopeState,
  scopeWith,
  settingsProposal,
} from '../../test/kernel/builders.js'
import { canonicalJson } from './canonical.js'
import { noSeverities } from './dimensions.js'
import { DEFAULT_POLICIES } from './policies/default.js'
import { decide } from './policy.js'
import { requestFor } from './policy-request.js'
import { POLICY_SCHEMA } from './policy-schema.js'
import { compileHandedIn, compilePolicySet, readPolicySet } from './policy-text.js'
import type { DocumentProposal, Proposal } from './proposals.js'
import type { Mode, Outcome } from './types.js'

const DEFAULT = compiled()
const count = fc.nat({ max: 3 })
const severities = fc.record({ low: count, medium: count, high: count, critical: count })
const part = fc.integer({ min: 0, max: 100 }).map(percent => percent / 100)

const anyDocument: fc.Arbitrary<DocumentProposal> = fc
  .record({
    claims: fc.record({ changed: count, unsure: count, dropped: count, minConfidence: part, meanConfidence: part }),
    contradictions: severities,
    risks: severities,
    level: fc.constantFrom('none', 'low', 'medium', 'high', 'critical'),
    actor: fc.constantFrom('system', 'person', 'tenant', 'admin'),
  })
  .map(({ claims, contradictions, risks, level, actor }) =>
    documentProposal({
      actor: { kind: actor, id: 'x' },
      claims: calmClaims(claims),
      contradictions,
      risks,
      drift: { factual: 0, contradiction: 0, goal: 0, entropy: 0, value: 0, level },
    }),
  )
const anyProposal: fc.Arbitrary<Proposal> = fc.oneof(
  anyDocument,
  fc.constantFrom('a', 'b', 'both', 'neither', 'dismiss', 'reopen').map(verdict => resolutionProposal({ verdict })),
  fc.constantFrom('approve', 'reject').map(verdict => reviewProposal({ verdict })),
  fc.constantFrom('none', 'medium', 'critical').map(drift => finalityProposal({ drift })),
  fc.constantFrom('system', 'admin').map(kind => settingsProposal({ actor: { kind, id: 'x' } })),
)

const inMode = (mode: Mode, proposal: Proposal, set = DEFAULT) => decide(proposal, scopeState({ mode }), set)
const outcomes = (proposal: Proposal): Outcome[] => (['auto', 'review', 'strict'] as const).map(mode => inMode(mode, proposal).outcome)

describe('the default policies', () => {
  it('are valid without a warning', () => {
    expect(compilePolicySet(DEFAULT_POLICIES)).toMatchObject({ ok: true, warnings: [] })
    // Read once, however many rounds and replays ask for it.
    expect(compilePolicySet(DEFAULT_POLICIES)).toBe(compilePolicySet(DEFAULT_POLICIES))
    expect(readPolicySet(DEFAULT_POLICIES)).toBe(readPolicySet(DEFAULT_POLICIES))
    const permits = DEFAULT.policies.filter(policy => policy.reason === null)
    expect(permits).toEqual([])
  })

  it('admit a document that disturbs nothing in every mode', () => {
    expect(outcomes(documentProposal())).toEqual(['admit', 'admit', 'admit'])
    expect(outcomes(documentProposal({ claims: calmClaims({ total: 0, minConfidence: null, meanConfidence: null }) }))).toEqual([
      'admit',
      'admit',
      'admit',
    ])
  })

  it('admit a contradicting document in auto, hold it in review, reject it in strict', () => {
    const proposal = documentProposal({ contradictions: { ...noSeverities(), high: 2 } })
    expect(outcomes(proposal)).toEqual(['admit', 'hold', 'reject'])
    expect(inMode('auto', proposal)).toEqual({
      outcome: 'admit',
      policies: ['announce-serious-contradictions', 'documents-are-read'],
      reasons: [
        'Opens 2 high and 0 critical contradictions, which must be made known.',
        'Documents are admitted unless a rule forbids it.',
      ],
      obligations: ['notify-contradiction'],
    })
    expect(inMode('review', proposal)).toEqual({
      outcome: 'hold',
      policies: ['review-contradictions'],
      reasons: ['Contradicts what is known: 2 new contradictions wait for a person.'],
      obligations: ['review-by-person'],
    })
  })

  it('hold changed facts in review and in strict', () => {
    expect(outcomes(documentProposal({ claims: calmClaims({ changed: 1 }) }))).toEqual(['admit', 'hold', 'hold'])
  })

  it('hold and refuse nothing for possible conflicts', () => {
    expect(outcomes(documentProposal({ claims: calmClaims({ unsure: 3 }) }))).toEqual(['admit', 'admit', 'admit'])
  })

  it('refuse what is uncertain in strict', () => {
    expect(outcomes(documentProposal({ claims: calmClaims({ minConfidence: 0.5 }) }))).toEqual(['admit', 'admit', 'reject'])
  })

  it('hold large drift where the mode is not auto', () => {
    const drift = { factual: 0.7, contradiction: 0, goal: 0, entropy: 0, value: 0.7, level: 'critical' as const }
    expect(outcomes(documentProposal({ drift }))).toEqual(['admit', 'hold', 'hold'])
    expect(inMode('auto', documentProposal({ drift })).obligations).toEqual(['notify-drift'])
  })

  it('let people resolve contradictions and change settings, never the pipeline', () => {
    const system = { kind: 'system' as const, id: 'pipeline' }
    expect(outcomes(resolutionProposal())).toEqual(['admit', 'admit', 'admit'])
    expect(inMode('auto', resolutionProposal({ actor: system }))).toMatchObject({
      outcome: 'reject',
      policies: [],
      reasons: ['No policy permits this.'],
    })
    expect(outcomes(settingsProposal({ actor: system }))).toEqual(['reject', 'reject', 'reject'])
  })

  it('turn a review into what becomes of the held thing', () => {
    expect(inMode('review', reviewProposal({ verdict: 'approve' }))).toMatchObject({
      outcome: 'admit',
      reasons: ['A person looked at what was held.', 'Approved: checked by phone'],
    })
    expect(inMode('review', reviewProposal({ verdict: 'reject' })).outcome).toBe('reject')
    expect(inMode('review', reviewProposal({ actor: { kind: 'system', id: 'x' } })).outcome).toBe('hold')
  })

  it('refuse to resolve over an open critical contradiction', () => {
    const aggregates = scopeWith({ contradictions: { total: 9, open: { critical: 1 } } })
    expect(decide(finalityProposal(), scopeState({ aggregates }), DEFAULT).outcome).toBe('reject')
    expect(decide(finalityProposal({ to: 'escalated' }), scopeState({ aggregates }), DEFAULT).outcome).toBe('admit')
  })
})

describe('the rule', () => {
  const permitAll = '@id("all") permit (principal, action, resource);\n'
  const erring =
    '@id("errs") forbid (principal, action == Action::"document", resource) when { context.claims.total + 9223372036854775807 > 0 };\n'

  it('an erring policy is never an allow', () => {
    const decision = inMode('auto', documentProposal(), compiled(permitAll + erring))
    expect(decision.outcome).toBe('hold')
    expect(decision.policies).toEqual(['all', 'errs'])
    expect(decision.reasons.join(' ')).toContain('Policy errs could not be evaluated')
  })

  it('an erring permit alone rejects, and an error does not soften a rejection', () => {
    const erringPermit = erring.replace('forbid', 'permit')
    const refusing = '@id("no") forbid (principal, action, resource);\n'
    expect(inMode('auto', documentProposal(), compiled(erringPermit)).outcome).toBe('reject')
    expect(inMode('auto', documentProposal(), compiled(permitAll + erring + refusing)).outcome).toBe('reject')
  })

  it('holds only when every forbid that applies holds', () => {
    const hold = '@id("h") @outcome("hold") forbid (principal, action, resource);\n'
    const reject = '@id("r") forbid (principal, action, resource);\n'
    expect(inMode('auto', documentProposal(), compiled(permitAll + hold)).outcome).toBe('hold')
    expect(inMode('auto', documentProposal(), compiled(permitAll + hold + reject)).outcome).toBe('reject')
    expect(inMode('auto', documentProposal(), compiled(hold)).outcome).toBe('hold')
  })

  it('sees policies that name actors, scopes and tenants, one answer for each', () => {
    const set = compiled(`${permitAll}
      @id("bob") forbid (principal == Actor::"person:Bob", action, resource);
      @id("other-tenant") forbid (principal, action, resource in Tenant::"ten_b");
      @id("one-scope") forbid (principal, action, resource) when { resource == Scope::"ten_a/frozen" };`)
    const by = (id: string) => resolutionProposal({ actor: { kind: 'person', id } })
    expect(decide(by('Ada'), scopeState(), set).outcome).toBe('admit')
    expect(decide(by('Bob'), scopeState(), set).policies).toEqual(['bob'])
    expect(decide(by('Ada'), scopeState({ tenantId: 'ten_b' }), set).policies).toEqual(['other-tenant'])
    expect(decide(by('Ada'), scopeState({ scopeId: 'frozen' }), set).policies).toEqual(['one-scope'])
  })
})

describe('properties', () => {
  it('tightening the mode never admits more', () => {
    fc.assert(
      fc.property(anyProposal, proposal => {
        const [auto, review, strict] = outcomes(proposal)
        if (strict === 'admit') expect(review).toBe('admit')
        if (review === 'admit') expect(auto).toBe('admit')
      }),
    )
  })

  it('forbid wins over permit', () => {
    const set = compiled(`${DEFAULT_POLICIES}\n@id("stop") forbid (principal, action, resource);`)
    fc.assert(
      fc.property(anyProposal, fc.constantFrom('auto', 'review', 'strict'), (proposal, mode) => {
        expect(inMode(mode, proposal, set).outcome).not.toBe('admit')
      }),
    )
  })

  it('the same input gives the same bytes', () => {
    fc.assert(
      fc.property(anyProposal, proposal => {
        expect(canonicalJson(inMode('strict', proposal))).toBe(canonicalJson(inMode('strict', structuredClone(proposal))))
      }),
    )
  })

  it('every request fits the schema, and asking with less gives the answer of asking with everything', () => {
    preparseSchema('check', POLICY_SCHEMA)
    preparsePolicySet('check', { staticPolicies: DEFAULT_POLICIES })
    fc.assert(
      fc.property(anyProposal, fc.constantFrom('auto', 'review', 'strict'), (proposal, mode) => {
        const request = requestFor(proposal, scopeState({ mode }))
        const full = statefulIsAuthorized({
          ...request,
          preparsedPolicySetId: 'check',
          preparsedSchemaName: 'check',
          validateRequest: true,
        })
        if (full.type === 'failure') throw new Error(JSON.stringify(full.errors))
        expect(full.response.diagnostics.reason).toHaveLength(inMode(mode, proposal).policies.length)
        if (proposal.kind !== 'review') expect(full.response.decision === 'allow').toBe(inMode(mode, proposal).outcome === 'admit')
      }),
    )
  })

  it('more sets than are kept parsed still decide each by its own policies', () => {
    const sets = Array.from({ length: 80 }, (_, index) =>
      compiled(`@id("only-${index}") permit (principal, action, resource) when { principal.name == "actor-${index}" };`),
    )
    const by = (index: number) => documentProposal({ actor: { kind: 'system', id: `actor-${index}` } })
    for (const pass of [0, 1]) {
      for (const [index, set] of sets.entries()) {
        expect(inMode('auto', by(index), set).policies).toEqual([`only-${index}`])
        expect(inMode('auto', by(index + 1 + pass), set).outcome).toBe('reject')
      }
    }
  })
})

describe('the replacement of a set', () => {
  const permitAll = '@id("all") permit (principal, action, resource);\n'
  const holds = '@id("two") @outcome("hold") @reason("Two people set it.") forbid (principal, action == Action::"settings", resource);\n'
  const replaced = (text: string) => inMode('auto', settingsProposal({ replaces: true }), compiled(text))
  const lastWord = 'A set cannot refuse its own replacement: nobody could ever lift that.'

  it.each<[what: string, text: string, policies: string[], reason: string]>([
    ['says nothing of settings', '@id("x") forbid (principal, action == Action::"document", resource);', [], 'No policy permits this.'],
    [
      'permits settings to people alone',
      'permit (principal, action, resource) when { principal.kind == "person" };',
      [],
      'No policy permits this.',
    ],
    ['forbids everything', `${permitAll}@id("no") @reason("Closed.") forbid (principal, action, resource);`, ['no'], 'Closed.'],
    [
      'forbids other policies',
      `${permitAll}@id("no") @reason("Fixed.") forbid (principal, action == Action::"settings", resource) when { context.policies_changed || true };`,
      ['no'],
      'Fixed.',
    ],
    ['has it wait for a review it never permits', holds, ['two'], 'Two people set it.'],
    [
      'has it wait for a review it always forbids',
      `${permitAll}${holds}forbid (principal, action == Action::"review", resource);`,
      ['two'],
      'Two people set it.',
    ],
  ])('is admitted where the set %s, and the record says so', (_what, text, policies, reason) => {
    expect(replaced(text)).toMatchObject({ outcome: 'admit', policies, reasons: [reason, lastWord] })
    // As it was recorded when a set could still refuse its replacement.
    expect(inMode('auto', settingsProposal(), compiled(text)).outcome).not.toBe('admit')
  })

  it('waits for a person where the set holds it and lets somebody review', () => {
    const someReview = 'forbid (principal, action == Action::"review", resource) when { principal.name != "boss" };'
    expect(replaced(`${permitAll}${holds}${someReview}`)).toMatchObject({ outcome: 'hold', reasons: ['Two people set it.'] })
    expect(replaced(permitAll)).toMatchObject({ outcome: 'admit', reasons: [expect.not.stringContaining(lastWord)] })
  })
})

describe('compiling', () => {
  const faults = (text: string) => {
    const compilation = compileHandedIn(text)
    return compilation.ok ? [] : compilation.errors
  }

  it('refuses bad syntax with line, column and reason', () => {
    expect(faults('// é\npermit (principal action, resource);')).toMatchObject([
      { line: 2, column: 19, message: expect.stringContaining('unexpected token `action`') },
    ])
  })

  it('refuses what the schema does not know, behind characters of several bytes', () => {
    const text = '// größer — 😀\n@id("mine")\npermit (principal, action, resource)\nwhen { resource.colour == "red" };'
    expect(faults(text)).toMatchObject([{ line: 4, column: 8, message: expect.stringContaining('colour') }])
    expect(faults(text)[0]!.message).toContain('`mine`')
  })

  it('refuses wrong types, wrong annotations, repeated ids, templates and nothing at all', () => {
    expect(faults('forbid (principal, action == Action::"document", resource) when { context.claims.total > "3" };')[0]!.line).toBe(1)
    expect(faults('@outcome("hodl") forbid (principal, action, resource);')[0]!.message).toContain('"hold" or "reject"')
    expect(faults('@outcome("hold") permit (principal, action, resource);')[0]!.message).toContain('belongs to a forbid')
    const twice = '@id("a") permit (principal, action, resource);\n@id("a") permit (principal, action, resource);'
    expect(faults(twice)).toMatchObject([{ line: 2, message: expect.stringContaining('second policy') }])
    expect(faults('permit (principal == ?principal, action, resource);')[0]!.message).toContain('templates')
    expect(faults('// nothing')[0]!.message).toContain('no policy')
    expect(faults(`// ${'x'.repeat(200_001)}`)[0]!.message).toContain('longer')
  })

  it.each<[what: string, condition: string]>([
    ['brackets', `${'('.repeat(300)}true${')'.repeat(300)}`],
    ['sets', `${'['.repeat(300)}1${']'.repeat(300)} == [1]`],
    ['conditionals', `${'if true then true else '.repeat(1000)}true`],
    ['a sum', `1${' + 1'.repeat(900)} == 2`],
    ['a conjunction', `true${' && true'.repeat(990)}`],
    ['operators', `true${' || true'.repeat(5000)}`],
    ['brackets behind a string and a comment', `"(\\"" == "" // "\n&& ${'('.repeat(300)}true${')'.repeat(300)}`],
  ])('refuses %s without end, and goes on with others', (_what, condition) => {
    expect(faults(`permit (principal, action, resource) when { ${condition} };`)).toHaveLength(1)
    const set = compiled('@id("after") permit (principal, action, resource);')
    expect(inMode('auto', documentProposal({}), set).policies).toEqual(['after'])
  })

  it('refuses brackets without end behind others that close nothing', () => {
    const nested = `${'('.repeat(300)}true${')'.repeat(300)}`
    const text = `permit (principal, action, resource) when { ${')'.repeat(300)} };\npermit (principal, action, resource) when { ${nested} };`
    expect(faults(text)).toMatchObject([{ line: 2, message: 'more than 40 brackets inside one another' }])
  })

  it('takes what was accepted before there were bounds', () => {
    const ladder = `${'if true then true else '.repeat(120)}true`
    const text = `@id("old") permit (principal, action, resource) when { ${ladder} };`
    expect(faults(text)[0]?.message).toContain('more than 100 times')
    expect(inMode('auto', documentProposal({}), compiled(text)).policies).toEqual(['old'])
  })

  it('refuses a set that permits nothing of some kind of proposal, and says what to add', () => {
    const waits = '@outcome("hold") forbid (principal, action == Action::"document", resource);'
    const all = ['document', 'resolution', 'review', 'finality', 'settings']
    expect(faults(waits)).toEqual([{ line: 1, column: 1, message: expect.stringContaining(`no policy permits ${all.join(', ')}: `) }])
    expect(faults(`${waits}\npermit (principal, action, resource);`)).toEqual([])
    const some = `permit (principal, action in [Action::"document", Action::"finality"], resource);
      permit (principal, action == Action::"resolution", resource) when { principal.kind == "person" };
      permit (principal, action in Action::"review", resource);`
    const add = 'permit (principal, action in [Action::"settings"], resource);'
    expect(faults(some)).toMatchObject([{ message: expect.stringContaining(`no policy permits settings: `) }])
    expect(faults(some)[0]!.message).toContain(add)
    expect(faults(`${some}\n${add}`)).toEqual([])
  })

  it('reads a set that permits nothing of some kind where it was accepted before', () => {
    const text = '@id("old") @outcome("hold") forbid (principal, action == Action::"document", resource);'
    expect(inMode('auto', documentProposal(), compiled(text)).outcome).toBe('hold')
    expect(readPolicySet(text).hash).toBe(compiled(text).hash)
  })

  it('takes long lists, many policies, and brackets in strings', () => {
    const list = Array.from({ length: 2000 }, (_, n) => `"name-${n}"`).join(', ')
    expect(faults(`permit (principal, action, resource) when { [${list}].contains(principal.name) };`)).toEqual([])
    expect(faults(`permit (principal, action, resource) when { principal.name == "${'('.repeat(300)}" };`)).toEqual([])
    const many = Array.from(
      { length: 300 },
      (_, n) => `@id("p${n}") permit (principal, action, resource) when { principal.name == "${n}" };`,
    )
    expect(faults(many.join('\n'))).toEqual([])
  })

  it('names a set by its text, whatever the line ends', () => {
    expect(compiled('permit (principal, action, resource);  \r\n\r\n').hash).toBe(compiled('permit (principal, action, resource);').hash)
    expect(compiled('permit (principal, action, resource); // why').hash).not.toBe(compiled('permit (principal, action, resource);').hash)
  })

  it('keeps the ids of more than ten policies apart', () => {
    const text = Array.from(
      { length: 12 },
      (_, index) => `@id("p${index}") permit (principal, action, resource) when { principal.name == "${index}" };`,
    ).join('\n')
    expect(compiled(text).policies.map(policy => policy.id)).toEqual(Array.from({ length: 12 }, (_, index) => `p${index}`))
    expect(validate({ schema: POLICY_SCHEMA, policies: { staticPolicies: text } })).toMatchObject({ validationErrors: [] })
    expect(inMode('auto', documentProposal({ actor: { kind: 'system', id: '11' } }), compiled(text)).policies).toEqual(['p11'])
  })
})
