/** What no person examined: cases whose settings ask for less, and papers that are signed for as not read. */

import { describe, expect, it } from 'vitest'
import { startJourney } from '../support/journey.js'

const at = startJourney({ RETRY_MAX_ATTEMPTS: '1' })
const { call, get, handIn, openCase, quarantine, summary, sign, certificate, replayed, settings, gate } = at

describe('a case that nobody had to examine', () => {
  it('is not replayed as settled once its rounds ask for somebody who was not there', async () => {
    await at.admin('POST', '/admin/scopes', { scope_id: 'before' })
    await at.settings('before', { examination: 'none' })
    await openCase('before')
    expect((await summary('before')).finality.status).toBe('resolved')
    expect(await replayed('before')).toMatchObject({ ok: true, complete: true })
    await at.rows(
      `update rounds set input = jsonb_set(input::jsonb, '{settings,finality,examination}', '"person"')::json where tenant_id = $1 and input->'settings' is not null
         and scope_no = (select scope_no from scopes where tenant_id = $1 and scope_id = 'before')`,
      [at.tenant.tenant_id],
    )
    expect(await replayed('before')).toMatchObject({ ok: false })
  })
})

describe('where the settings ask for less', () => {
  it('settles by itself, and the certificate says that nobody was asked', async () => {
    await openCase('none')
    await settings('none', { examination: 'none' })
    expect((await summary('none')).finality.status).toBe('resolved')
    const { examined } = await certificate('none')
    expect(examined).toMatchObject({ setting: 'none', sign_offs: [] })
    expect(examined.words).toBe('Compared by rules alone. The settings ask for no examination.')
  })

  it('says of nobody that they signed what came after', async () => {
    await openCase('after')
    await settings('after', { examination: 'none' })
    expect((await sign('after', 'J. Doe')).status).toBe(201)
    await handIn('after', 'third', 'The roof is red.')
    const { examined } = await certificate('after')
    expect(examined.sign_offs).toMatchObject([{ by: 'J. Doe', current: false }])
    expect(examined.words).toMatch(/Signed off by J\. Doe on [^.]*, for what counted before\./)
  })

  it('asks for a model: what it did not compare stands in the way until a person signs for it', async () => {
    await openCase('model')
    await settings('model', { examination: 'model' })
    expect(await gate('model')).toMatchObject({ ok: false, value: 2 })
    // It names them, and why.
    expect((await gate('model')).how).toContain('Not examined: contract (no model was asked), letter (no model was asked).')
    expect((await summary('model')).examined.not_examined).toEqual([
      { document_id: 'contract', name: 'contract', why: 'no model was asked' },
      { document_id: 'letter', name: 'letter', why: 'no model was asked' },
    ])
    // What came of asking one says why.
    const { owner } = at.service.database
    const outcome =
      "update documents set model_outcome = $1 where document_id = $2 and scope_no = (select scope_no from scopes where scope_id = 'model')"
    await owner.query(outcome, ['unconfirmed', 'contract'])
    await owner.query(outcome, ['too_long', 'letter'])
    expect((await gate('model')).how).toContain('letter (longer than a model is shown).')
    await owner.query(outcome, ['off', 'letter'])
    await owner.query(
      `insert into model_readings (tenant_id, scope_no, generation, document_id, revision, model, prompt_version, outcome, reading, dropped,
         prompt_tokens, completion_tokens, asked_at)
       select tenant_id, scope_no, generation, document_id, revision, 'model:small', '3', 'unconfirmed', '{}', '{}', 1, 1, now() from documents
       where document_id = 'contract' and scope_no = (select scope_no from scopes where scope_id = 'model')`,
    )
    expect((await gate('model')).how).toContain('Not examined: contract (candidates unconfirmed), letter (the model is off).')
    expect((await get('/api/documents/contract?scope_id=model')).compared_by).toMatchObject({
      model: { model: 'small', questions: '3', complete: false },
      words: 'compared by rules and small (questions 3), in part',
    })
    expect((await sign('model')).body.finality).toBe('resolved')
    expect((await summary('model')).examined.not_examined).toEqual([])
    expect((await certificate('model')).examined.words).toContain('The settings ask for a comparison by a model')
    await handIn('model', 'note', 'The crane of Harbour Tower stands on the north side.')
    expect(await gate('model')).toMatchObject({ ok: false, value: 1, how: expect.stringContaining('note (no model was asked)') })
    const { sign_off_id: id } = (await get('/api/scopes/model/sign-offs')).items[0]
    await call('DELETE', `/api/scopes/model/sign-offs/${id}?by=x&reason=x`)
    expect(await gate('model')).toMatchObject({ ok: false, value: 3 })
  })

  /** The contract was compared by a model, the letter was not. */
  const comparedInPart = async (scope: string) => {
    await openCase(scope)
    await at.rows(
      `update documents set compared_model = 'small@3' where document_id = 'contract' and tenant_id = $1
         and scope_no = (select scope_no from scopes where tenant_id = $1 and scope_id = $2)`,
      [at.tenant.tenant_id, scope],
    )
    await settings(scope, { examination: 'model' })
    expect(await gate(scope)).toMatchObject({ ok: false, value: 1 })
  }
  const review = async (scope: string, verdict: string) => {
    const [waiting] = (await get(`/api/scopes/${scope}/decisions?review=pending`)).items
    const answer = await call('POST', `/api/decisions/${waiting.decision_id}/review`, { verdict, by: 'R. Roe', reason: 'Read.' })
    expect(answer.status).toBe(200)
  }
  const revised = 'The site manager of Harbour Tower is Boris Adler.'

  it('asks for a model also of what counts of a paper whose later revision was refused', async () => {
    const refusals: [string, (scope: string) => Promise<unknown>][] = [
      ['cancelled', scope => cancel(scope, 'letter', revised)],
      [
        'policy',
        async scope => {
          await policies(scope, '@reason("No.") forbid (principal, action == Action::"document", resource);')
          await handIn(scope, 'letter', revised, 'rejected')
        },
      ],
      [
        'reviewer',
        async scope => {
          await policies(
            scope,
            '@outcome("hold") @reason("A person reads it.") forbid (principal, action == Action::"document", resource);',
          )
          await handIn(scope, 'letter', revised, 'held')
          await review(scope, 'reject')
          // One that has no revision before it leaves nothing.
          await handIn(scope, 'note', 'The roof is red.', 'held')
          await review(scope, 'reject')
        },
      ],
      [
        'discarded',
        async scope => {
          await quarantine(scope, 'letter')
          const body = { by: 'J. Doe', reason: 'Blank.' }
          expect((await call('POST', `/api/documents/letter/discard?scope_id=${scope}`, body)).status).toBe(200)
        },
      ],
    ]
    for (const [scope, refuse] of refusals) {
      await comparedInPart(scope)
      await refuse(scope)
      await at.settled(scope)
      expect([scope, (await summary(scope)).finality.status]).toEqual([scope, 'review'])
      expect(await gate(scope), scope).toMatchObject({ ok: false, value: 1, how: expect.stringContaining('letter (no model was asked)') })
      expect((await sign(scope)).body.finality, scope).toBe('resolved')
      expect((await gate(scope)).value, scope).toBe(0)
      expect(await replayed(scope), scope).toMatchObject({ ok: true })
    }
  })
})

const policies = (scope: string, more: string) =>
  at.admin('PUT', `/admin/scopes/${scope}/policies`, { policies: `permit (principal, action, resource);\n${more}` })

/** Handed in, and taken out before it is read. */
async function cancel(scope: string, documentId: string, text: string): Promise<void> {
  await at.runtime('pause', scope)
  expect((await call('POST', '/api/ingest', { scope_id: scope, name: documentId, document_id: documentId, text })).status).toBe(202)
  await cancelQueued(scope, documentId)
  await at.runtime('resume', scope)
}

async function cancelQueued(scope: string, documentId: string): Promise<void> {
  const body = { by: 'J. Doe', reason: 'Sent twice.' }
  expect((await call('POST', `/api/documents/${documentId}/cancellation?scope_id=${scope}`, body)).status).toBe(200)
}

describe('a paper that was signed for as not read', () => {
  const retry = (scope: string, id: string) => call('POST', `/api/documents/${id}/retry?scope_id=${scope}`, {})

  it('ends what was signed once it leaves the case, whichever way', async () => {
    const leaves: [string, 'scan' | 'plan', (scope: string) => Promise<unknown>][] = [
      [
        'scan-cancelled',
        'scan',
        async scope => {
          await at.runtime('pause', scope)
          expect((await retry(scope, 'scan')).status).toBe(200)
          await cancelQueued(scope, 'scan')
        },
      ],
      [
        'scan-erased',
        'scan',
        async scope => {
          await at.runtime('pause', scope)
          expect((await retry(scope, 'scan')).status).toBe(200)
          expect((await call('DELETE', `/api/documents/scan?scope_id=${scope}`)).status).toBe(200)
        },
      ],
      ['scan-revised', 'scan', scope => cancel(scope, 'scan', 'The roof is red.')],
      [
        'plan-rejected',
        'plan',
        async scope => {
          await policies(scope, '@reason("No.") forbid (principal, action == Action::"document", resource);')
          expect((await at.admin('POST', `/admin/scopes/${scope}/ingest`, {})).status).toBeLessThan(300)
        },
      ],
      [
        'plan-reviewed',
        'plan',
        async scope => {
          await policies(scope, '@outcome("hold") @reason("Wait.") forbid (principal, action == Action::"document", resource);')
          await at.admin('POST', `/admin/scopes/${scope}/ingest`, {})
          await at.settled(scope)
          const [waiting] = (await get(`/api/scopes/${scope}/decisions?review=pending`)).items
          const said = { verdict: 'reject', by: 'R. Roe', reason: 'Read.' }
          expect((await call('POST', `/api/decisions/${waiting.decision_id}/review`, said)).status).toBe(200)
        },
      ],
    ]
    for (const [scope, paper, leave] of leaves) {
      await handIn(scope, 'contract', 'The contract sum of Harbour Tower is EUR 4.2M.')
      if (paper === 'scan') await quarantine(scope, 'scan')
      else await at.admin('POST', `/admin/scopes/${scope}/documents`, { name: 'plan', text: 'The plan shows a gate.', document_id: 'plan' })
      const unread = [{ document_id: paper, how: 'read_by_eye', reason: 'It repeats the sum.' }]
      expect((await sign(scope, 'J. Doe', { unread })).body, scope).toMatchObject({ finality: 'resolved', current: true })
      await leave(scope)
      await at.settled(scope)
      expect([scope, (await summary(scope)).finality.status]).toEqual([scope, 'active'])
      expect((await get(`/api/scopes/${scope}/sign-offs`)).items, scope).toMatchObject([{ current: false }])
      expect((await gate(scope, 'minimum_content')).ok, scope).toBe(false)
      expect((await sign(scope)).status, scope).toBe(409)
      expect(await replayed(scope), scope).toMatchObject({ ok: true })
    }
  })

  it('was read as it was: nothing is said of a later revision', async () => {
    await openCase('eye')
    await quarantine('eye', 'scan')
    const unread = [{ document_id: 'scan', how: 'read_by_eye', reason: 'It repeats the sum.' }]
    expect((await sign('eye', 'J. Doe', { unread })).body.finality).toBe('resolved')
    await settings('eye', { examination: 'none' })
    const told = async () => {
      const { count, items, set_aside } = (await get('/api/scopes/eye/overview')).not_read
      return [count, items, set_aside].map(each =>
        typeof each === 'number' ? each : each.map((one: { how?: string }) => one.how ?? 'not read'),
      )
    }
    expect(await told()).toEqual([0, [], ['read_by_eye']])
    await at.admin('POST', '/admin/scopes/eye/documents', { name: 'scan', text: 'Other words.', document_id: 'scan' })
    expect((await certificate('eye')).examined.not_read.listed).toEqual([
      { document_id: 'scan', revision: 2, status: 'attached', how: null },
    ])
    expect(await told()).toEqual([1, ['not read'], []])
  })

  it('ends it where another revision of it comes, also where nobody is asked to examine', async () => {
    await handIn('other', 'contract', 'The contract sum of Harbour Tower is EUR 4.2M.')
    await quarantine('other', 'scan')
    await settings('other', { examination: 'none' })
    const unread = [{ document_id: 'scan', how: 'read_by_eye', reason: 'It repeats the sum.' }]
    expect((await sign('other', 'J. Doe', { unread })).body.finality).toBe('resolved')
    await quarantine('other', 'scan')
    expect((await summary('other')).finality.status).toBe('active')
    expect((await sign('other', 'J. Doe', { unread })).body.finality).toBe('resolved')
    await at.admin('POST', '/admin/scopes/other/documents', { name: 'scan', text: 'The sum again.', document_id: 'scan' })
    expect((await summary('other')).finality.status).toBe('active')
  })
})

describe('a paper that leaves a signed case', () => {
  const erase = async (scope: string, documentId: string) =>
    expect((await call('DELETE', `/api/documents/${documentId}?scope_id=${scope}`)).status).toBe(200)

  it('ends what was signed where it counted without a statement, whatever came after it', async () => {
    await openCase('greeted')
    await handIn('greeted', 'greeting', 'Hello there.')
    await quarantine('greeted', 'greeting')
    const said = { by: 'J. Doe', reason: 'Blank.' }
    expect((await call('POST', '/api/documents/greeting/discard?scope_id=greeted', said)).status).toBe(200)
    expect((await sign('greeted')).body).toMatchObject({ finality: 'resolved', covers: { documents: { count: 3 } } })
    await erase('greeted', 'greeting')
    expect(await at.stands('greeted')).toEqual(['review', 1, false])
    expect(await replayed('greeted')).toMatchObject({ ok: true })
  })

  it('ends what was signed where a contradiction in words goes with it, although it was never read', async () => {
    await openCase('told')
    await quarantine('told', 'press')
    const said = { by: 'J. Doe', reason: 'Blank.' }
    expect((await call('POST', '/api/documents/press/discard?scope_id=told', said)).status).toBe(200)
    const words = { scope_id: 'told', claim_a: 'Sold.', claim_b: 'Kept.', source_a: 'press', source_b: 'radio', severity: 'high' }
    const { contradiction_id: id } = (await call('POST', '/api/contradictions', words)).body
    await call('POST', `/api/contradictions/${id}/resolution`, { verdict: 'disputed', ...said })
    expect((await sign('told')).body.finality).toBe('resolved')
    expect((await at.certificate('told')).disputed.count).toBe(1)
    await erase('told', 'press')
    expect((await at.stands('told'))[2]).toBe(false)
  })
})

describe('what policy holds', () => {
  const onlyTheBoss = `
@outcome("hold") @reason("The boss reviews.") forbid (principal, action == Action::"review", resource) when { principal.name != "boss" };`
  const holdsSettings = '@outcome("hold") @reason("Two people set it.") forbid (principal, action == Action::"settings", resource);'
  const holdsThird = `
@outcome("hold") @reason("Wait.") forbid (principal, action == Action::"document", resource) when { context.document.id == "third" };`

  const pending = async (scope: string) => (await get(`/api/scopes/${scope}/decisions?review=pending`)).items
  const certificates = async (scope: string) => (await get(`/api/scopes/${scope}/certificates`)).items.length
  const answered = async (scope: string, by: string, verdict: string) => {
    const [waiting] = await pending(scope)
    return (await call('POST', `/api/decisions/${waiting.decision_id}/review`, { verdict, by, reason: 'Read.' })).status
  }
  /** Settled under the policy; gives how many certificates it has. */
  const settledUnder = async (scope: string, policy: string) => {
    await openCase(scope)
    await settings(scope, { examination: 'none' })
    await policies(scope, policy)
    expect([scope, (await summary(scope)).finality.status]).toEqual([scope, 'resolved'])
    return certificates(scope)
  }

  it('waits on after a review that is held too, and nothing is certified over it', async () => {
    const held: [string, string, (scope: string) => Promise<unknown>, string][] = [
      ['held-paper', holdsThird, scope => handIn(scope, 'third', 'The roof of Harbour Tower is red.', 'held'), 'reject'],
      ['held-mode', holdsSettings, scope => at.admin('PATCH', `/admin/scopes/${scope}`, { mode: 'strict' }), 'approve'],
    ]
    for (const [scope, policy, hold, verdict] of held) {
      const before = await settledUnder(scope, policy + onlyTheBoss)
      await hold(scope)
      expect(await answered(scope, 'intern', verdict), scope).toBe(409)
      expect([scope, (await summary(scope)).finality.status, await certificates(scope)]).toEqual([scope, 'review', before])
      expect(await gate(scope, 'quiescent'), scope).toMatchObject({ ok: false, value: 1 })
      expect(await answered(scope, 'boss', verdict), scope).toBe(200)
      expect([scope, (await summary(scope)).finality.status, await certificates(scope)]).toEqual([scope, 'resolved', before + 1])
      expect(await replayed(scope), scope).toMatchObject({ ok: true, complete: true })
    }
  })

  it('unsettles a case from its own round on', async () => {
    const before = await settledUnder('held-act', holdsSettings)
    expect((await at.admin('PATCH', '/admin/scopes/held-act', { mode: 'strict' })).status).toBe(409)
    expect([(await summary('held-act')).finality.status, await certificates('held-act')]).toEqual(['review', before])
    expect((await get('/api/scopes/held-act/certificate')).status).toBe('superseded')
    expect(await replayed('held-act')).toMatchObject({ ok: true, complete: true })
  })

  it('is asked no more about a paper over which another revision was attached', async () => {
    const before = await settledUnder('over', holdsThird)
    await handIn('over', 'third', 'The roof of Harbour Tower is red.', 'held')
    const [{ decision_id: id }] = await pending('over')
    await at.admin('POST', '/admin/scopes/over/documents', { name: 'third', text: 'The roof is blue.', document_id: 'third' })
    expect(await pending('over')).toEqual([])
    expect((await get('/api/scopes/over/decisions')).items).toContainEqual(expect.objectContaining({ decision_id: id, review: 'obsolete' }))
    // Nothing waits any more, and nobody has to examine what was attached.
    expect([(await summary('over')).finality.status, await certificates('over')]).toEqual(['resolved', before + 1])
    expect(await replayed('over')).toMatchObject({ ok: true, complete: true })
  })
})
