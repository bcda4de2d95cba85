/**
 * The parts of a PDF as pdf.js wants them. It asks for each of them alone, and for a page of a document whose pages hang on one
 * list for hundreds at once: what is asked for in the same moment, or while other parts are on their way, is read together. How a
 * file begins and ends is always wanted, and read while what draws it is still starting.
 */

import { PDFDataRangeTransport } from 'pdfjs-dist/legacy/build/pdf.mjs'

export interface Part {
  begin: number
  /** Behind its last byte. */
  end: number
}

export interface PartSource {
  bytes: number
  read: (part: Part, signal: AbortSignal) => Promise<Uint8Array>
}

export const partBytes = 128 * 1024

/** All that is asked for because of one page comes within it. */
const momentMs = 4

interface ReadPart extends Part {
  content: Promise<Uint8Array>
}

export class PdfParts extends PDFDataRangeTransport {
  readonly #source: PartSource
  readonly #onFailure: (error: unknown) => void
  readonly #stop = new AbortController()
  readonly #ahead: ReadPart[]
  #wanted: Part[] = []
  #isReading = false

  constructor(source: PartSource, onFailure: (error: unknown) => void) {
    super(source.bytes, null)
    this.#source = source
    this.#onFailure = onFailure
    this.#ahead = headAndTail(source.bytes).map(part => this.#read(part))
  }

  override requestDataRange(begin: number, end: number): void {
    this.#wanted.push({ begin, end })
    if (this.#isReading) return
    this.#isReading = true
    setTimeout(() => void this.#answer(), momentMs)
  }

  override abort(): void {
    this.#stop.abort()
  }

  async #answer(): Promise<void> {
    while (this.#wanted.length > 0) {
      const wanted = this.#wanted
      this.#wanted = []
      const others = wanted.filter(part => !this.#ahead.some(known => isWithin(part, known)))
      const read = [...this.#ahead, ...together(others).map(part => this.#read(part))]
      // What fails is said where it is read.
      await Promise.allSettled(wanted.map(part => this.#give(part, read.find(each => isWithin(part, each)) as ReadPart)))
    }
    this.#isReading = false
  }

  async #give({ begin, end }: Part, { begin: first, content }: ReadPart): Promise<void> {
    const bytes = await content
    if (!this.#stop.signal.aborted) this.onDataRange(begin, bytes.slice(begin - first, end - first))
  }

  #read(part: Part): ReadPart {
    const content = this.#source.read(part, this.#stop.signal)
    content.catch((error: unknown) => !this.#stop.signal.aborted && this.#onFailure(error))
    return { ...part, content }
  }
}

/** A small file is read whole. */
export function headAndTail(bytes: number): Part[] {
  const tail = Math.floor(Math.max(0, bytes - partBytes / 2) / partBytes) * partBytes
  return together([
    { begin: 0, end: Math.min(bytes, partBytes) },
    { begin: tail, end: bytes },
  ])
}

/** What touches, or lies closer than another request is worth, is one. */
export function together(parts: readonly Part[]): Part[] {
  const joined: Part[] = []
  for (const part of [...parts].sort((a, b) => a.begin - b.begin)) {
    const last = joined.at(-1)
    if (last !== undefined && part.begin <= last.end + partBytes) last.end = Math.max(last.end, part.end)
    else joined.push({ ...part })
  }
  return joined
}

function isWithin(part: Part, whole: Part): boolean {
  return part.begin >= whole.begin && part.end <= whole.end
}
