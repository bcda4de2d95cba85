/**
 * Scans, read by a command of the operator (OCR_COMMAND): the PDF comes by standard input, the text of its pages is expected
 * on standard output, pages parted by form feeds. Recognising letters takes a whole processor, so callers take turns. Bounded
 * in time and length. The command is run by a shell, as it is set, and ended together with what it started. It reads what
 * strangers sent, so it gets `env` alone and none of our secrets.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { FileFault } from './extraction.js'
import { type ExtractedFile, placeRowsOf } from './place-rows.js'
import { TextWriter } from './text-writer.js'

export interface Ocr {
  read(chunks: AsyncIterable<Buffer>, signal: AbortSignal): Promise<ExtractedFile>
}

export interface OcrOptions {
  command: string
  env: Readonly<Record<string, string | undefined>>
  timeoutMs: number
  maxChars: number
}

/** The command, not the scan, is to blame: it may be mended before the next attempt. */
export class OcrFailure extends Error {
  constructor(how: string, cause?: unknown) {
    super(`OCR_COMMAND ${how}.`, { cause })
    this.name = 'OcrFailure'
  }
}

export function createOcr(options: OcrOptions): Ocr {
  return { read: (chunks, signal) => recognise(options, chunks, signal) }
}

async function recognise(
  { command, env, timeoutMs, maxChars }: OcrOptions,
  chunks: AsyncIterable<Buffer>,
  signal: AbortSignal,
): Promise<ExtractedFile> {
  signal.throwIfAborted()
  const output = await run({ command, env }, chunks, {
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    mostBytes: 4 * maxChars,
  })
  const out = new TextWriter({ kind: 'page', maxChars })
  for (const [index, page] of output.split('\f').entries())
    out
      .gap(2)
      .at(String(index + 1))
      .write(page.trim())
  const read = out.finish(['The file is a scan; its text was recognised by OCR_COMMAND and may have mistakes.'])
  return { ...read, places: read.places && placeRowsOf(read.places), words: [] }
}

async function run(
  { command, env }: Pick<OcrOptions, 'command' | 'env'>,
  chunks: AsyncIterable<Buffer>,
  { signal, mostBytes }: { signal: AbortSignal; mostBytes: number },
): Promise<string> {
  const child = spawn(command, { shell: true, env, stdio: ['pipe', 'pipe', 'ignore'], detached: process.platform !== 'win32' })
  const end = () => endGroup(child)
  signal.addEventListener('abort', end, { once: true })
  const pieces: Buffer[] = []
  let bytes = 0
  child.stdout.on('data', (piece: Buffer) => {
    bytes += piece.length
    if (bytes <= mostBytes) pieces.push(piece)
    else end()
  })
  // A command that does not read to the end has its reasons; what it says counts.
  child.stdin.on('error', () => undefined)
  const ended = once(child, 'close').catch((error: unknown) => {
    throw new OcrFailure('could not be started', error)
  })
  const sent = send(child.stdin, chunks).catch((error: unknown) => {
    end()
    throw error
  })
  try {
    const [closed] = await Promise.all([ended, sent])
    if (bytes > mostBytes) throw new FileFault('TOO_LONG')
    if (signal.aborted) throw signal.reason.name === 'TimeoutError' ? new FileFault('TOO_SLOW') : signal.reason
    const [exit, killedBy] = closed as [number | null, string | null]
    if (exit !== 0) throw new OcrFailure(exit === null ? `was ended by ${killedBy}` : `failed with exit code ${exit}`)
    return Buffer.concat(pieces).toString('utf8')
  } finally {
    signal.removeEventListener('abort', end)
  }
}

/** The shell alone would leave behind what it started, and that holds the output open. */
function endGroup(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL')
  } catch (error) {
    // Ended in the meantime.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

async function send(stdin: NodeJS.WritableStream, chunks: AsyncIterable<Buffer>): Promise<void> {
  for await (const chunk of chunks) {
    if (!stdin.writable) return
    await new Promise<void>(resolve => stdin.write(chunk, () => resolve()))
  }
  stdin.end()
}
