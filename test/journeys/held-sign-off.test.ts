/** A sign-off that policy holds until another person has looked at it: when it was signed, who approved it, and what comes between. */

import { describe, expect, it } from 'vitest'
import { startJourney } from '../support/journey.js'

const at = startJourney({ RETRY_MAX_ATTEMPTS: '1' })
const { call, get, handIn, openCase, quarantine, summary, sign, certificate, replayed } = at

const fourEyes = `
@id("all") permit (principal, action, resource);
@id("four-eyes") @outcome("hold") @reason("Another person looks at it.")
forbid (principal, action == Action::"resolution", resource) when { context.verdict == "sign_off" };`

describe('a sign-off that policy holds', () => {
  it('waits, and is made once it is approved, with the time at which it was signed', async () => {
    await openCase('second')
    await at.admin('PUT', '/admin/scopes/second/policies', { policies: fourEyes })
    expect((await sign('second')).body.code).toBe('STATE_CONFLICT')
    expect((await get('/api/scopes/second/sign-offs')).items).toEqual([])
    const [waiting] = (await get('/api/scopes/second/decisions?review=pending')).items
    const review = { verdict: 'approve', by: 'R. Roe', reason: 'Seen.' }
    expect((await call('POST', `/api/decisions/${waiting.decision_id}/review`, review)).status).toBe(200)
    expect((await summary('second')).finality.status).toBe('resolved')
    const [kept] = (await get('/api/scopes/second/sign-offs')).items
    // The day the person signed, and who let it be made.
    const signed = { by: 'J. Doe', current: true, signed_at: waiting.recorded_at }
    expect(kept).toMatchObject(signed)
    const approved = { actor: { id: 'R. Roe' }, decision_id: kept.decision_id }
    expect((await certificate('second')).examined).toMatchObject({ sign_offs: [signed], approvals: [approved] })
    const signedAt = async (at: string) =>
      (await get(`/api/scopes/second/as-of?at=${encodeURIComponent(at)}`)).sign_offs.items.map((each: { by: string }) => each.by)
    expect(await signedAt(waiting.recorded_at)).toEqual([])
    const decisions = (await get('/api/scopes/second/decisions')).items
    expect(await signedAt(decisions.at(-1).recorded_at)).toEqual(['J. Doe'])
    expect(await replayed('second')).toMatchObject({ ok: true, complete: true })
  })

  it('is named with whoever approved it only while it stands and covers what counts', async () => {
    const approvals = async () => (await certificate('approved')).examined.approvals.map(({ actor }) => actor.id)
    await openCase('approved')
    await at.settings('approved', { examination: 'none' })
    await at.admin('PUT', '/admin/scopes/approved/policies', { policies: fourEyes })
    expect((await sign('approved')).status).toBe(409)
    const [waiting] = (await get('/api/scopes/approved/decisions?review=pending')).items
    await call('POST', `/api/decisions/${waiting.decision_id}/review`, { verdict: 'approve', by: 'R. Roe', reason: 'Seen.' })
    expect(await approvals()).toEqual(['R. Roe'])
    // Another round of the settled case says it once more, and once.
    await at.settings('approved', { signatures: 2 })
    expect(await approvals()).toEqual(['R. Roe'])
    await handIn('approved', 'third', 'The roof of Harbour Tower is red.')
    expect(await approvals()).toEqual([])
  })

  it('is not approved once its signer would have signed for papers that came since', async () => {
    const arrivals: [string, (scope: string) => Promise<unknown>, object?][] = [
      ['since-registered', scope => call('POST', '/api/documents', { scope_id: scope, name: 'elsewhere', type: 'pdf' })],
      ['since-revised', scope => quarantine(scope, 'scan')],
      // Where nobody is asked to examine it, no round tells of it.
      [
        'since-attached',
        scope => at.admin('POST', `/admin/scopes/${scope}/documents`, { name: 'scan', text: 'Other words.', document_id: 'scan' }),
        { examination: 'none' },
      ],
    ]
    for (const [scope, arrive, asked] of arrivals) {
      await openCase(scope)
      await quarantine(scope, 'scan')
      if (asked !== undefined) await at.settings(scope, asked)
      await at.admin('PUT', `/admin/scopes/${scope}/policies`, { policies: fourEyes })
      const unread = [{ document_id: 'scan', how: 'read_by_eye', reason: 'It repeats the sum.' }]
      expect((await sign(scope, 'J. Doe', { unread })).status, scope).toBe(409)
      const [waiting] = (await get(`/api/scopes/${scope}/decisions?review=pending`)).items
      await arrive(scope)
      const review = (verdict: string) =>
        call('POST', `/api/decisions/${waiting.decision_id}/review`, { verdict, by: 'R. Roe', reason: 'Seen.' })
      expect(await review('approve'), scope).toMatchObject({ status: 409, body: { detail: expect.stringContaining('signed off again') } })
      expect((await get(`/api/scopes/${scope}/sign-offs`)).items, scope).toEqual([])
      expect((await review('reject')).status, scope).toBe(200)
      expect(await replayed(scope), scope).toMatchObject({ ok: true, complete: true })
    }
  })
})
