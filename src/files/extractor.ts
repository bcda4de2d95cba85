/**
 * Reads files in a child process, one at a time: callers take turns. What it may reach: `walls.ts`. A file that takes too long or too much memory costs the
 * process and nothing else: limits of a thread do not hold, those of a process do. What the file itself is to blame for is told
 * from what happened to the process: a process that got no processor time before its deadline, or was killed by others, says
 * nothing about the file.
 *
 * none → started by the first file → idle: ended after a while, or died → none
 *                                  → busy: killed by its deadline, its memory or its signal, or died → none
 */

import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import type { Readable, Writable } from 'node:stream'
import type { FileKind } from '../contract/file-kinds.js'
import type { Logger } from '../platform/logger.js'
import { type Attachment, type FaultCode, FileFault } from './extraction.js'
import { type Answer, headOf, mostLookedAt, readerOf, readHead } from './frames.js'
import type { ExtractedFile, PlaceRow, WordRow } from './place-rows.js'
import { childFile, type Wall, type Walls } from './walls.js'

export interface FileInput {
  kind: FileKind
  bytes: number
  chunks: AsyncIterable<Buffer>
}

/** A few pages are recognised, or the text of what was recognised of all of them is written. */
export type ScanInput = { languages: readonly string[] } & (
  | {
      from: number
      /** Told of each page as it is recognised, in order; the next is not recognised before it is done with it. */
      onPage(page: number, reading: Buffer): Promise<void>
    }
  /** As JSON: an array. */
  | { readings: Buffer }
)

export interface FileExtractor {
  /**
   * Rejects with a `FileFault`, with the signal's reason, with `ChildDeath` when the process died of something else, or with what
   * `chunks` threw.
   */
  extract(file: FileInput, signal: AbortSignal, scan?: ScanInput): Promise<ExtractedFile>
  close(): Promise<void>
}

/** Probably not the file's fault. */
export class ChildDeath extends Error {
  constructor(message = 'The process that reads files died.') {
    super(message)
    this.name = 'ChildDeath'
  }
}

export interface ExtractorOptions {
  /** For the whole file, and for each page of one whose letters are recognised. */
  timeoutMs: number
  memoryMb: number
  maxChars: number
  walls: Walls
  logger: Logger
}

const maxUnpackedBytes = 128 * 1024 * 1024
const idleMs = 30_000
const watchMs = 20

type Child = ChildProcessByStdio<Writable, Readable, Readable>

interface Running {
  child: Child
  read(bytes: number): Promise<Buffer | null>
  /** The end of its stderr, which shows whether the heap was full; never logged, since it may quote a file. */
  lastWords: string
  ended: Promise<void>
}

export function createFileExtractor(options: ExtractorOptions): FileExtractor {
  let running: Running | null = null
  let idle: NodeJS.Timeout | undefined
  const end = async () => {
    clearTimeout(idle)
    const ending = running
    running = null
    if (ending === null) return
    kill(ending.child)
    await ending.ended
  }
  const extract = async (file: FileInput, signal: AbortSignal, scan?: ScanInput): Promise<ExtractedFile> => {
    signal.throwIfAborted()
    clearTimeout(idle)
    if (running === null) {
      const wall = await options.walls()
      signal.throwIfAborted()
      const started = start(wall, options.memoryMb)
      running = started
      void started.ended.then(() => {
        if (running === started) running = null
      })
    }
    const own = running
    try {
      const { spent, ...extracted } = await extractIn(own, { ...file, scan }, options, signal)
      if (spent) await end()
      return extracted
    } catch (error) {
      // Only what it answered itself leaves it in a state to go on.
      if (!(error instanceof FileFault) || own.child.exitCode !== null || own.child.killed) {
        await end()
        options.logger.warn({ kind: file.kind, bytes: file.bytes, fault: (error as Error).name }, 'file extractor killed')
      }
      throw error
    } finally {
      idle = setTimeout(() => void end(), idleMs).unref()
    }
  }
  return { extract, close: end }
}

async function extractIn(running: Running, file: Task, { timeoutMs, memoryMb, maxChars }: ExtractorOptions, signal: AbortSignal) {
  const { child } = running
  let killedFor: FaultCode | 'signal' | null = null
  let over = false
  const killFor = (reason: FaultCode | 'signal') => {
    // What was asked about this file may be answered while the next one is read.
    if (over) return
    killedFor ??= reason
    kill(child)
  }
  const stop = () => killFor('signal')
  let stalled = false
  let usedBefore = processorMs(child.pid)
  const deadline = setTimeout(async () => {
    const [before, now] = [await usedBefore, await processorMs(child.pid)]
    stalled = before === null || now === null || now - before < timeoutMs / 2
    killFor('TOO_SLOW')
  }, timeoutMs)
  // What has taken the process over could turn pages for ever, and hold up what is to be read after it.
  let pagesLeft = file.scan !== undefined && 'onPage' in file.scan ? mostLookedAt : 0
  const turnPage = () => {
    if (--pagesLeft < 0) return killFor('TOO_SLOW')
    usedBefore = processorMs(child.pid)
    deadline.refresh()
  }
  const watch = setInterval(() => {
    void residentMb(child.pid).then(used => {
      if (used > memoryMb) killFor('TOO_MUCH_MEMORY')
    })
  }, watchMs)
  signal.addEventListener('abort', stop, { once: true })
  try {
    // An answer is held in memory here too: of what has taken the process over, no more is believed than the process may have.
    let left = memoryMb * 1024 * 1024
    const read = async (bytes: number) => {
      left -= bytes
      if (left >= 0) return running.read(bytes)
      killFor('TOO_MUCH_MEMORY')
      return null
    }
    const [answer] = await Promise.all([receive(read, file.scan, turnPage), send(child, file, maxChars)])
    return answer
  } catch (error) {
    if (error instanceof FileFault) throw error
    // The process waits for the rest and would do so until its deadline.
    if (error instanceof InputFailure && killedFor === null) throw error.cause
    if (error instanceof PageFailure && killedFor === null) throw error.cause
    // Nobody reads it further. Its last words come by stderr, which is read to its end.
    child.stdout.destroy()
    await running.ended
    if (killedFor === 'signal') throw signal.reason
    if (killedFor === 'TOO_SLOW' && stalled) throw new ChildDeath('The process that reads files got no processor time to do so.')
    if (killedFor !== null) throw new FileFault(killedFor, error)
    throw /heap|allocation|out of memory/i.test(running.lastWords) ? new FileFault('TOO_MUCH_MEMORY', error) : new ChildDeath()
  } finally {
    over = true
    clearTimeout(deadline)
    clearInterval(watch)
    signal.removeEventListener('abort', stop)
  }
}

interface Task extends FileInput {
  scan: ScanInput | undefined
}

async function send(child: Child, { kind, bytes, chunks, scan }: Task, maxChars: number): Promise<void> {
  const readings = scan !== undefined && 'readings' in scan ? scan.readings : Buffer.alloc(0)
  const how = scan && { languages: scan.languages, from: 'from' in scan ? scan.from : null, known: readings.length }
  await write(child, headOf({ kind, bytes, limits: { maxChars, maxUnpackedBytes }, ...(how && { scan: how }) }))
  for await (const chunk of toldApart(chunks)) await write(child, chunk)
  if (readings.length > 0) await write(child, readings)
}

class InputFailure extends Error {}

/** A page that was recognised could not be kept. */
class PageFailure extends Error {}

/** A chunk that cannot be had, from a process that takes no more. */
async function* toldApart(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* chunks
  } catch (cause) {
    throw new InputFailure('A chunk of the file could not be read.', { cause })
  }
}

function write(child: Child, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => child.stdin.write(bytes, error => (error ? reject(error) : resolve())))
}

async function receive(
  read: Running['read'],
  scan: ScanInput | undefined,
  turnPage: () => void,
): Promise<ExtractedFile & { spent: boolean }> {
  let answer = await readHead<Answer>(read)
  for (; answer?.ok === 'page' || answer?.ok === 'looked'; answer = await readHead<Answer>(read)) {
    if (answer.ok === 'page') {
      const reading = await whole(read, answer.bytes)
      if (scan !== undefined && 'onPage' in scan)
        await scan.onPage(answer.page, reading).catch((cause: unknown) => {
          throw new PageFailure('A page could not be kept.', { cause })
        })
    }
    turnPage()
  }
  if (answer === null) throw new ChildDeath()
  if (!answer.ok) throw new FileFault(answer.code)
  const text = await whole(read, answer.text)
  const rows: PlaceRow[] = []
  for (const [firstAt, starts, labels] of answer.places?.rows ?? [])
    rows.push({ firstAt, starts: await whole(read, starts), labels: await whole(read, labels) })
  const places = answer.places && { kind: answer.places.kind, rows }
  const attachments: Attachment[] = []
  for (const { name, declared, bytes } of answer.attachments) attachments.push({ name, declared, bytes: await whole(read, bytes) })
  const words: WordRow[] = []
  for (const [page, ...bytes] of answer.words) {
    const [starts, lengths, confidences, rectangles] = [
      await whole(read, bytes[0]),
      await whole(read, bytes[1]),
      await whole(read, bytes[2]),
      await whole(read, bytes[3]),
    ]
    words.push({ page, starts, lengths, confidences, rectangles })
  }
  return {
    text: text.toString('utf8'),
    places,
    notes: answer.notes,
    attachments,
    words,
    ...(answer.scan !== undefined && { scan: answer.scan }),
    ...(answer.nextPage !== undefined && { nextPage: answer.nextPage }),
    spent: answer.spent === true,
  }
}

async function whole(read: Running['read'], bytes: number): Promise<Buffer> {
  const found = await read(bytes)
  if (found === null) throw new ChildDeath()
  return found
}

function start({ program, options }: Wall, memoryMb: number): Running {
  const [command, ...args] = program([`--max-old-space-size=${Math.floor(memoryMb * 0.75)}`, childFile()])
  const child = spawn(command, args, { ...options, stdio: ['pipe', 'pipe', 'pipe'] })
  const running: Running = { child, read: readerOf(child.stdout), lastWords: '', ended: Promise.resolve() }
  running.ended = new Promise(resolve => {
    child.once('close', () => resolve())
    child.once('error', () => resolve())
  })
  // Met where it is written to.
  child.stdin.on('error', () => undefined)
  child.stderr.on('data', (piece: Buffer) => {
    running.lastWords = (running.lastWords + piece.toString('latin1')).slice(-4000)
  })
  return running
}

/** 'close' waits for the ends of its pipes: behind more than anybody reads, or held open by what it started, they would never come. */
function kill(child: Child): void {
  child.kill('SIGKILL')
  child.stdout.destroy()
  child.stderr.destroy()
}

/** Null where it is unknown. A tick is a hundredth of a second wherever Linux runs Node.js. */
async function processorMs(pid: number | undefined): Promise<number | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  // Behind the name, which may hold anything, from the third field on.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields === undefined ? null : (Number(fields[11]) + Number(fields[12])) * 10
}

/** Zero where it is unknown; there only the heap limit holds. */
async function residentMb(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024
}
