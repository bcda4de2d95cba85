/** What the command line says of what is open, who examined a case, and files that were not taken. */

import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { addPossible } from '../support/possible-conflict.js'
import { startTestService, type TestService } from '../support/service.js'
import { runConcord } from './run-concord.js'

const folder = mkdtempSync(join(tmpdir(), 'concord-open-'))
let service: TestService
let tenant: { tenant_id: string; api_key: string }
let env: Record<string, string>
const concord = (...args: string[]) => runConcord(env, ...args)

/** The words of a page, without its marks. */
const textOf = (page: string) => page.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')

function write(name: string, text: string): string {
  const path = join(folder, name)
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, text)
  return path
}

beforeAll(async () => {
  service = await startTestService({ RETRY_MAX_ATTEMPTS: '1' })
  tenant = await service.createTenant()
  env = {
    XDG_CONFIG_HOME: join(folder, 'config'),
    DATA_DIR: join(folder, 'data'),
    USER: 'tester',
    CONCORD_URL: service.url,
    CONCORD_TENANT_KEY: tenant.api_key,
    CONCORD_INTERNALS_KEY: service.internalsKey,
  }
  write('case/one.txt', 'The contract sum of Harbour Tower is EUR 4.2M.')
  write('case/two.txt', 'The site manager of Harbour Tower is Anna Weber.')
})
afterAll(async () => {
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
})

describe('what is open', () => {
  let possibleId: string
  beforeAll(async () => {
    expect((await concord('ingest', join(folder, 'case'), '--scope', 'open', '--wait')).code).toBe(0)
    possibleId = await addPossible(service, tenant.tenant_id, 'open')
  })

  it('names possible conflicts beside contradictions in every answer', async () => {
    const listed = await concord('contradictions', 'open')
    expect(listed.out).toContain('No open contradictions.')
    expect(listed.out).toContain('One possible conflict is undecided:')
    expect(listed.out).toContain('These may be two names of one thing.')
    expect((await concord('contradictions', 'open', '--json')).json).toMatchObject([{ possible_conflict_id: possibleId, status: 'open' }])
    expect((await concord('contradictions', 'open', '--status', 'resolved', '--json')).json).toEqual([])
    write('more/three.txt', 'The crane of Harbour Tower stands on the north side.')
    const waited = await concord('ingest', join(folder, 'more'), '--scope', 'open', '--wait')
    expect(waited.out).toContain('0 open contradictions, 1 possible conflict undecided.')
    const again = await concord('ingest', join(folder, 'more'), '--scope', 'open', '--wait', '--json')
    expect(again.json).toMatchObject({ open_contradictions: 0, possible_conflicts: 1 })
    const status = (await concord('status', '--once')).out
    expect(status).toMatch(/case +state +convergence +open +possible +examined/)
    expect(status).toMatch(/^open +[a-z ]+ +\d\.\d+ +0 +1 +not signed off /m)
    // Two tenants may have a case of the same name.
    const other = await service.createTenant()
    const headers = { 'x-tenant-api-key': other.api_key }
    expect((await service.call('POST', '/api/scopes', { headers, body: { scope_id: 'open' } })).status).toBe(201)
    const mixed = (await concord('status', '--once')).out
    expect(mixed).toMatch(new RegExp(`^${tenant.tenant_id} +open +`, 'm'))
    expect(mixed).toMatch(new RegExp(`^${other.tenant_id} +open +`, 'm'))
    const scopes = (await concord('scopes')).out
    expect(scopes).toMatch(/open +possible +examined/)
    expect(scopes).toMatch(/^open .* 0 +1 +not signed off/m)
    expect((await concord('summary', 'open')).out).toContain('These may be two names of one thing.')
    const schedule = await concord('schedule', 'open', '-o', join(folder, 'open.pdf'))
    expect([schedule.code, schedule.err]).toEqual([2, expect.stringContaining('.docx or .xlsx')])
    expect((await concord('bundle', 'none', '-o', join(folder, 'none.zip'))).code).toBe(1)
    expect(readdirSync(folder).filter(name => name.startsWith('none.zip'))).toEqual([])
    const path = join(folder, 'open.html')
    const written = await concord('report', 'open', '-o', path)
    expect(written.out).toContain('1 possible conflict undecided')
    expect(textOf(readFileSync(path, 'utf8'))).toContain('0 contradictions open, 1 possible conflict undecided.')
  })

  it('is listed by fact, with one word for all of it', async () => {
    const facts = await concord('possible', 'facts', 'open')
    expect(facts.out).toMatch(/1 possible conflict\n[\s\S]*These may be two names[\s\S]*promote-fact\|dismiss-fact/)
    expect((await concord('possible', 'facts', 'open', '--json')).json).toMatchObject([
      { count: 1, items: [{ possible_conflict_id: possibleId }] },
    ])
    const word = ['--reason', 'Two names of one thing.', '--by', 'ada']
    expect((await concord('possible', 'dismiss-fact', possibleId, ...word)).out).toContain('1 dismissed.')
    expect((await concord('possible', 'facts', 'open')).out).toContain('No possible conflict is undecided.')
    expect((await concord('possible', 'dismiss-fact', possibleId, ...word)).out).toContain(`${possibleId} was left: No undecided`)
    expect((await concord('possible', 'undo-dismissal', possibleId, ...word)).out).toContain(`${possibleId} is open.`)
  })

  it('is reported with the tables around quotes as tables', async () => {
    const headers = { 'x-tenant-api-key': tenant.api_key }
    const sheet = 'Item;EUR\nRent;40\nFee;30\n'
    const papers = { sheet: { text: sheet, type: 'csv' }, note: { text: 'The rent is EUR 45.', type: 'text' } }
    for (const [document_id, paper] of Object.entries(papers)) {
      const body = { scope_id: 'sheets', document_id, name: document_id, ...paper }
      expect((await service.call('POST', '/api/ingest', { headers, body })).status).toBe(202)
      await service.call('GET', `/api/documents/${document_id}?scope_id=sheets&wait=30`, { headers })
    }
    const passage = (document_id: 'sheet' | 'note', words: string) => {
      const start = papers[document_id].text.indexOf(words)
      return { document_id, revision: 1, start, end: start + words.length }
    }
    const body = {
      scope_id: 'sheets',
      severity: 'low',
      reason: 'Rent.',
      by: 'Ada',
      a: passage('sheet', 'Rent;40'),
      b: passage('note', 'EUR 45'),
    }
    const reported = await service.call('POST', '/api/contradictions', { headers, body })
    expect(reported.status, reported.text).toBe(201)
    const path = join(folder, 'sheets.html')
    await concord('report', 'sheets', '-o', path)
    const page = readFileSync(path, 'utf8')
    expect(page).toContain('<thead><tr><th scope="col">Item</th><th scope="col">EUR</th></tr></thead>')
    expect(page).toMatch(/<tr><td><strong>.*Rent.*<\/td><td>.*40.*<\/td><\/tr><tr><td>Fee<\/td><td>30<\/td><\/tr>/)
  })

  it('says how many there are beyond those that are listed', async () => {
    expect((await concord('ingest', join(folder, 'case'), '--scope', 'many', '--wait')).code).toBe(0)
    const before = new Date().toISOString()
    // Instants are whole milliseconds: what follows is behind it.
    await wait(2)
    const possible = await addPossible(service, tenant.tenant_id, 'many')
    for (const colour of ['blue', 'green', 'white']) {
      const body = {
        scope_id: 'many',
        claim_a: 'The gate is red.',
        claim_b: `The gate is ${colour}.`,
        source_a: 'x',
        source_b: 'y',
        severity: 'low',
      }
      expect((await service.call('POST', '/api/contradictions', { headers: { 'x-tenant-api-key': tenant.api_key }, body })).status).toBe(
        201,
      )
    }
    const listed = (await concord('contradictions', 'many', '--limit', '1')).out
    expect(listed).toContain('… and 2 more: ')
    expect(listed).toContain('One possible conflict is undecided:')
    expect(listed.match(/ctr_/g)).toHaveLength(1)
    const data = await concord('contradictions', 'many', '--limit', '1', '--json')
    expect(data.json).toHaveLength(2)
    expect(data.err).toContain('… and 2 more: ')
    const found = (await concord('contradictions', 'many', '--limit', '3', '--found-by', 'person')).out
    expect(found).not.toContain('more: ')
    expect(found).toMatch(/^One possible conflict is undecided: list with `.*possible list many`\.$/m)
    expect((await concord('contradictions', 'many', '--limit', '1', '--found-by', 'person')).out).toContain('… and more: ')
    const asked = vi.spyOn(globalThis, 'fetch')
    for (const args of [
      ['contradictions', 'many', '--found-by', 'person'],
      ['contradictions', 'many', '--status', 'all', '--known-at', new Date().toISOString()],
      ['possible', 'list', 'many', '--status', 'all'],
    ])
      await concord(...args, '--limit', '1', '--json')
    expect(asked.mock.calls.length).toBeGreaterThan(2)
    expect(asked.mock.calls.filter(([url]) => String(url).endsWith('/summary'))).toEqual([])
    asked.mockRestore()
    const now = new Date().toISOString()
    const listedAt = async (at: string, ...list: string[]) => (await concord(...list, '--known-at', at)).out
    expect(await listedAt(before, 'contradictions', 'many')).toBe('No open contradictions.\n')
    expect(await listedAt(now, 'contradictions', 'many', '--limit', '1')).toMatch(/… and more: [\s\S]*One possible conflict is undecided:/)
    expect(await listedAt(before, 'possible', 'list', 'many')).toBe('No possible conflict is undecided.\n')
    expect(await listedAt(now, 'possible', 'list', 'many')).toContain(possible)
    expect(await listedAt(now, 'supersessions', 'list', 'many')).toBe('Nothing was replaced.\n')
    expect((await concord('supersessions', 'list', 'many', '--known-at', 'then')).code).not.toBe(0)
  })

  it('pages every list of a case as it was', async () => {
    const at = new Date().toISOString()
    const then = ['as-of', 'many', '--at', at]
    for (const list of ['papers', 'statements', 'contradictions', 'possible_conflicts', 'decisions', 'sign_offs']) {
      const { json } = await concord(...then, '--list', list, '--json')
      expect([list, Object.values(json).filter(each => Array.isArray((each as { items?: unknown } | null)?.items))]).toEqual([
        list,
        [json[list]],
      ])
    }
    const first = (await concord(...then, '--list', 'contradictions', '--limit', '2', '--json')).json.contradictions
    const rest = (await concord(...then, '--list', 'contradictions', '--cursor', first.next, '--json')).json.contradictions
    expect([first.items.length, rest.items.length, rest.next]).toEqual([2, 1, null])
    const quotes = [...first.items, ...rest.items].map(({ b }: { b: { quote: string } }) => b.quote)
    expect(quotes).toEqual(['The gate is blue.', 'The gate is green.', 'The gate is white.'])
    const shown = (await concord(...then, '--limit', '1')).out
    expect(shown).toContain(`  More: --at ${at} --list contradictions --cursor `)
    expect((await concord(...then, '--cursor', first.next)).code).not.toBe(0)
    expect((await concord(...then, '--list', 'notes')).code).toBe(2)
    expect((await concord(...then, '--list', 'papers', '-o', join(folder, 'papers.jws'))).code).toBe(2)
  })

  it('says whose sign-off a case rests on when another is taken back', async () => {
    expect((await concord('ingest', join(folder, 'case'), '--scope', 'twice', '--wait')).code).toBe(0)
    const [doe, roe] = [
      (await concord('sign-off', 'twice', '--reason', 'Read.', '--by', 'J. Doe', '--json')).json.sign_off_id,
      (await concord('sign-off', 'twice', '--reason', 'Read.', '--by', 'R. Roe', '--json')).json.sign_off_id,
    ]
    const takeBack = async (id: string) => (await concord('sign-off', 'withdraw', 'twice', id, '--reason', 'The wrong case.')).out
    expect(await takeBack(roe)).toContain(`${roe}: withdrawn. The case is still settled: what stands is ${doe} by J. Doe.`)
    expect(await takeBack(doe)).toMatch(/: withdrawn\. The case is (?!still)/)
  })

  it('says who compared and who signed, and what came since', async () => {
    const on = '\\d+ \\w+ \\d{4}'
    expect((await concord('ingest', join(folder, 'case'), '--scope', 'signed', '--wait')).code).toBe(0)
    expect((await concord('documents', 'signed')).out).toContain('compared by rules alone')
    expect((await concord('scopes')).out).toContain('not signed off')
    await concord('sign-off', 'signed', '--reason', 'Read.', '--by', 'J. Doe')
    expect((await concord('documents', 'signed')).out).toContain('compared by rules and J. Doe')
    const lines = (await concord('certificate', 'signed')).out.split('\n')
    expect(lines.slice(0, 5)).toEqual([
      'Nothing is left to decide.',
      expect.stringMatching(/^Compared by rules alone: 2 papers \(rules \S+\)\.$/),
      expect.stringMatching(/^Signed off by J\. Doe \(name given with a key\) on \d{4}-\d\d-\d\d at \d\d:\d\d UTC\.$/),
      'No possible conflict left undecided.',
      'No contradiction disputed.',
    ])
    const signed = new Date().toISOString()
    await concord('ingest', join(folder, 'more'), '--scope', 'signed', '--wait')
    for (const [at, current, words] of [
      [signed, true, 'covers all that counted'],
      [new Date().toISOString(), false, 'covers not all that counted'],
    ] as const) {
      const then = ['as-of', 'signed', '--at', at, '--list', 'sign_offs']
      expect((await concord(...then, '--json')).json.sign_offs.items).toMatchObject([{ by: 'J. Doe', reason: 'Read.', current }])
      expect((await concord(...then)).out).toContain(`: Read. (${words}`)
      const page = join(folder, 'then.html')
      await concord('as-of', 'signed', '--at', at, '-o', page)
      expect(textOf(readFileSync(page, 'utf8'))).toContain(`Read. ${words.slice(7)}`)
    }
    expect((await concord('certificate', 'signed')).out).toMatch(/^Nothing was left to decide\.$/m)
    const since = new RegExp(`signed off by J\\. Doe, current to ${on}, 1 paper since`, 'i')
    for (const args of [['scopes'], ['status', '--once'], ['summary', 'signed']]) expect((await concord(...args)).out).toMatch(since)
    const path = join(folder, 'signed.html')
    expect((await concord('report', 'signed', '-o', path)).out).toMatch(since)
    const page = textOf(readFileSync(path, 'utf8'))
    expect(page).toMatch(since)
    expect(page).toMatch(
      /Nothing was left to decide\.\s*Compared by rules alone: 2 papers .*\s*Signed off by J\. Doe \(name given with a key\) on /,
    )
    expect(page).toMatch(/two\.txt .* compared by rules and J\. Doe /)
    expect(page).toMatch(/three\.txt .* compared by rules alone /)
    // The lines of the certificate come before everything it rests on.
    expect(page.indexOf('Nothing was left to decide')).toBeLessThan(page.indexOf('Contradictions'))
    expect(page.toLowerCase()).not.toContain('one story')
  })
})

describe('a folder of which not everything was taken', () => {
  it('ends other than 0, names what was quarantined, and is not certified before somebody signs for it', async () => {
    write('mixed/one.txt', 'The contract sum of Harbour Tower is EUR 4.2M.')
    write('mixed/two.txt', 'The site manager of Harbour Tower is Anna Weber.')
    write('mixed/scan.pdf', '%PDF-1.4\nnothing of a file')
    write('mixed/film.mp4', '\0\0\0\x18ftypmp42\0\0\0\0')
    write('mixed/.hidden', 'Not looked at.')
    const { code, out } = await concord('ingest', join(folder, 'mixed'), '--scope', 'mixed', '--wait')
    expect(code).not.toBe(0)
    expect(out).toMatch(/1 not taken:[\s\S]*film\.mp4/)
    expect(out).toMatch(/1 could not be read, so nothing is compared with it:[\s\S]*scan\.pdf/)
    expect(out).not.toContain('.hidden')
    expect((await concord('quarantine')).out).toContain(' scan.pdf ')
    const sha256 = createHash('sha256')
      .update(readFileSync(join(folder, 'mixed/scan.pdf')))
      .digest('hex')
    expect((await concord('documents', 'show', 'mixed', 'scan.pdf')).out).toContain(`${sha256} of the file`)
    expect((await concord('certificate', 'mixed')).code).not.toBe(0)
    expect((await concord('sign-off', 'mixed', '--reason', 'Read.')).err).toContain('is quarantined and not named')
    const bare = await concord('sign-off', 'mixed', '--reason', 'Read.', '--set-aside', 'scan.pdf')
    expect(bare.err).toContain('scan.pdf says no reason')
    expect((await concord('sign-off', 'mixed', '--reason', 'Read.', '--set-aside', 'scan.pdf=A blank page.')).code).toBe(0)
    expect((await concord('documents', 'mixed')).out).toContain('set aside by tester')
    expect((await concord('certificate', 'mixed')).out).toContain('Not read: scan.pdf (could not be read, set aside).')
  })

  it('ends with 0 where everything was taken, hidden files aside', async () => {
    write('whole/one.txt', 'The contract sum of Harbour Tower is EUR 4.2M.')
    write('whole/.hidden.mp4', 'Not looked at.')
    expect((await concord('ingest', join(folder, 'whole'), '--scope', 'whole')).code).toBe(0)
  })
})

describe('certificates of a case that was reset or deleted', () => {
  it('are withdrawn, whichever came after which, and there are none where there was none', async () => {
    write('later/four.txt', 'The lift of Harbour Tower has eight stops.')
    const [keys, both] = [join(folder, 'gone.keys'), [join(folder, 'gone-1.jws'), join(folder, 'gone-2.jws')] as const]
    for (const [index, file] of both.entries()) {
      await concord('ingest', join(folder, index === 0 ? 'case' : 'later'), '--scope', 'gone', '--wait')
      await concord('sign-off', 'gone', '--reason', 'Read.')
      expect((await concord('certificate', 'gone', '-o', file, '--jwks', keys)).out).toContain(': current')
    }
    const standing = async (file: string) => (await concord('verify', 'certificate', file, '--jwks', keys, '--ask')).out
    expect(await standing(both[0])).toMatch(
      /The service says: no longer current since \S+: a document came; the newest is crt_\S+, issued on/,
    )
    await service.admin('POST', '/admin/scopes/gone/reset', {}, tenant.api_key)
    for (const file of both) expect(await standing(file)).toMatch(/The service says: withdrawn on \S+: The case was reset\.$/m)
    expect((await concord('scopes', 'delete', 'gone', '--yes')).code).toBe(0)
    for (const file of both) expect(await standing(file)).toMatch(/The service says: withdrawn on /)
    await concord('ingest', join(folder, 'case'), '--scope', 'never', '--wait')
    expect((await concord('certificate', 'list', 'never')).out).toContain('not complete yet')
    await concord('scopes', 'delete', 'never', '--yes')
    for (const args of [['list', 'never'], ['never']])
      expect(await concord('certificate', ...args)).toMatchObject({ code: 1, err: expect.stringContaining('SCOPE_NOT_FOUND') })
  })
})
