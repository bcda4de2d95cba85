/** What is handed on of a case with the command line: its schedule, its bundle, and the case as it was, signed and to print. */

import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { readProfiles } from '../../src/cli/profiles.js'
import { digest } from '../../src/kernel/canonical.js'
import type { CertificatePayload } from '../../src/kernel/certificate-payload.js'
import { generateSigningKey, payloadOf, signCertificate, signStatement } from '../../src/scopes/certificates/certificates.js'
import { fileForm } from '../support/multipart.js'
import { demoPapers, startCommandLine } from './command-line.js'
import { runConcord, verifiedAsReadmeSays } from './run-concord.js'

const at = startCommandLine()
const { concord, folder } = at

beforeAll(async () => {
  await concord('ingest', join(demoPapers, 'handed-in'), '--scope', 'case', '--concurrency', '1', '--wait')
  await decideRevenue('case')
  await concord('ingest', join(demoPapers, 'corrected'), '--scope', 'case', '--concurrency', '1', '--wait')
  expect((await concord('sign-off', 'case', '--reason', 'I read all of it.')).code).toBe(0)
})

async function decideRevenue(scopeId: string) {
  const open = (await concord('contradictions', scopeId, '--json')).json
  const revenue = open.find((item: { attribute: string }) => item.attribute.startsWith('Revenue'))
  await concord('resolve', revenue.contradiction_id, revenue.a.quote.includes('33.9') ? 'a' : 'b', '--reason', 'audited')
}

describe('what is handed on of a case', () => {
  it('writes what is handed on of a case as files that programs open', async () => {
    const word = join(folder, 'schedule.docx')
    expect((await concord('schedule', 'case', '-o', word)).out).toContain(`Written to ${word}`)
    const scheduled = async (...filters: string[]) => {
      await concord('schedule', 'case', '-o', word, ...filters)
      const text = readFileSync(word).toString()
      return ['41.2 million', '12.4 million'].map(words => text.includes(words))
    }
    expect(await scheduled()).toEqual([true, true])
    expect(await scheduled('--document', '03-broker-note.md')).toEqual([false, true])
    expect(await scheduled('--status', 'decided', '--search', '12.4')).toEqual([false, true])
    for (const filters of ['--severity critical', '--found-by model', '--assigned-to Eve', '--known-at 2020-01-31T00:00:00Z'])
      expect(await scheduled(...filters.split(' ')), filters).toEqual([false, false])
    expect((await concord('schedule', 'case', '--severity', 'grave')).code).toBe(2)
    const bundle = join(folder, 'case.zip')
    const written = await concord('bundle', 'case', '-o', bundle, '--json')
    const bytes = readFileSync(bundle)
    expect([written.code, written.json.bytes, readdirSync(folder).filter(name => name.endsWith('.part'))]).toEqual([0, bytes.length, []])
    const right = ['certificate', 'as-of'].map(what => [what, 0, expect.stringContaining('The signature is right')])
    expect(await verifiedAsReadmeSays(bytes, join(folder, 'opened'))).toEqual(right)
    expect((await concord('bundle', 'none', '-o', join(folder, 'none.zip'))).err).toContain('SCOPE_NOT_FOUND')
  })

  it('holds the papers of a bundle against what is signed of their bytes', async () => {
    const opened = join(folder, 'held')
    const key = { 'x-tenant-api-key': readProfiles(at.env).profiles['default']?.tenantKey ?? '' }
    const upload = async (folderOf: string) => {
      for (const name of readdirSync(join(demoPapers, folderOf)).sort()) {
        const bytes = readFileSync(join(demoPapers, folderOf, name))
        const { headers, raw } = fileForm({ scope_id: 'filed', document_id: name }, { bytes, name })
        expect((await at.service.call('POST', '/api/files', { headers: { ...key, ...headers }, raw })).status).toBe(202)
        await at.service.call('GET', `/api/documents/${name}?scope_id=filed&wait=30`, { headers: key })
      }
    }
    await upload('handed-in')
    await decideRevenue('filed')
    await upload('corrected')
    expect((await concord('sign-off', 'filed', '--reason', 'I read all of it.')).code).toBe(0)
    await concord('bundle', 'filed', '-o', join(folder, 'held.zip'))
    for (const [, code, out] of await verifiedAsReadmeSays(readFileSync(join(folder, 'held.zip')), opened))
      expect([code, out]).toEqual([0, expect.stringMatching(/^[1-9] papers? (is|are) to the byte what is signed for\.$/m)])
    const [certificate, asOf, keys, list] = ['certificate.jws', 'as-of.jws', 'keys.json', 'papers.json'].map(name =>
      join(opened, name),
    ) as [string, string, string, string]
    const holding = async (what: string, file: string) => {
      const { code, out } = await concord('verify', what, file, '--jwks', keys, '--papers', list)
      return [code, out]
    }
    const listed = JSON.parse(readFileSync(list, 'utf8'))
    const paper = listed.find((each: { document_id: string }) => each.document_id === '01-annual-report.md')
    const named = payloadOf(readFileSync(certificate, 'utf8')).documents.hashes?.find(each => each.document_id === paper.document_id)
    const sha256 = createHash('sha256')
      .update(readFileSync(join(demoPapers, 'handed-in', paper.document_id)))
      .digest('hex')
    expect([paper.kind, paper.sha256, named?.file_sha256]).toEqual(['file', sha256, sha256])

    // Another file that says the very same is another file.
    const [file, whole] = [join(opened, paper.file), readFileSync(join(opened, paper.file))]
    writeFileSync(file, Buffer.concat([whole, Buffer.from('\n')]))
    for (const [what, signed] of [
      ['as-of', asOf],
      ['certificate', certificate],
    ] as const)
      expect(await holding(what, signed)).toEqual([1, expect.stringContaining(`${paper.file} is not the file whose digest is listed`)])
    // With a list made to fit it.
    const other = createHash('sha256').update(readFileSync(file)).digest('hex')
    const changed = (more: object) => JSON.stringify(listed.map((each: typeof paper) => (each === paper ? { ...each, ...more } : each)))
    writeFileSync(list, changed({ sha256: other }))
    expect(await holding('as-of', asOf)).toEqual([1, expect.stringContaining('is not the papers.json that is signed for')])
    const certified = `${paper.file} is not revision ${paper.revision} of ${paper.document_id} as it is certified`
    expect(await holding('certificate', certificate)).toEqual([1, expect.stringContaining(certified)])
    // Nor does it help to leave out what it is, or to leave it out altogether.
    for (const lacking of [{ kind: undefined }, { kind: 'text' }]) {
      writeFileSync(list, changed({ sha256: other, ...lacking }))
      expect(await holding('certificate', certificate)).toEqual([1, expect.stringContaining(certified)])
    }
    writeFileSync(list, '[]')
    expect(await holding('certificate', certificate)).toEqual([1, expect.stringContaining(`Not accepted: ${paper.file} is not in `)])
    writeFileSync(list, changed({ file: '../keys.json' }))
    expect(await holding('certificate', certificate)).toEqual([1, expect.stringContaining('../keys.json is no file in papers/')])
    for (const none of ['{}', '[null]', '[{"document_id":"a","revision":1}]']) {
      writeFileSync(list, none)
      const refused = await concord('verify', 'certificate', certificate, '--jwks', keys, '--papers', list)
      expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('cannot be read as a list of papers')])
    }

    writeFileSync(file, whole)
    writeFileSync(list, `${JSON.stringify(listed, null, 2)}\n`)
    writeFileSync(join(opened, 'papers', 'one more.txt'), 'Put among them.')
    expect(await holding('as-of', asOf)).toEqual([1, expect.stringContaining('papers/one more.txt is not among the papers')])
    rmSync(join(opened, 'papers', 'one more.txt'))
    rmSync(file)
    expect(await holding('as-of', asOf)).toEqual([1, expect.stringContaining(`${paper.file} cannot be read`)])
    writeFileSync(file, whole)

    // Those of 0.2.0 sign for no file: they verify as they did, and plain text is its own text.
    const own = await generateSigningKey()
    writeFileSync(keys, JSON.stringify({ keys: [own.publicJwk] }))
    const {
      papers_json_sha256: _list,
      jti: _moment,
      ...moment
    } = JSON.parse(Buffer.from(readFileSync(asOf, 'utf8').split('.')[1] ?? '', 'base64url').toString())
    writeFileSync(asOf, await signStatement(moment, own, 'concord-as-of+jws'))
    expect((await concord('verify', 'as-of', asOf, '--jwks', keys)).code).toBe(0)
    expect(await holding('as-of', asOf)).toEqual([1, expect.stringContaining('it signs for no papers.json')])
    const { jti: _id, ...said } = payloadOf(readFileSync(certificate, 'utf8'))
    const hashes = said.documents.hashes?.map(({ file_sha256: _file, ...each }) => each) ?? null
    const before = { ...said, documents: { ...said.documents, hashes, digest: digest(hashes) } }
    const jws = await signCertificate({ ...before, jti: `sha256:${digest(before)}` } as CertificatePayload, own)
    writeFileSync(certificate, jws)
    expect(await holding('certificate', certificate)).toEqual([0, expect.stringContaining('2 papers are to the byte what is signed for.')])
  })

  it('goes on with a bundle where the line broke, and begins anew when the case changed', async () => {
    const { tenantKey = '' } = readProfiles(at.env).profiles['default'] ?? {}
    const file = join(folder, 'broken.zip')
    const asked: (string | undefined)[] = []
    let meanwhile: () => Promise<unknown> = async () => undefined
    /** How many bytes of each answer come through; the rest of them whole. */
    let cuts: number[] = []
    const line = createServer(async (request, reply) => {
      asked.push(request.headers.range)
      const { range, 'if-range': ifRange } = request.headers
      const headers = { 'x-tenant-api-key': tenantKey, ...(range && { range }), ...(ifRange && { 'if-range': String(ifRange) }) }
      const answer = await fetch(`${at.service.url}${request.url}`, { headers })
      const body = Buffer.from(await answer.arrayBuffer())
      const cut = cuts.shift()
      reply.writeHead(answer.status, Object.fromEntries([...answer.headers].filter(([name]) => name !== 'transfer-encoding')))
      if (cut === undefined) return reply.end(body)
      await meanwhile()
      reply.write(body.subarray(0, cut))
      const bytes = Number(/\d+/.exec(range ?? '')?.[0] ?? 0) + cut
      const isWritten = (name: string) => name.startsWith('broken.zip.') && statSync(join(folder, name)).size === bytes
      while (!readdirSync(folder).some(isWritten) && !reply.destroyed) await wait(5)
      reply.destroy()
    }).listen(0, '127.0.0.1')
    await once(line, 'listening')
    const through = { ...at.env, CONCORD_URL: `http://127.0.0.1:${(line.address() as AddressInfo).port}`, CONCORD_TENANT_KEY: tenantKey }
    const bundle = () => runConcord(through, 'bundle', 'case', '-o', file, '--json')
    const keyed = { 'x-tenant-api-key': tenantKey }
    const whole = async () => Buffer.from(await (await fetch(`${at.service.url}/api/scopes/case/bundle`, { headers: keyed })).arrayBuffer())
    try {
      cuts = [1000, 500]
      const { json } = await bundle()
      const expected = await whole()
      expect(json.bytes).toBe(expected.length)
      expect(readFileSync(file).equals(expected)).toBe(true)
      expect(asked).toEqual([undefined, 'bytes=1000-', 'bytes=1500-'])
      const reported = { scope_id: 'case', severity: 'low', claim_a: 'Ten.', claim_b: 'Twelve.', source_a: 'a call', source_b: 'a mail' }
      meanwhile = async () => {
        const answer = await at.service.call('POST', '/api/contradictions', { headers: keyed, body: reported })
        expect(answer.status, answer.text).toBe(201)
      }
      cuts = [1000]
      await bundle()
      const changed = await whole()
      expect([changed.equals(expected), readFileSync(file).equals(changed)]).toEqual([false, true])
    } finally {
      line.close()
    }
  })

  it('shows a case as it was, writes it signed and to print, and verifies it without the service', async () => {
    const today = new Date().toISOString().slice(0, 10)
    const shown = await concord('as-of', 'case', '--at', today)
    expect([shown.code, shown.out]).toEqual([0, expect.stringMatching(/^case as it was on .*\n\nPapers: \d+\n/)])
    expect(shown.out).toMatch(/^ {2}01-annual-report\.md, revision 1, received /m)
    expect(shown.out).toContain('(01-annual-report.md)')
    const { items } = (await concord('as-of', 'case', '--at', today, '--list', 'statements', '--json')).json.statements
    const subjects = (items as { subject: string }[]).map(item => item.subject)
    const subject = subjects.find((each, index) => each && subjects.indexOf(each) !== index) ?? ''
    const about = ['--at', today, '--subject', subject, '--list', 'statements']
    const first = await concord('as-of', 'case', ...about, '--limit', '1')
    expect(first.out).toMatch(new RegExp(`More: --at \\S+ --subject '${subject}' --list statements --cursor \\S+\\n$`))
    expect((await concord('as-of', 'case', '--at', '2020-01-31', '--json')).json).toMatchObject({
      at: '2020-01-31T23:59:59.999Z',
      papers: { items: [] },
    })
    expect((await concord('as-of', 'case', '--at', '2020-01-31')).out).toMatch(/\nThe case was made on .*, after this moment\.\n$/)
    expect((await concord('as-of', 'case', '--at', '2999-01-31')).code).not.toBe(0)
    const [signed, page, keys] = ['as-of.jws', 'as-of.html', 'as-of-keys.json'].map(name => join(folder, name)) as [string, string, string]
    await concord('as-of', 'case', '--at', today, '-o', signed)
    await concord('as-of', 'case', '--at', today, '-o', page)
    expect(readFileSync(page, 'utf8')).toContain('<h2>Statements that counted: ')
    writeFileSync(keys, await (await fetch(`${at.service.url}/.well-known/jwks.json`)).text())
    const verified = await concord('verify', 'as-of', signed, '--jwks', keys, '--scope', 'case')
    expect([verified.code, verified.out]).toEqual([0, expect.stringContaining('The signature is right')])
    const other = await concord('verify', 'as-of', signed, '--jwks', keys, '--scope', 'other')
    expect([other.code, other.out]).toEqual([1, expect.stringContaining('is about case case, not other')])
    expect((await concord('verify', 'certificate', signed, '--jwks', keys)).out).toContain('but as concord-as-of+jws')
    const checkpoint = join(folder, 'checkpoint.jws')
    writeFileSync(checkpoint, (await concord('audit', 'checkpoint', '--json')).json.statement)
    const reached = await concord('verify', 'checkpoint', checkpoint, '--jwks', keys)
    expect([reached.code, reached.out]).toEqual([0, expect.stringMatching(/The signature is right[\s\S]*had \d+ entries/)])
    expect((await concord('verify', 'checkpoint', checkpoint, '--jwks', keys, '--issuer', 'x')).out).toContain('not by x')
    const printed = join(folder, 'kept.jsonl')
    writeFileSync(printed, (await concord('audit', 'checkpoint')).out)
    expect(await concord('verify', 'checkpoint', printed, '--jwks', keys)).toMatchObject({ code: 0 })
    writeFileSync(printed, (await concord('audit', 'checkpoint')).out.repeat(2))
    const several = await concord('verify', 'checkpoint', printed, '--jwks', keys)
    expect([several.code, several.err]).toEqual([2, expect.stringMatching(/holds 2 checkpoints[\s\S]*verify --checkpoint/)])
    expect((await concord('verify', 'checkpoint', 'none', '--jwks', keys)).err).toMatch(
      /not a checkpoint itself[\s\S]*audit checkpoint > <file>/,
    )
    for (const [what, file, from, to] of [
      ['as-of', signed, '01-annual-report.md', '99-annual-report.md'],
      ['checkpoint', checkpoint, '"length":', '"length":9'],
    ] as const) {
      const [head = '', body = '', signature = ''] = readFileSync(file, 'utf8').trim().split('.')
      const forged = Buffer.from(body, 'base64url').toString().replaceAll(from, to)
      expect(forged).not.toBe(Buffer.from(body, 'base64url').toString())
      writeFileSync(file, [head, Buffer.from(forged).toString('base64url'), signature].join('.'))
      const refused = await concord('verify', what, file, '--jwks', keys)
      expect([refused.code, refused.out]).toEqual([1, expect.stringContaining('the signature does not match')])
      // By somebody who has a key of their own, with the same words.
      const { jti: _, ...said } = JSON.parse(forged)
      const own = await generateSigningKey()
      writeFileSync(file, await signStatement(said, own, what === 'as-of' ? 'concord-as-of+jws' : 'concord-audit-checkpoint+jws'))
      expect((await concord('verify', what, file, '--jwks', keys)).out).toContain(`no key ${own.kid} among the public keys`)
      if (what === 'checkpoint') continue
      // And even with a key that is believed, the lists have to be the ones their digests are of.
      writeFileSync(keys, JSON.stringify({ keys: [own.publicJwk] }))
      expect((await concord('verify', what, file, '--jwks', keys)).out).toContain('is not the one its digest is of')
      writeFileSync(keys, await (await fetch(`${at.service.url}/.well-known/jwks.json`)).text())
    }
  })

  it('names what was erased without its words in what it shows of the past and writes to hand on', async () => {
    const before = new Date().toISOString()
    expect((await concord('documents', 'delete', 'case', '01-annual-report.md', '--yes')).code).toBe(0)
    const shown = await concord('as-of', 'case', '--at', before)
    expect(shown.out).toMatch(/^ {2}\(erased \d{4}-\d\d-\d\d\), revision 1, received /m)
    expect(shown.out).toMatch(/^ {2}\(erased\) \(file-/m)
    expect((await concord('documents', 'case')).out).toMatch(/^file-\w+ +1 +erased /m)
    const [{ document_id: id }] = (await concord('documents', 'case', '--json')).json.filter(
      (each: { erased_at: unknown }) => each.erased_at,
    )
    expect((await concord('documents', 'show', 'case', id)).out).toMatch(/^ {2}state +erased: /m)
    const page = join(folder, 'erased-report.html')
    await concord('report', 'case', '-o', page)
    expect(readFileSync(page, 'utf8')).toContain('<span class="badge ">erased</span>')
    const written = [shown.out]
    for (const [command, name, ...more] of [
      ['as-of', 'erased.jws', '--at', before],
      ['as-of', 'erased.html', '--at', before],
      ['schedule', 'erased.docx'],
      ['schedule', 'erased.xlsx'],
      ['bundle', 'erased.zip'],
    ] as const) {
      const file = join(folder, name)
      expect((await concord(command, 'case', '-o', file, ...more)).code, name).toBe(0)
      const content = readFileSync(file, 'utf8')
      written.push(name.endsWith('.jws') ? Buffer.from(content.split('.')[1] ?? '', 'base64url').toString() : content)
    }
    for (const [place, content] of written.entries()) {
      for (const words of ['41.2', '01-annual-report']) expect(content.includes(words), `${words} in ${place}`).toBe(false)
      expect(content, String(place)).toContain('33.9 million')
    }
  })
})
