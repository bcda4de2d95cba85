/**
 * Scans, read by a command of the operator (OCR_COMMAND): the PDF comes by standard input, the text of its pages is expected
 * on standard output, pages parted by form feeds. Bounded in time and length; the command is run by a shell, as it is set.
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type Extracted, FileFault } from './extraction.js'
import { TextWriter } from './text-writer.js'

export interface Ocr {
  read(chunks: AsyncIterable<Buffer>, signal: AbortSignal): Promise<Extracted>
}

export function createOcr({ command, timeoutMs, maxChars }: { command: string; timeoutMs: number; maxChars: number }): Ocr {
  return {
    async read(chunks, signal) {
      const output = await run(command, chunks, {
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
        mostBytes: 4 * maxChars,
      })
      signal.throwIfAborted()
      const out = new TextWriter({ kind: 'page', maxChars })
      for (const [index, page] of output.split('\f').entries())
        out
          .gap(2)
          .at(String(index + 1))
          .write(page.trim())
      return out.finish(['The file is a scan; its text was recognised by OCR_COMMAND and may have mistakes.'])
    },
  }
}

async function run(
  command: string,
  chunks: AsyncIterable<Buffer>,
  { signal, mostBytes }: { signal: AbortSignal; mostBytes: number },
): Promise<string> {
  const child = spawn(command, { shell: true, stdio: ['pipe', 'pipe', 'ignore'], signal, killSignal: 'SIGKILL' })
  const pieces: Buffer[] = []
  let bytes = 0
  child.stdout.on('data', (piece: Buffer) => {
    bytes += piece.length
    if (bytes <= mostBytes) pieces.push(piece)
    else child.kill('SIGKILL')
  })
  // A command that does not read to the end has its reasons; what it says counts.
  child.stdin.on('error', () => undefined)
  const ended = once(child, 'close').catch((error: unknown) => {
    throw new FileFault(signal.aborted ? 'TOO_SLOW' : 'NO_TEXT', error)
  })
  const sent = send(child.stdin, chunks)
  const [code] = (await ended) as [number | null]
  await sent
  if (bytes > mostBytes) throw new FileFault('TOO_LONG')
  if (code !== 0) throw new FileFault('NO_TEXT')
  return Buffer.concat(pieces).toString('utf8')
}

async function send(stdin: NodeJS.WritableStream, chunks: AsyncIterable<Buffer>): Promise<void> {
  for await (const chunk of chunks) {
    if (!stdin.writable) return
    await new Promise<void>(resolve => stdin.write(chunk, () => resolve()))
  }
  stdin.end()
}
