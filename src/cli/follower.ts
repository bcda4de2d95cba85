/** Looks at a folder again and again: sends what is finished, remembers it, and says what came of each file. */

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { lstat, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from '../client/client.js'
import { NotTakenError } from '../client/hand-in.js'
import { ConnectionError, type ProblemCode, ProblemError } from '../client/problem-error.js'
import { explainFailure } from './explain-failure.js'
import { discoverFiles, type FoundFile } from './file-discovery.js'
import { isSame, type Known, lookAt, markGone, type Stamp, stepFor, type Watched } from './follow-plan.js'
import type { FollowState } from './follow-state.js'
import { ingestFiles } from './ingest-files.js'

export interface FollowFlags {
  scope?: string
  scopeFromFolder?: boolean
  create?: boolean
  settle: number
  concurrency: number
  type?: string
  source?: string
  /** False: no model is asked about what is handed in. */
  model?: boolean
  /** What they are about. */
  about?: string
  patience: number
}

/** What is said about a file, as a line for a person or a value for a program. */
export interface Said {
  event: 'following' | 'taken' | 'not_taken' | 'renamed' | 'gone' | 'waiting' | 'quarantined' | 'ended'
  file?: string
  scope_id?: string
  document_id?: string | null
  known?: boolean
  from?: string
  reason?: string
  /** How many files lie there that were not taken. */
  not_taken?: number
}

export interface FollowerOptions {
  folder: string
  flags: FollowFlags
  client: Client
  state: FollowState
  say(said: Said): void
  signal: AbortSignal
}

/** What was refused for a reason that may pass is tried again after this time. */
const tryAgainMs = 60_000
const scopeIds = /^[a-z0-9][a-z0-9-]{0,119}$/

interface SeenFile extends FoundFile {
  stamp: Stamp
}

interface Finished {
  path: string
  scopeId: string
  name: string
  hash: string
  stamp: Stamp
}

export class Follower {
  private readonly known: Map<string, Known>
  private watched: Watched
  private seen = new Map<string, SeenFile>()
  private nowMs = 0
  private readonly later = new Map<string, number>()
  /** Asked once a look: somebody may make the case meanwhile. */
  private readonly cases = new Map<string, Promise<boolean | 'not known'>>()
  private readonly lastWords = new Map<string, string>()
  private readonly options: FollowerOptions

  constructor(options: FollowerOptions) {
    this.options = options
    this.known = options.state.read()
    this.watched = { known: this.known, growing: new Map(), missing: new Map() }
    // What could not be taken is said at every start, for as long as it lies there.
    for (const [file, { refusal, isGone }] of this.known)
      if (refusal !== null && !isGone) this.say({ event: 'not_taken', file, reason: refusal })
  }

  async look(nowMs: number): Promise<void> {
    this.nowMs = nowMs
    const seen = await this.see()
    // A folder that cannot be read says nothing about its files.
    if (seen === undefined) return
    this.seen = seen
    const stamps = new Map([...seen].map(([path, { stamp }]) => [path, stamp]))
    const { finished, gone, growing, missing } = lookAt(this.watched, stamps, { nowMs, settleMs: this.options.flags.settle * 1000 })
    this.watched = { known: this.known, growing, missing }
    this.cases.clear()
    await this.take(finished.filter(path => (this.later.get(path) ?? 0) <= nowMs)).catch(error => this.unlessAway(error))
    const unread = [...seen].flatMap(([path, { isFolder }]) => (isFolder ? [`${path}/`] : []))
    for (const path of gone) if (!unread.some(folder => path.startsWith(folder))) this.markGone(path)
    if (finished.length + gone.length > 0) this.options.state.write(this.known)
  }

  /** Files that were seen and are no documents as they are: refused, unfinished, or not sent yet. */
  notTaken(): string[] {
    return [...this.seen].flatMap(([path, { stamp }]) => {
      const known = this.known.get(path)
      return known !== undefined && known.refusal === null && isSame(known, stamp) ? [] : [path]
    })
  }

  /** Says which of its documents could not be read by now. */
  async sayQuarantined(): Promise<void> {
    const files = new Map([...this.known].map(([path, { scopeId, documentId }]) => [`${scopeId} ${documentId}`, path]))
    for (const scopeId of new Set([...this.known.values()].flatMap(each => (each.documentId === null ? [] : [each.scopeId])))) {
      try {
        for await (const { document_id: id, reason } of this.options.client.documents(scopeId, { status: 'quarantined' })) {
          const file = files.get(`${scopeId} ${id}`)
          if (file !== undefined) this.say({ event: 'quarantined', file, scope_id: scopeId, document_id: id, reason: reason ?? '' })
        }
      } catch (error) {
        if (!isProblem(error, 'RIGHTS_INSUFFICIENT')) throw error
        this.say({ event: 'waiting', reason: `What of ${scopeId} could not be read is not known, since this key may not read.` })
      }
    }
  }

  private async see(): Promise<Map<string, SeenFile> | undefined> {
    const { folder, flags } = this.options
    try {
      const found = await discoverFiles([folder], { type: flags.type, stdinName: undefined })
      const files = await Promise.all(found.map(async file => ({ ...file, stamp: await stampOf(file.path) })))
      return new Map(files.flatMap(file => (file.stamp === null ? [] : [[file.name, { ...file, stamp: file.stamp }] as const])))
    } catch (error) {
      this.say({ event: 'waiting', reason: explainFailure(error).line })
      return undefined
    }
  }

  private async take(paths: readonly string[]): Promise<void> {
    const byCase = new Map<string, Finished[]>()
    const named = new Set<string>()
    for (const path of paths) {
      if (this.options.signal.aborted) return
      this.later.delete(path)
      const file = await this.consider(path, this.seen.get(path) as SeenFile)
      const name = `${file?.scopeId}/${file?.name}`
      // Two of one name would be one document: the next look finds it taken and gives the second another.
      if (file === undefined || named.has(name)) continue
      named.add(name)
      byCase.set(file.scopeId, [...(byCase.get(file.scopeId) ?? []), file])
    }
    for (const [scopeId, files] of byCase) await this.send(scopeId, files)
  }

  /** What is to be sent of a finished file; undefined for nothing. */
  private async consider(path: string, file: SeenFile): Promise<Finished | undefined> {
    if (file.refusal !== undefined) return this.refuse(path, file, { reason: file.refusal, isFinal: true })
    const place = await this.placeOf(path)
    if ('reason' in place) return this.refuse(path, file, place)
    const hash = await hashOf(file.path).catch((error: NodeJS.ErrnoException) => error)
    if (hash instanceof Error) {
      // It has gone meanwhile, which the next look says.
      if (hash.code === 'ENOENT') return undefined
      return this.refuse(path, file, { reason: `It cannot be read (${hash.code}).`, isFinal: false })
    }
    const after = await stampOf(file.path)
    // Changed while it was read: it is not finished after all.
    if (after === null || after.bytes !== file.stamp.bytes || after.changedMs !== file.stamp.changedMs) return undefined
    const finished = { path, hash, stamp: file.stamp, ...place }
    const step = stepFor(finished, this.known, new Set(this.seen.keys()))
    if (step.do === 'send') return { ...finished, name: step.name }
    const from = step.do === 'rename' ? step.from : path
    const before = this.known.get(from) as Known
    this.known.delete(from)
    this.known.set(path, { ...before, ...file.stamp, isGone: false })
    if (step.do === 'rename') this.say({ event: 'renamed', file: path, from, scope_id: before.scopeId, document_id: before.documentId })
    return undefined
  }

  /** Which case a file belongs to and what it is called there. */
  private async placeOf(path: string): Promise<{ scopeId: string; name: string } | { reason: string; isFinal: boolean }> {
    const { scope, scopeFromFolder, create } = this.options.flags
    const [first = '', ...rest] = path.split('/')
    const isInFolder = scopeFromFolder === true && rest.length > 0
    const scopeId = isInFolder ? first : scope
    if (scopeId === undefined) return { reason: 'It lies in no sub-folder, and sub-folders are the cases.', isFinal: true }
    if (!scopeIds.test(scopeId)) return { reason: `${scopeId} is no id of a case: small letters, digits and dashes.`, isFinal: true }
    const isCase = create || (await this.isCase(scopeId))
    if (!isCase) return { reason: `There is no case ${scopeId}: make it, or add --create.`, isFinal: false }
    // Handing in could make a case of a folder that is named by mistake.
    if (isCase === 'not known')
      return { reason: `Whether there is a case ${scopeId} is not known, since this key may not read: add --create.`, isFinal: false }
    return { scopeId, name: isInFolder ? rest.join('/') : path }
  }

  private isCase(scopeId: string): Promise<boolean | 'not known'> {
    const asked =
      this.cases.get(scopeId) ??
      this.options.client.summary(scopeId, { signal: this.options.signal }).then(
        () => true,
        (error: unknown) => {
          if (isProblem(error, 'SCOPE_NOT_FOUND')) return false
          // A key may hand in and not read.
          if (isProblem(error, 'RIGHTS_INSUFFICIENT')) return 'not known'
          throw error
        },
      )
    this.cases.set(scopeId, asked)
    return asked
  }

  /** A case that is missing is made, where that is asked for and the service does not make it itself. */
  private async send(scopeId: string, files: readonly Finished[], makesCase = this.options.flags.create === true): Promise<void> {
    const { folder, flags, client, signal } = this.options
    const byName = new Map(files.map(file => [file.name, file]))
    const found = files.map(({ path, name }): FoundFile => ({ path: join(folder, path), name, type: flags.type }))
    const { source, about, concurrency } = flags
    const model = flags.model === false ? 'off' : undefined
    const { done, failed } = await ingestFiles(found, {
      client,
      scopeId,
      source,
      about,
      model,
      concurrency,
      signal,
      onFile: () => undefined,
    })
    for (const { file, documentId, known } of done) {
      const sent = byName.get(file.name) as Finished
      this.remember(sent, { documentId, refusal: null })
      this.say({ event: 'taken', file: sent.path, scope_id: scopeId, document_id: documentId, known })
    }
    const caseless: Finished[] = []
    for (const { file, error } of failed) {
      const sent = byName.get(file.name) as Finished
      if (makesCase && isProblem(error, 'SCOPE_NOT_FOUND')) caseless.push(sent)
      else this.refuseSent(sent, error)
    }
    if (caseless.length > 0) await this.sendToNewCase(scopeId, caseless)
  }

  private async sendToNewCase(scopeId: string, files: readonly Finished[]): Promise<void> {
    const { client, signal } = this.options
    try {
      await client.createScope({ scope_id: scopeId }, { signal })
    } catch (error) {
      // Somebody else made it just now.
      if (!isProblem(error, 'SCOPE_EXISTS')) {
        for (const file of files) this.refuseSent(file, error)
        return
      }
    }
    await this.send(scopeId, files, false)
  }

  private refuseSent(sent: Finished, error: unknown): void {
    const reason = explainFailure(error).line
    if (this.options.signal.aborted || (error as NodeJS.ErrnoException).code === 'ENOENT') return
    if (error instanceof ConnectionError) {
      this.say({ event: 'waiting', reason })
      return
    }
    if (isFinal(error)) this.remember(sent, { documentId: this.known.get(sent.path)?.documentId ?? null, refusal: reason })
    else this.later.set(sent.path, this.nowMs + tryAgainMs)
    this.say({ event: 'not_taken', file: sent.path, scope_id: sent.scopeId, reason })
  }

  private refuse(path: string, { stamp }: SeenFile, { reason, isFinal: isForGood }: { reason: string; isFinal: boolean }): undefined {
    if (isForGood) this.remember({ path, scopeId: '', name: path, hash: '', stamp }, { documentId: null, refusal: reason })
    else this.later.set(path, this.nowMs + tryAgainMs)
    this.say({ event: 'not_taken', file: path, reason })
  }

  private remember({ path, scopeId, name, hash, stamp }: Finished, outcome: Pick<Known, 'documentId' | 'refusal'>): void {
    this.known.set(path, { ...stamp, scopeId, name, hash, isGone: false, ...outcome })
  }

  private markGone(path: string): void {
    const file = this.known.get(path)
    if (file === undefined) return
    markGone(this.known, path)
    if (file.documentId !== null) this.say({ event: 'gone', file: path, scope_id: file.scopeId, document_id: file.documentId })
  }

  /** A service that is away comes back; the files wait. */
  private unlessAway(error: unknown): void {
    if (this.options.signal.aborted) return
    if (!(error instanceof ConnectionError) && !(error instanceof ProblemError && error.status >= 500)) throw error
    this.say({ event: 'waiting', reason: explainFailure(error).line })
  }

  /** What is tried again is said once, until something else is said about the file, or about the service. */
  private say(said: Said): void {
    const about = said.event === 'waiting' ? '' : (said.file ?? '')
    const words = JSON.stringify(said)
    const mayRepeat = said.event === 'waiting' || said.event === 'not_taken'
    const isRepeated = mayRepeat && this.lastWords.get(about) === words
    if (mayRepeat) this.lastWords.set(about, words)
    else this.lastWords.delete(about)
    if (said.event === 'taken') this.lastWords.delete('')
    if (!isRepeated) this.options.say(said)
  }
}

function isProblem(error: unknown, code: ProblemCode): boolean {
  return error instanceof ProblemError && error.code === code
}

/** What the same content would be refused for again. */
function isFinal(error: unknown): boolean {
  return error instanceof NotTakenError || (error instanceof ProblemError && [400, 413, 415, 422].includes(error.status))
}

/** Null when it has gone meanwhile; a link to nothing has none of its own, and what cannot be looked at an empty one. */
async function stampOf(path: string): Promise<Stamp | null> {
  const about = await stat(path).catch(() => lstat(path).catch((error: NodeJS.ErrnoException) => error))
  if (!(about instanceof Error)) return { bytes: about.size, changedMs: about.mtimeMs }
  return about.code === 'ENOENT' ? null : { bytes: 0, changedMs: 0 }
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of createReadStream(path)) hash.update(piece as Buffer)
  return hash.digest('hex')
}
