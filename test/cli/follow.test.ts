/** `concord ingest DIR --follow`: a folder that fills, with time moved by hand, and the command as a process. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs, { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { follow } from '../../src/cli/follow.js'
import { followState } from '../../src/cli/follow-state.js'
import { Follower, type FollowFlags, type Said } from '../../src/cli/follower.js'
import { readProfiles } from '../../src/cli/profiles.js'
import type { Shell } from '../../src/cli/shell.js'
import { createClient } from '../../src/client/index.js'
import { ProblemError } from '../../src/client/problem-error.js'
import { startTestService, type TestService } from '../support/service.js'
import { runConcord } from './run-concord.js'

const home = mkdtempSync(join(tmpdir(), 'concord-follow-'))
let service: TestService
let env: Record<string, string>
let inbox: string

beforeAll(async () => {
  // Nothing but --create makes a case here.
  service = await startTestService({ RETRY_MAX_ATTEMPTS: '1', SCOPE_AUTOCREATE: 'false' })
  env = {
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_STATE_HOME: join(home, 'state'),
    CONCORD_URL: service.url,
    CONCORD_ADMIN_KEY: service.adminKey,
  }
  expect((await runConcord(env, 'init', '--name', 'Inbox')).code).toBe(0)
})
beforeEach(() => {
  inbox = mkdtempSync(join(home, 'inbox-'))
})
afterAll(async () => {
  await service.stop()
  rmSync(home, { recursive: true, force: true })
})

const clientOf = () => createClient({ ...readProfiles(env).profiles['default'], url: service.url })

/** Each `settled` is two looks, far enough apart for what did not change between them to be finished. */
function follower(flags: Partial<FollowFlags>, client = clientOf()) {
  const said: Said[] = []
  const state = followState(env, [inbox])
  const signal = new AbortController().signal
  const all = { settle: 2, concurrency: 4, patience: 30, ...flags }
  const following = new Follower({ folder: inbox, flags: all, client, state, say: each => said.push(each), signal })
  let nowMs = 0
  const look = (laterMs: number) => {
    nowMs += laterMs
    return following.look(nowMs)
  }
  return {
    look,
    settled: async () => {
      await look(5000)
      await look(5000)
      return said.splice(0).map(({ event, file, from }) => [event, from ?? file])
    },
    said,
  }
}

/** What of the inbox cannot be read, and why, until it can be again: whoever runs the tests may read everything. */
function unreadable(faults: Record<string, string>): () => void {
  const faultOf = (path: unknown) => {
    const code = faults[relative(inbox, String(path))]
    return code === undefined ? undefined : Object.assign(new Error(code), { code })
  }
  const { createReadStream } = fs
  const { readdir } = fs.promises
  const spies = [
    vi.spyOn(fs, 'createReadStream').mockImplementation((path, options) => {
      const fault = faultOf(path)
      return fault === undefined ? createReadStream(path, options) : createReadStream(path, options).destroy(fault)
    }),
    vi.spyOn(fs.promises, 'readdir').mockImplementation(async (...args: Parameters<typeof readdir>) => {
      const fault = faultOf(args[0])
      if (fault !== undefined) throw fault
      return readdir(...args)
    }),
  ]
  syncBuiltinESMExports()
  return () => {
    for (const spy of spies) spy.mockRestore()
    syncBuiltinESMExports()
  }
}

const write = (name: string, content: string | Buffer) => writeFileSync(join(inbox, name), content)
const documents = async (scope: string) =>
  (await clientOf().documents(scope).toArray()).map(({ name, revision }) => [name, revision]).sort()

it('takes finished files as they come, revisions of changed ones, and nothing of those that go or get another name', async () => {
  const { look, settled, said } = follower({ scope: 'inbox', create: true })
  write('a.txt', 'The rent is EUR 4,000')
  await look(0)
  appendFileSync(join(inbox, 'a.txt'), ' a month.')
  await look(3000)
  expect(said).toEqual([])
  write('picture.gif', Buffer.from('47494638396100', 'hex'))
  expect(await settled()).toEqual([
    ['taken', 'a.txt'],
    ['not_taken', 'picture.gif'],
  ])
  expect(await settled()).toEqual([])

  utimesSync(join(inbox, 'a.txt'), 1, 1)
  expect(await settled()).toEqual([])
  write('a.txt', 'The rent is EUR 5,000 a month.')
  expect(await settled()).toEqual([['taken', 'a.txt']])
  renameSync(join(inbox, 'a.txt'), join(inbox, 'b.txt'))
  expect(await settled()).toEqual([['renamed', 'a.txt']])
  write('b.txt', 'The rent is EUR 6,000 a month.')
  expect(await settled()).toEqual([['taken', 'b.txt']])
  rmSync(join(inbox, 'b.txt'))
  expect(await settled()).toEqual([['gone', 'b.txt']])
  expect(await documents('inbox')).toEqual([['a.txt', 3]])
})

it('sends nothing twice after a restart, also where what it remembers was lost', async () => {
  write('a.txt', 'The rent is EUR 4,000 a month.')
  write('picture.gif', Buffer.from('47494638396100', 'hex'))
  expect(await follower({ scope: 'again', create: true }).settled()).toHaveLength(2)
  write('b.txt', 'The deposit is EUR 9,000.')
  expect(await follower({ scope: 'again' }).settled()).toEqual([
    ['not_taken', 'picture.gif'],
    ['taken', 'b.txt'],
  ])
  rmSync(join(home, 'state'), { recursive: true })
  const { settled, said } = follower({ scope: 'again' })
  await settled()
  expect(said).toEqual([])
  expect(await documents('again')).toEqual([
    ['a.txt', 1],
    ['b.txt', 1],
  ])
})

it('makes a case of a sub-folder only when it is told to, and a new one only with --create', async () => {
  mkdirSync(join(inbox, 'case-7', 'papers'), { recursive: true })
  write('case-7/papers/a.txt', 'The rent is EUR 4,000 a month.')
  write('top.txt', 'The rent is EUR 5,000 a month.')
  expect(await follower({ scope: 'nowhere' }).settled()).toEqual([
    ['not_taken', 'case-7/papers/a.txt'],
    ['not_taken', 'top.txt'],
  ])
  await expect(clientOf().summary('nowhere')).rejects.toMatchObject({ code: 'SCOPE_NOT_FOUND' })
  rmSync(join(home, 'state'), { recursive: true, force: true })
  const waiting = follower({ scopeFromFolder: true })
  expect((await waiting.settled()).map(([event]) => event)).toEqual(['not_taken', 'not_taken'])
  await clientOf().createScope({ scope_id: 'case-7' })
  await waiting.look(60_000)
  expect(waiting.said).toMatchObject([{ event: 'taken', file: 'case-7/papers/a.txt', scope_id: 'case-7' }])
  expect(await documents('case-7')).toEqual([['papers/a.txt', 1]])
})

it('goes on where the key may hand in and not read: files wait for --create, which is said', async () => {
  const blind = clientOf()
  const refused = () => Promise.reject(new ProblemError({ code: 'RIGHTS_INSUFFICIENT', status: 403, detail: 'It needs read.', errors: [] }))
  const client = { ...blind, summary: refused, document: refused }
  write('a.txt', 'The rent is EUR 4,000 a month.')
  const once = follower({ scope: 'unseen' }, client)
  await once.look(5000)
  await once.look(5000)
  expect(once.said).toMatchObject([
    { event: 'not_taken', file: 'a.txt', reason: expect.stringContaining('this key may not read: add --create') },
  ])
  expect(await follower({ scope: 'unseen', create: true }, client).settled()).toEqual([['taken', 'a.txt']])
})

it('waits while the folder cannot be read, and takes none of its files for gone', async () => {
  write('a.txt', 'The rent is EUR 4,000 a month.')
  const { settled } = follower({ scope: 'away', create: true })
  await settled()
  renameSync(inbox, `${inbox}-away`)
  expect(await settled()).toEqual([['waiting', undefined]])
  renameSync(`${inbox}-away`, inbox)
  expect(await settled()).toEqual([])
})

it('takes the others when a file or a folder cannot be read, and those once they can be', async () => {
  for (const folder of ['locked', 'open']) mkdirSync(join(inbox, folder))
  write('locked/a.txt', 'The rent is EUR 4,000 a month.')
  const { settled, look, said } = follower({ scope: 'locked', create: true })
  expect(await settled()).toEqual([['taken', 'locked/a.txt']])
  write('locked/b.txt', 'The deposit is EUR 9,000.')
  for (const name of ['c', 'd', 'e']) write(`open/${name}.txt`, `Paragraph ${name} is void.`)
  const faults: Record<string, string> = { locked: 'EACCES', 'open/c.txt': 'EBUSY', 'open/d.txt': 'ENOENT' }
  onTestFinished(unreadable(faults))
  expect(await settled()).toEqual([
    ['not_taken', 'locked'],
    ['not_taken', 'open/c.txt'],
    ['taken', 'open/e.txt'],
  ])
  expect(await settled()).toEqual([])
  const once = await runConcord(env, 'ingest', inbox, '--scope', 'locked', '--json')
  expect([once.code, once.json.failures]).toEqual([1, [{ file: join(inbox, 'locked'), reason: 'The folder cannot be read (EACCES).' }]])
  expect((await runConcord(env, 'ingest', inbox, '--scope', 'locked', '--estimate', '--json')).json).toMatchObject({ files: 3 })
  faults[''] = 'EACCES'
  expect(await runConcord(env, 'ingest', inbox, '--scope', 'locked')).toMatchObject({
    code: 2,
    err: expect.stringContaining('cannot be read (EACCES): name'),
  })
  for (const path of Object.keys(faults)) delete faults[path]
  await settled()
  await look(60_000)
  expect(said.map(({ event, file }) => [event, file])).toEqual([['taken', 'open/c.txt']])
  expect((await documents('locked')).map(([name]) => name)).toEqual(
    ['a', 'b', 'c', 'd', 'e'].map((name, at) => `${at < 2 ? 'locked' : 'open'}/${name}.txt`),
  )
})

it('ends other than 0 when a file was not taken, hidden ones aside, and names what could not be read', async () => {
  write('scan.pdf', '%PDF-1.4\nnothing of a file')
  write('film.mp4', '\0\0\0\x18ftypmp42\0\0\0\0')
  write('.hidden.mp4', 'Not looked at.')
  const lines: Said[] = []
  const out = { json: true, line: (text: string) => lines.push(JSON.parse(text)) }
  const shell = { out, env, settings: { url: service.url }, client: clientOf } as unknown as Shell
  const ended = follow(shell, [inbox], { settle: 0.1, concurrency: 1, patience: 30, scope: 'unread', create: true })
  await expect.poll(() => lines.filter(each => each.event === 'taken' || each.event === 'not_taken').length).toBe(2)
  const { document_id: id } = lines.find(each => each.event === 'taken') as Said
  expect(await clientOf().document('unread', id as string, { wait: 30 })).toMatchObject({ status: 'quarantined' })
  process.emit('SIGINT')
  expect(await ended).toBe(1)
  expect(lines.slice(-2)).toMatchObject([
    { event: 'quarantined', file: 'scan.pdf', scope_id: 'unread', document_id: id },
    { event: 'ended', not_taken: 1 },
  ])
})

it('runs until it is ended, and says each file as a line', async () => {
  const program = fileURLToPath(new URL('../../bin/concord.mjs', import.meta.url))
  const args = ['ingest', inbox, '--follow', '--settle', '0.2', '--scope', 'process', '--create', '--json']
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  write('a.txt', 'The rent is EUR 4,000 a month.')
  const said: Said[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    said.push(JSON.parse(line))
    if (said.at(-1)?.event === 'taken') child.kill('SIGTERM')
  }
  expect(said).toMatchObject([{ event: 'following' }, { event: 'taken' }, { event: 'ended', not_taken: 0 }])
  expect(await exited).toEqual([0, null])
})

it('says what it needs', async () => {
  for (const [args, complaint] of [
    [['--follow'], /add --scope <case>, or --scope-from-folder/],
    [['--scope', 'x', '--create'], /belong to --follow/],
    [['--scope', 'x', '--settle', '5'], /belong to --follow/],
    [['--follow', '--scope', 'x', '--create', '--estimate'], /do not go with --follow/],
    [['--follow', '--scope', 'x', '--create', '--wait'], /do not go with --follow/],
    [['--follow', '--scope', 'x', '--create', '--name', 'a'], /do not go with --follow/],
    [[], /a case is needed/],
  ] as const) {
    const { code, err } = await runConcord(env, 'ingest', inbox, ...args)
    expect([code, err]).toEqual([2, expect.stringMatching(complaint)])
  }
})

it('takes two files of one name in one case for two documents', async () => {
  mkdirSync(join(inbox, 'both'))
  writeFileSync(join(inbox, 'a.txt'), 'The depot holds 40 trucks.')
  writeFileSync(join(inbox, 'both', 'a.txt'), 'The quay is 300 m long.')
  await clientOf().createScope({ scope_id: 'both' })
  const { settled } = follower({ scope: 'both', scopeFromFolder: true })
  await settled()
  await settled()
  const documents = await clientOf().documents('both').toArray()
  expect(documents.map(({ name, revision }) => [name, revision]).sort()).toEqual([
    ['a.txt (2)', 1],
    ['a.txt', 1],
  ])
})
