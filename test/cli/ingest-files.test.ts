/** `concord ingest` of what people have: a folder of mixed files, long ones, and standard input. */

import { spawn } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type IngestRun, ingestFiles } from '../../src/cli/ingest-files.js'
import { startTestService, type TestService } from '../support/service.js'
import { runConcord } from './run-concord.js'

const folder = mkdtempSync(join(tmpdir(), 'concord-files-'))
const dossier = join(folder, 'dossier')
let service: TestService
let env: Record<string, string>

beforeAll(async () => {
  service = await startTestService()
  env = { XDG_CONFIG_HOME: join(folder, 'config'), USER: 'tester', CONCORD_URL: service.url, CONCORD_ADMIN_KEY: service.adminKey }
  expect((await runConcord(env, 'init', '--name', 'Files')).code).toBe(0)
})
afterAll(async () => {
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
})

interface Document {
  document_id: string
  name: string
  type: string
  status: string
  file: { bytes: number; notes: string[] } | null
}
const documents = async (scope: string) =>
  new Map(((await runConcord(env, 'documents', scope, '--json')).json as Document[]).map(each => [each.name, each]))

it('takes a folder of mixed files: short texts as text, the rest as the files they are', async () => {
  mkdirSync(join(dossier, 'papers'), { recursive: true })
  mkdirSync(join(dossier, '.hidden'))
  for (const name of ['lease.pdf', 'lease.docx', 'costs.xlsx', 'mail.eml'])
    copyFileSync(fileURLToPath(new URL(`../files/samples/${name}`, import.meta.url)), join(dossier, 'papers', name))
  writeFileSync(join(dossier, 'note.md'), '# Note\n\nThe rent is EUR 12,500 a month.\n')
  writeFileSync(join(dossier, 'old.txt'), Buffer.from('Die Größe ist 420 m².', 'latin1'))
  writeFileSync(join(dossier, 'long.txt'), 'The depot holds 40 trucks. '.repeat(5000))
  const sample = (name: string) => fileURLToPath(new URL(`../files/samples/${name}`, import.meta.url))
  copyFileSync(sample('lease.docx'), join(dossier, 'docx-named.txt'))
  copyFileSync(sample('lease.pdf'), join(dossier, 'without-an-ending'))
  writeFileSync(join(dossier, 'picture.gif'), Buffer.from('47494638396100', 'hex'))
  writeFileSync(join(dossier, 'cut-off.pdf'), readFileSync(sample('lease.pdf')).subarray(1200, 4000))
  writeFileSync(join(dossier, '.hidden', 'secret.txt'), 'Not handed in.')
  symlinkSync(join(dossier, 'nowhere.txt'), join(dossier, 'broken-link.txt'))

  const run = await runConcord(env, 'ingest', dossier, '--scope', 'mixed', '--wait', '--json')
  expect(run.code, run.err).toBe(1)
  expect(run.json).toMatchObject({ accepted: 9, known: 0, failed: 3, left: 0 })
  expect(run.json.failures.map(({ file, reason }: Record<string, string>) => [basename(file ?? ''), reason]).sort()).toEqual([
    ['broken-link.txt', 'It is a link to nothing.'],
    ['cut-off.pdf', expect.stringMatching(/^It is called a PDF file, but its content is not that of one: .* save it as PDF again/)],
    ['picture.gif', expect.stringMatching(/^Unsupported file type; supported: PDF/)],
  ])
  const found = await documents('mixed')
  const shown = (name: string) => [found.get(name)?.type, found.get(name)?.status, found.get(name)?.file !== null]
  expect(shown('note.md')).toEqual(['md', 'indexed', false])
  expect(shown('old.txt')).toEqual(['txt', 'indexed', true])
  expect(found.get('old.txt')?.file?.notes).toEqual([expect.stringContaining('Windows-1252')])
  expect(shown('long.txt')).toEqual(['txt', 'indexed', true])
  expect(found.get('long.txt')?.file?.bytes).toBe(135_000)
  for (const type of ['pdf', 'docx']) expect(shown(`papers/lease.${type}`)).toEqual([type, 'indexed', true])
  expect(shown('papers/costs.xlsx')).toEqual(['xlsx', 'indexed', true])
  expect(shown('papers/mail.eml')).toEqual(['eml', 'indexed', true])

  expect(shown('docx-named.txt')).toEqual(['docx', 'indexed', true])
  expect(shown('without-an-ending')).toEqual(['pdf', 'indexed', true])

  const again = await runConcord(env, 'ingest', dossier, '--scope', 'mixed', '--json')
  expect(again.json).toMatchObject({ accepted: 0, known: 9, failed: 3 })
  for (const name of ['broken-link.txt', 'cut-off.pdf', 'picture.gif']) rmSync(join(dossier, name))
  expect(await runConcord(env, 'ingest', dossier, '--scope', 'mixed')).toMatchObject({ code: 0 })
})

it('says which documents were quarantined', async () => {
  const broken = join(folder, 'broken.pdf')
  writeFileSync(broken, '%PDF-1.7\nnothing of a PDF follows')
  const { code, out } = await runConcord(env, 'ingest', broken, '--scope', 'unread', '--wait')
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(/1 could not be read;[\s\S]*1 could not be read, so nothing is compared with it:[\s\S]*broken\.pdf/),
  ])
  expect(out).toContain('concord quarantine list --scope unread')
  const { json } = await runConcord(env, 'ingest', broken, '--scope', 'unread', '--wait', '--json')
  expect(json).toMatchObject({ processed: { quarantined: 1 }, quarantined: [{ name: 'broken.pdf', error_class: 'BROKEN' }] })
  const admin = { ...env, CONCORD_ADMIN_KEY: service.adminKey }
  expect((await runConcord(admin, 'quarantine', 'retry', 'broken.pdf', '--scope', 'unread')).out).toContain('1 documents are in the queue')
})

it('hands in again what went back to an earlier content, or was taken out unread', async () => {
  const [text, long] = [join(folder, 'turns.txt'), join(folder, 'turns-long.txt')]
  const ingest = async () => (await runConcord(env, 'ingest', text, long, '--scope', 'turns', '--json')).json
  const write = (rent: string) => {
    writeFileSync(text, `The rent is EUR ${rent} a month.`)
    // Too long to be handed in as a text, and quickly read.
    writeFileSync(long, `The rent is EUR ${rent} a month.\n${'-'.repeat(100_000)}`)
  }
  for (const rent of ['4,000', '5,000', '4,000']) {
    write(rent)
    expect(await ingest()).toMatchObject({ accepted: 2, known: 0, failed: 0 })
  }
  expect(await ingest()).toMatchObject({ accepted: 0, known: 2, failed: 0 })
  await runConcord(env, 'ingest', text, long, '--scope', 'turns', '--wait')
  await service.database.owner.query(
    `update documents set status = 'rejected', reason = 'Cancelled by ann: No.'
     where current and scope_no = (select scope_no from scopes where scope_id = 'turns')`,
  )
  expect(await ingest()).toMatchObject({ accepted: 2, known: 0, failed: 0 })
})

it('says of an erased file that it is not taken again, and takes it under another name', async () => {
  const [path, renamed] = [join(folder, 'secret.txt'), join(folder, 'secret-again.txt')]
  for (const each of [path, renamed]) writeFileSync(each, 'The rent is EUR 4,000 a month.')
  await runConcord(env, 'ingest', path, '--scope', 'erasing', '--wait')
  const id = (await documents('erasing')).get('secret.txt')?.document_id ?? ''
  const erased = await runConcord(env, 'documents', 'delete', 'erasing', id, '--yes')
  expect(erased.code, erased.err).toBe(0)
  const again = await runConcord(env, 'ingest', path, '--scope', 'erasing', '--json')
  expect([again.code, again.json]).toMatchObject([1, { accepted: 0, known: 0, failed: 1 }])
  expect(again.json.failures[0].reason).toMatch(/It was erased on .* another name/)
  expect((await runConcord(env, 'ingest', renamed, '--scope', 'erasing', '--json')).json).toMatchObject({ accepted: 1, failed: 0 })
})

it('takes standard input under the name it is given, or as what it says', async () => {
  const input = (stdin: string | Buffer, ...args: string[]) => {
    const program = fileURLToPath(new URL('../../bin/concord.mjs', import.meta.url))
    const child = spawn(process.execPath, [program, 'ingest', '-', '--scope', 'stdin', '--json', ...args], {
      env: { PATH: process.env['PATH'], ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    child.stdin.end(stdin)
    return text(child.stdout).then(out => JSON.parse(out))
  }
  const pdf = fileURLToPath(new URL('../files/samples/lease.pdf', import.meta.url))
  expect(await input(readFileSync(pdf), '--name', 'lease.pdf')).toMatchObject({ accepted: 1, failed: 0 })
  expect(await input('The rent is EUR 4,000 a month.', '--type', 'md', '--wait')).toMatchObject({ accepted: 1 })
  expect(await input('', '--name', 'empty.txt')).toMatchObject({ accepted: 0, failures: [{ reason: expect.stringContaining('empty') }] })
  expect(await input('The rent is EUR 5,000 a month.')).toMatchObject({ accepted: 1 })
  expect(await input('The rent is EUR 5,000 a month.')).toMatchObject({ accepted: 0, known: 1 })
  const found = await documents('stdin')
  expect([...found].map(([name, { type }]) => [name, type]).sort()).toEqual([
    ['lease.pdf', 'pdf'],
    [expect.stringMatching(/^stdin-[0-9a-f]{8}$/), 'md'],
    [expect.stringMatching(/^stdin-[0-9a-f]{8}$/), 'txt'],
  ])
})

it('hands texts in together, in their order, and alone what was refused', async () => {
  const paths = Array.from({ length: 130 }, (_, n) => join(folder, `t-${String(n).padStart(3, '0')}.txt`))
  for (const [n, path] of paths.entries()) writeFileSync(path, n === 60 ? Buffer.from('Die Größe ist 420 m².', 'latin1') : path)
  const requests: string[][] = []
  const accepted = (document_id: string | undefined) => ({ document_id: document_id ?? null, seq: 0, replayed: false }) as never
  const client: IngestRun['client'] = {
    document: () => Promise.reject(new Error('nothing was replayed')),
    ingest: async document => {
      requests.push([document.name])
      return accepted(document.document_id)
    },
    ingestFile: async (_file, { name, document_id }) => {
      requests.push([name ?? ''])
      return accepted(document_id)
    },
    ingestBatch: async documents => {
      requests.push(documents.map(({ name }) => name))
      const items = documents.map(({ name, document_id }) =>
        name.includes('007') ? { status: 429, code: 'RATE_LIMITED' } : { document_id, queued: true, seq: 0, replayed: false },
      )
      return { accepted: 0, refused: 0, items } as never
    },
  }
  const files = paths.map(path => ({ path, name: path.slice(folder.length + 1) }))
  const run = { client, scopeId: 'many', source: undefined, concurrency: 1, signal: new AbortController().signal, onFile: () => undefined }
  const { done, failed, left } = await ingestFiles(files, run)
  expect([done.length, failed, left]).toEqual([130, [], 0])
  expect(requests.map(names => names.length)).toEqual([50, 1, 10, 1, 50, 19])
  expect(requests[1]).toEqual(['t-007.txt'])
  requests.splice(1, 1)
  expect(requests.flat()).toEqual(files.map(({ name }) => name))
  requests.length = 0
  await ingestFiles(files, { ...run, concurrency: 8 })
  expect(Math.max(...requests.map(names => names.length))).toBe(17)
})

it('says what the files are about, as text and as file, also when only that changes', async () => {
  const [text, long] = [join(folder, 'about.txt'), join(folder, 'about-long.txt')]
  writeFileSync(text, 'Number of cartons: 420')
  writeFileSync(long, `Number of cartons: 420\n${'-'.repeat(100_000)}`)
  for (const about of ['Lieferung 7, Zürich', 'Delivery 8', 'Lieferung 7, Zürich']) {
    const run = await runConcord(env, 'ingest', text, long, '--scope', 'about', '--about', about, '--json')
    expect(run.json).toMatchObject({ accepted: 2, known: 0, failed: 0 })
    const shown = (await runConcord(env, 'documents', 'about', '--json')).json as { about: string | null }[]
    expect(shown.map(each => each.about)).toEqual([about, about])
  }
})
