/** A case from the first key to the certificate with the command line alone, and what it says when something is wrong. */

import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { walkDemo } from '../../scripts/demo-walk.js'
import { readProfiles } from '../../src/cli/profiles.js'
import { generateSigningKey, signCertificate } from '../../src/scopes/certificates/certificates.js'
import { addPossible } from '../support/possible-conflict.js'
import { demoPapers, startCommandLine } from './command-line.js'
import { runConcord } from './run-concord.js'

const at = startCommandLine()
const { concord, folder } = at

describe('a case with the command line', () => {
  it('keeps the tenant in a profile that only its owner can read, and does not replace it by accident', async () => {
    const path = join(folder, 'config', 'concord', 'profiles.json')
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect((await concord('init')).code).toBe(1)
    const { json } = await concord('profiles', '--json')
    expect(json).toMatchObject([{ name: 'default', default: true, url: at.service.url }])
    expect(JSON.stringify(json)).not.toContain('cnk_')
  })

  it('hands in a folder, finds contradictions, decides, and verifies the certificate', async () => {
    const handedIn = await concord('ingest', join(demoPapers, 'handed-in'), '--scope', 'case', '--concurrency', '1', '--wait', '--json')
    expect(handedIn.json).toMatchObject({ accepted: 3, known: 0, failed: 0, left: 0 })
    const open = (await concord('contradictions', 'case', '--json')).json
    expect(open.length).toBeGreaterThanOrEqual(1)
    const shown = await concord('contradictions', 'case')
    expect(shown.out).toContain('41.2 million” ')
    expect(shown.out).toMatch(/│.*33\.9 million/)
    // A person has to know which document is which; a program gets the ids.
    expect(shown.out).toContain('01-annual-report.md (revision 1')
    const summary = (await concord('summary', 'case')).out
    expect(summary).toContain('01-annual-report.md (revision 1')
    expect(summary).toMatch(/^ +examined: .*`concord sign-off case --reason "…"`$/m)
    expect(open[0].a.document_id).toMatch(/^file-/)
    const revenue = open.find((item: { attribute: string }) => item.attribute.startsWith('Revenue'))
    const verdict = revenue.a.quote.includes('33.9') ? 'a' : 'b'
    const unclear = await concord('resolve', 'ctr_', verdict, '--reason', 'audited')
    expect(unclear).toMatchObject({ code: 1, err: expect.stringContaining('CONTRADICTION_NOT_FOUND') })
    const resolved = await concord('resolve', revenue.contradiction_id, verdict, '--reason', 'audited', '--json')
    expect(resolved.json.resolution).toMatchObject({ verdict, by: 'tester' })
    expect((await concord('ingest', join(demoPapers, 'corrected'), '--scope', 'case', '-c', '1', '--wait')).code).toBe(0)
    const signed = await concord('sign-off', 'case', '--reason', 'I read all of it.', '--json')
    expect(signed.json).toMatchObject({ by: expect.any(String), finality: 'resolved' })
    expect((await concord('sign-off', 'list', 'case')).out).toMatch(/current +I read all of it\./)
    expect((await concord('summary', 'case', '--json')).json.finality.status).toBe('resolved')
    const [jws, keys] = [join(folder, 'case.jws'), join(folder, 'keys.json')]
    const shownCertificate = await concord('certificate', 'case', '-o', jws, '--jwks', keys)
    expect(shownCertificate.code).toBe(0)
    expect(shownCertificate.out).toMatch(
      /^Nothing is left to decide\.\nCompared by rules alone: 4 papers .*\nSigned off by tester \(name given with a key\) on /,
    )
    const read = (await concord('verify', 'certificate', jws, '--jwks', keys, '--json')).json
    expect([read.ok, read.payload.scope_id]).toEqual([true, 'case'])
    const asked = await concord('verify', 'certificate', jws, '--jwks', keys, '--scope', 'case', '--ask')
    expect(asked).toMatchObject({ code: 0, out: expect.stringMatching(/The service says: current\.\nNothing is left to decide\./) })
    // With a key that is believed, but none of the scope's certificates.
    const [own, [, body = '']] = [await generateSigningKey(), readFileSync(jws, 'utf8').split('.')]
    const forged = await signCertificate(JSON.parse(Buffer.from(body, 'base64url').toString()), own)
    writeFileSync(join(folder, 'own.json'), JSON.stringify({ keys: [own.publicJwk] }))
    const strange = await concord('verify', 'certificate', forged, '--jwks', join(folder, 'own.json'), '--ask')
    expect([strange.code, strange.out]).toEqual([1, expect.stringContaining('The service says: case has no such certificate')])
    const pinned = await concord('verify', 'certificate', jws, '--jwks', keys, '--scope', 'other')
    expect(pinned).toMatchObject({ code: 1, out: expect.stringContaining('is about case case, not other') })
    writeFileSync(join(folder, 'late.txt'), 'Revenue: EUR 77.7 million.')
    await concord('ingest', join(folder, 'late.txt'), '--scope', 'case', '--wait')
    expect((await concord('certificate', 'case')).out).toMatch(/: no longer current since \d{4}-\S+: a document came$/m)
    const late = await concord('verify', 'certificate', jws, '--jwks', keys, '--ask')
    expect(late).toMatchObject({
      code: 1,
      out: expect.stringMatching(/The service says: no longer current since \d{4}-\S+: a document came\.$/m),
    })
    const unasked = await concord('verify', 'certificate', jws, '--jwks', keys)
    expect(unasked).toMatchObject({ code: 0, out: expect.stringMatching(/current was not asked .*\nNothing was left to decide\./) })
    expect(unasked.out).not.toMatch(/valid|^\{/im)
    writeFileSync(
      jws,
      readFileSync(jws, 'utf8').replace(/^(.{300})(.)/, (_, head, next) => head + (next === 'x' ? 'y' : 'x')),
    )
    expect((await concord('verify', 'certificate', jws, '--jwks', keys)).code).toBe(1)
  })

  it('writes the audit log to a file, and signs with a new key', async () => {
    const path = join(folder, 'audit.jsonl')
    expect((await concord('audit', 'export', '--action', 'createTenant', '-o', path)).out).toMatch(/^1 entries are in /)
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ action: 'createTenant', status: 201 })
    const { json } = await concord('signing-keys', 'rotate', '--json')
    expect((await concord('signing-keys')).out.split('\n')[0]).toBe(json.kid)
  })

  it('goes on where an earlier run stopped', async () => {
    const again = await concord('ingest', join(demoPapers, 'handed-in', '01-annual-report.md'), '--scope', 'case', '--json')
    expect(again.json).toMatchObject({ accepted: 0, known: 1 })
  })

  it('shows every view for people and for programs', async () => {
    for (const args of [
      ['summary', 'case'],
      ['documents', 'case'],
      ['documents', 'show', 'case', '01-annual-report.md'],
      ['certificate', 'list', 'case'],
      ['certificate', 'verify', 'case', '--chain'],
      ['audit'],
      ['decisions', 'case'],
      ['glossary', 'case'],
      ['open', '--print'],
      ['audit', 'checkpoint'],
      ['signing-keys'],
      ['claims', 'case'],
      ['claims', 'case', '--search', 'revenue'],
      ['scopes'],
      ['status', '--once'],
      ['tenants'],
      ['quarantine'],
      ['policies'],
      ['review', 'list', 'case'],
      ['doctor'],
      ['config', '--list'],
    ]) {
      const people = await concord(...args)
      expect(`${args.join(' ')} ${people.code} ${people.err}`).toBe(`${args.join(' ')} 0 `)
      expect(people.out).not.toBe('')
      if (args[0] === 'claims' || args[0] === 'decisions') expect(people.out).toContain(' 02-audit-letter.md ')
      const program = await concord(...args, '--json')
      expect(program.json).toBeTruthy()
    }
  })

  it('names documents in what waits for a person', async () => {
    const held =
      'update decisions set review = $1 where document_id is not null and seq = (select min(seq) from decisions where document_id is not null)'
    await at.service.database.owner.query(held, ['pending'])
    const { out } = await concord('review', 'list', 'case')
    expect(out).toMatch(/^ *dec_\w+ .* 0\d-[\w-]+\.md /m)
    await at.service.database.owner.query(held, [null])
  })

  it('doctor takes a key that may only hand in papers for a good one', async () => {
    const { tenantKey = '' } = readProfiles(at.env).profiles['default'] ?? {}
    const { tenant_id: tenant } = (await at.service.call('GET', '/api/me', { headers: { 'x-tenant-api-key': tenantKey } })).body
    const wanted = { label: 'scanner', rights: ['ingest'] }
    const { api_key } = (await at.service.admin('POST', `/admin/tenants/${tenant}/keys`, wanted)).body
    const { findings } = (await runConcord({ ...at.env, CONCORD_TENANT_KEY: api_key }, 'doctor', '--json')).json
    expect(findings).toContainEqual({ check: 'tenant key', status: 'ok', detail: 'accepted (ingest)' })
  })

  it('doctor says which data folder it looked for, and finds no fault in being run elsewhere', async () => {
    const missing = join(folder, 'elsewhere', 'data')
    const { CONCORD_URL: _url, ...local }: Record<string, string> = { ...at.env, DATA_DIR: missing }
    const { findings } = (await runConcord(local, 'doctor', '--json')).json as {
      findings: { check: string; status: string; detail: string }[]
    }
    for (const check of ['data folder', 'first keys'])
      expect(findings.find(finding => finding.check === check)).toMatchObject({
        status: 'skipped',
        detail: expect.stringContaining(missing),
      })
  })

  it('writes one page that holds everything and asks for nothing', async () => {
    const path = join(folder, 'report.html')
    const written = await concord('report', 'case', '-o', path)
    expect([written.code, written.out]).toEqual([0, expect.stringContaining(`Written to ${path}`)])
    expect((await concord('documents', 'case')).out).toMatch(/^document +name +revision/)
    const page = readFileSync(path, 'utf8')
    expect(page).toContain('<mark>EUR 33.9 million</mark>')
    expect(page).toContain('Goal score by step')
    expect(page).not.toMatch(/<script|<link|<img|url\(|@import/)
  })

  it('shows one finding with who opened it before', async () => {
    const [{ contradiction_id: id }] = (await concord('contradictions', 'case', '--status', 'all', '--json')).json
    expect((await concord('finding', id)).out).toMatch(
      /01-annual-report\.md[\s\S]*Nobody who had signed in had opened it; reads with keys were not recorded\.\n$/,
    )
    const { tenantKey = '' } = readProfiles(at.env).profiles['default'] ?? {}
    const { tenant_id } = (await at.service.call('GET', '/api/me', { headers: { 'x-tenant-api-key': tenantKey } })).body
    const wanted = { label: 'Ada', rights: ['read'], person: 'Ada', speak_for: false }
    const { api_key } = (await at.service.admin('POST', `/admin/tenants/${tenant_id}/keys`, wanted)).body
    const session = await at.service.call('POST', '/api/session/key', { headers: { 'x-tenant-api-key': api_key } })
    const headers = { cookie: (session.headers.get('set-cookie') ?? '').split(';')[0] as string }
    const possible = await addPossible(at.service, tenant_id, 'case')
    for (const path of [`contradictions/${id}`, `possible-conflicts/${possible}`])
      expect((await at.service.call('GET', `/api/${path}`, { headers })).status).toBe(200)
    for (const finding of [id, possible]) expect((await concord('finding', finding)).out).toMatch(/\nOpened before by\n {2}Ada, .* UTC\n$/)
    expect((await concord('finding', possible, '--json')).json.seen_by).toMatchObject([{ by: 'Ada' }])
    expect((await concord('as-of', 'case', '--at', new Date().toISOString())).out).toMatch(
      new RegExp(`^ {2}${possible}: .*, opened by Ada\\)$`, 'm'),
    )
    expect((await concord('finding', 'ctr_none')).err).toContain('CONTRADICTION_NOT_FOUND')
  })

  it('says who gave a contradiction to whom, and who took it back', async () => {
    const [{ contradiction_id: id }] = (await concord('contradictions', 'case', '--status', 'all', '--json')).json
    const named = { ...at.env, CONCORD_BY: 'b.roe' }
    expect((await runConcord(named, 'assign', id, 'j.doe', '--json')).json.assignment).toMatchObject({ to: 'j.doe', by: 'b.roe' })
    expect((await concord('assign', id, 'k.doe', '--by', 'c.roe', '--json')).json.assignment).toMatchObject({ by: 'c.roe' })
    expect((await runConcord(named, 'unassign', id)).out).toBe(`${id} is nobody’s now.\n`)
    const { rows } = await at.service.database.owner.query('select ended_by from assignments order by ended_at desc limit 1')
    expect(rows).toEqual([{ ended_by: 'b.roe' }])
  })

  it('puts a case and a document on legal hold, shows it everywhere, and lifts it', async () => {
    const reason = ['--reason', 'Litigation is expected.']
    const [{ document_id: id }] = (await concord('documents', 'case', '--json')).json
    const onDocument = ['case', '--document', id.slice(0, -1)]
    expect((await concord('hold', ...onDocument, ...reason)).out).toMatch(`${id} of case is on legal hold (hld_`)
    expect((await concord('documents', 'case')).out).toMatch(new RegExp(`^${id} .* of the document`, 'm'))
    expect((await concord('documents', 'show', 'case', id)).out).toMatch(
      /^ {2}held +On legal hold since .*, set by tester: Litigation is expected\.$/m,
    )
    expect((await concord('documents', 'delete', 'case', id, '--yes')).err).toMatch(/set by tester on .*\[LEGAL_HOLD\]/)
    const { tenantKey = '' } = readProfiles(at.env).profiles['default'] ?? {}
    const { tenant_id: tenant } = (await at.service.call('GET', '/api/me', { headers: { 'x-tenant-api-key': tenantKey } })).body
    const held = new RegExp(`The document ${id} .*on legal hold, set by tester on .*\\[LEGAL_HOLD\\]`)
    for (const removal of ['scopes delete case', 'scopes reset case', `tenants delete ${tenant}`])
      expect((await concord(...removal.split(' '), '--yes')).err, removal).toMatch(held)
    expect((await concord('hold', 'case', ...reason, '--by', 'a.roe', '--json')).json).toMatchObject({ by: 'a.roe', changed: true })
    expect((await concord('hold', 'case', ...reason)).out).toContain('case is on legal hold already, set by a.roe.')
    expect((await concord('scopes')).out).toMatch(/^case .* by a\.roe/m)
    expect((await concord('summary', 'case')).out).toMatch(/^legal hold On legal hold since .*, set by a\.roe: Litigation is expected\.$/m)
    expect((await concord('documents', 'case')).out).toMatch(new RegExp(`^${id} .* of the case`, 'm'))
    expect((await concord('scopes', 'delete', 'case', '--yes')).err).toMatch(/set by a\.roe on .*\[LEGAL_HOLD\]/)
    const page = join(folder, 'held.html')
    await concord('report', 'case', '-o', page)
    const head = readFileSync(page, 'utf8').split('<main')[0] ?? ''
    expect(head).toMatch(/on legal hold<\/span> On legal hold since .*, set by a\.roe: Litigation is expected\./)
    await concord('lift-hold', 'case', '--reason', 'Settled.', '--by', 'a.roe')
    await concord('report', 'case', '-o', page)
    expect(readFileSync(page, 'utf8').match(/On legal hold since .*?, set by tester/g)).toHaveLength(1)
    expect((await concord('lift-hold', ...onDocument, '--reason', 'Copied.')).out).toContain(`The legal hold of ${id} of case is lifted.`)
    expect((await concord('lift-hold', ...onDocument, '--reason', 'x', '--by', 'b')).out).toContain('was lifted before, by tester.')
    expect((await concord('holds', 'case')).out).toMatch(/the case +a\.roe +[-\d]+ +[-\d]+ by a\.roe +Litigation is expected\./)
    expect((await concord('holds', 'case', '--standing')).out).toBe('Nothing is on legal hold.\n')
    const exported = (await concord('export', 'case')).out.trim().split('\n')
    const holds = exported.map(line => JSON.parse(line)).filter(({ kind }) => kind === 'legal_hold')
    expect(holds.map(({ record }) => [record.document_id, record.lifted.reason])).toEqual([
      [id, 'Copied.'],
      [null, 'Settled.'],
    ])
  })

  it('prints YAML where it is asked for', async () => {
    expect((await concord('documents', 'case', '-o', 'yaml')).out).toMatch(/^- document_id: "?file-/)
    expect((await concord('documents', 'case', '--format', 'xml')).code).toBe(2)
  })

  it('exports lines of JSON that end with their counts', async () => {
    const { out } = await concord('export', 'case')
    const records = out
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as { kind: string; record: unknown })
    const count = (kind: string) => records.filter(record => record.kind === kind).length
    expect(records.at(-1)).toMatchObject({ kind: 'end', record: { document: count('document'), claim: count('claim') } })
    expect(count('document')).toBe(5)
  })

  it('controls the runtime of what it is told', async () => {
    expect((await concord('runtime', 'pause', '--scope', 'case', '--json')).json).toMatchObject({
      addressed: { level: 'scope' },
      state: 'paused',
    })
    expect((await concord('runtime', 'resume', '--scope', 'case')).out).toContain('paused → running')
    expect((await concord('runtime', 'stop', '--tenant', '--json')).json.addressed.level).toBe('tenant')
    const refused = await concord('runtime', 'resume', '--tenant')
    expect(refused).toMatchObject({ code: 1 })
    expect(refused.err).toMatch(/RUNTIME_CONFLICT.*concord runtime start/)
    expect((await concord('runtime', 'start', '--tenant')).code).toBe(0)
  })

  it('deletes a scope when it is told twice', async () => {
    expect((await concord('scopes', 'create', 'short', '--display-name', 'wiped\u001b[2J')).code).toBe(0)
    expect((await concord('scopes')).out).toMatch(/^short .* wiped\ufffd\[2J$/m)
    expect((await concord('scopes', 'delete', 'short')).code).not.toBe(0)
    const before = new Date().toISOString()
    expect((await concord('scopes', 'delete', 'short', '--yes', '--json')).json).toMatchObject({ scope_id: 'short', documents: 0 })
    expect((await concord('scopes', '--json')).json.map((scope: { scope_id: string }) => scope.scope_id)).not.toContain('short')
    // Of a case that has its name now, this is what its past says.
    expect((await concord('scopes', 'create', 'short')).code).toBe(0)
    expect((await concord('as-of', 'short', '--at', before)).out).toMatch(/\nThe case was deleted on .* is gone\.\n$/)
    expect((await concord('scopes', 'delete', 'short', '--yes')).code).toBe(0)
  })

  it('makes a case and shows its policies with a key of the tenant alone', async () => {
    const { tenantKey = '' } = readProfiles(at.env).profiles['default'] ?? {}
    const env = { XDG_CONFIG_HOME: join(folder, 'nobody'), DATA_DIR: at.env['DATA_DIR'] ?? '', CONCORD_URL: at.service.url }
    const alone = (...args: string[]) => runConcord({ ...env, CONCORD_TENANT_KEY: tenantKey }, ...args)
    expect(await alone('scopes', 'create', 'own', '--mode', 'review')).toMatchObject({ code: 0, out: 'Case own created (mode review).\n' })
    expect((await alone('policies', 'show', '--scope', 'own')).out).toMatch(/^\/\/ .*inherited from/)
    expect(await alone('policies', '--tenant')).toMatchObject({ code: 2, err: expect.stringContaining('no admin key is known') })
    expect((await alone('scopes', 'delete', 'own', '--yes')).code).toBe(0)
  })

  it('manages keys and limits of a tenant', async () => {
    const tenant = (await concord('tenants', 'create', 'second', '--json')).json.tenant_id
    const key = (await concord('keys', 'create', tenant, '--label', 'ci', '--json')).json
    expect((await concord('keys', 'revoke', tenant, key.key_id, '--yes', '--json')).json.revoked_at).not.toBeNull()
    expect((await concord('tenants', 'limits', tenant, 'documents=5', '--json')).json.limits).toMatchObject({ documents: 5 })
    expect((await concord('tenants', 'limits', tenant, 'model=off')).out).toMatch(/^model +off/m)
    expect((await concord('tenants', 'limits', tenant, 'model=on')).out).toMatch(/^model +on/m)
    expect((await concord('tenants', 'limits', tenant, 'model=5')).err).toMatch(
      /names are documents, bytes, .*weight; or model=off, model=on\n$/,
    )
    expect([(await concord('tenants', 'delete', tenant)).code, (await concord('tenants', 'delete', tenant, '--yes')).code]).toEqual([2, 0])
  })
})

describe('what goes wrong', () => {
  it('is told in one line with what to do next, and never as a stack trace', async () => {
    const cases: [string[], number, RegExp][] = [
      [['summary', 'nowhere'], 1, /SCOPE_NOT_FOUND.*concord scopes/],
      [
        ['scopes', '--url', 'http://127.0.0.1:1'],
        2,
        /^(?!.*CONCORD_TENANT_ID).*no tenant key is known.*concord init.*set CONCORD_TENANT_KEY/,
      ],
      [['tenants', '--url', 'http://127.0.0.1:1'], 3, /no answer from http:\/\/127\.0\.0\.1:1.*concord serve/],
      [['tenants', '--admin-key', 'wrong'], 1, /AUTH_INVALID.*concord config/],
      [['scopes', '--profile', 'none'], 1, /no profile none/],
      [['ingest', '/nowhere', '--scope', 'x'], 2, /cannot be read/],
      [['ingest', '-', '--estimate', '--scope', 'x'], 2, /standard input is not estimated.*name a file/],
      [['certificate', 'nowhere'], 1, /SCOPE_NOT_FOUND/],
    ]
    for (const [args, code, words] of cases) {
      const run = await concord(...args)
      expect(`${run.code} ${run.err}`).toMatch(new RegExp(`^${code} concord: `))
      expect(run.err).toMatch(words)
      expect(run.err.trim().split('\n')).toHaveLength(1)
    }
  })

  it('is wrong usage with exit code 2 when a command or option is not known', async () => {
    expect((await concord('nonsense')).code).toBe(2)
    expect((await concord('ingest', 'x')).code).toBe(2)
    const settings = await concord('scopes', 'change', 'case', '--settings', '{finality')
    expect(settings).toMatchObject({ code: 2, err: expect.stringContaining('write it like {"finality": {"minimum_documents": 3}') })
  })

  it('is a table of failures when files cannot be handed in, and the others are', async () => {
    writeFileSync(join(folder, 'empty.txt'), '')
    writeFileSync(join(folder, 'binary.txt'), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x00, 0x01]))
    writeFileSync(join(folder, 'latin.txt'), Buffer.from('Größe: 4', 'latin1'))
    writeFileSync(join(folder, 'good.txt'), 'Revenue for FY2025 was EUR 1.0 million.')
    const run = await concord(
      'ingest',
      ...['empty', 'binary', 'good', 'latin'].map(name => join(folder, `${name}.txt`)),
      '--scope',
      'mixed',
    )
    expect(run.code).toBe(1)
    expect(run.out).toMatch(/2 accepted into mixed/)
    expect((await concord('ingest', join(folder, 'latin.txt'), '--scope', 'mixed', '--about', 'Room 4', '--wait')).code).toBe(0)
    expect((await concord('documents', 'show', 'mixed', 'latin.txt')).out).toMatch(/^ {2}about +Room 4$[\s\S]*^ {2}notes +.*Windows-1252/m)
    expect(run.out).toMatch(/empty\.txt +It is empty\./)
    expect(run.out).toMatch(/binary\.txt +Unsupported file type/)
  })

  it('prints settings that are lists of objects as JSON', async () => {
    const mapping = '[{"claim":"groups","value":"audit","tenant_id":"ten_0000000000000000000000","rights":["read"]}]'
    const { out } = await runConcord({ ...at.env, OIDC_MAPPING: mapping }, 'config')
    expect(out).toMatch(/^ {2}OIDC_MAPPING +\[\{"claim":"groups".*\}\]$/m)
  })

  it('sends keys of a profile to the server of that profile alone', async () => {
    const { json } = await runConcord({ ...at.env, CONCORD_URL: 'http://other.example', CONCORD_ADMIN_KEY: '' }, 'config', '--json')
    const values = Object.fromEntries(json.command_line.values.map(({ name, value }: { name: string; value: string }) => [name, value]))
    expect(values).toMatchObject({ url: 'http://other.example', 'tenant key': '(unset)', 'admin key': '(unset)' })
  })
})

describe('the demo', () => {
  it('walks the demo to a certificate by a sign-off', async () => {
    const home = join(folder, 'demo')
    mkdirSync(home)
    const own = { ...at.env, XDG_CONFIG_HOME: join(home, 'config'), USER: 'you' }
    const shown: string[] = []
    const tenantKey = () => readProfiles(own).profiles['default']?.tenantKey ?? ''
    const walked = async (...args: string[]) => {
      const { code, out, err } = await runConcord(own, ...args)
      expect([args[0], code, err]).toEqual([args[0], 0, expect.any(String)])
      shown.push(out)
    }
    await walkDemo({ url: at.service.url, folder: home, isKept: false, tenantKey, concord: walked, say: text => shown.push(text) })
    const told = shown.join('\n')
    expect(told).toContain('signs nothing that no person examined')
    expect(told).toMatch(/not signed off[\s\S]*Nothing is left to decide\.\nCompared by rules alone: 4 papers .*\nSigned off by you /)
    expect(told).toMatch(/The signature is right[\s\S]*npm run demo -- --keep$/)
  })
})
