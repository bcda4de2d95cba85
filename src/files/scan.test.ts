import { expect, it } from 'vitest'
import { FileFault, ReaderFailure } from './extraction.js'
import { blank } from './grey.js'
import type { LetterReader } from './letters.js'
import type { PageReading } from './recognised.js'
import { createScanner, recogniseTurn, type ScanSource, writeScan } from './scan.js'

const reader = async () => ({}) as LetterReader
const readingOf = (page: number): PageReading => ({
  page,
  height: 800,
  toPage: [1, 0, 0, 1, 0, 0],
  lines: [{ size: 12, baseline: 100, words: [{ text: `Page ${page}.`, confidence: 0.9, left: 10, top: 90, right: 90, bottom: 102 }] }],
})

/** A picture of 300 by 400 points: of its bytes only the head is looked at before a reader of letters has them. */
const picture = { bytes: Buffer.alloc(64), kind: 'png' as const }
picture.bytes.writeUInt32BE(300, 16)
picture.bytes.writeUInt32BE(400, 20)
const firstPage = { languages: ['eng'], step: { recognise: { from: 1 } }, limits: { maxChars: 1000, maxUnpackedBytes: 1 } }

/** Every fifth page has a text of its own; one is damaged. It counts what is asked of it. */
function bookOf(pages: number, damaged = 0) {
  const asked = { recognised: [] as number[], written: [] as number[] }
  const source: ScanSource = {
    pages,
    recognise: async page => {
      asked.recognised.push(page)
      if (page === damaged) throw new FileFault('BROKEN')
      return page % 5 === 0 ? null : readingOf(page)
    },
    page: async (page, reading) => {
      asked.written.push(page)
      const own = { text: `Own ${page}.`, x: 10, y: 700, width: 80, size: 12 }
      return { pieces: reading === null ? [own] : [], reading }
    },
    close: async () => undefined,
  }
  return { source, asked }
}

it('recognises and writes each page of a long scan once, however many turns it takes', async () => {
  const { source, asked } = bookOf(50, 3)
  const kept: PageReading[] = []
  let turns = 0
  for (let from: number | null = 1; from !== null; turns++)
    from = await recogniseTurn(source, { from, reader }, async reading => void (reading !== null && kept.push(reading)))
  const { text, notes } = await writeScan(source, kept, { maxChars: 100_000, maxUnpackedBytes: 1 })
  const all = Array.from({ length: 50 }, (_none, n) => n + 1)
  // Forty pages are recognised, eight to a turn; the last has a text of its own.
  expect(turns).toBe(6)
  expect(asked.recognised).toEqual(all)
  expect(asked.written).toEqual(all.filter(page => page !== 3))
  expect(text.match(/\d+/g)?.map(Number)).toEqual(asked.written)
  expect(text).toContain('Own 5.\n\nPage 6.')
  expect(notes[1]).toBe('Pages that could not be read: 3.')
})

it('goes on behind the last page that was kept before a crash', async () => {
  const { source, asked } = bookOf(12)
  const kept: PageReading[] = []
  const crash = recogniseTurn(source, { from: 1, reader }, async reading => {
    if (reading?.page === 7) throw new Error('killed')
    if (reading !== null) kept.push(reading)
  })
  await expect(crash).rejects.toThrow('killed')
  asked.recognised = []
  expect(await recogniseTurn(source, { from: kept.at(-1)!.page + 1, reader }, async () => undefined)).toBe(null)
  expect(asked.recognised).toEqual([7, 8, 9, 10, 11, 12])
})

it('tells of each page it looked at, and looks at no more than so many in a turn', async () => {
  const own: ScanSource = { ...bookOf(150).source, recognise: async () => null }
  const told: (PageReading | null)[] = []
  const turns: number[] = []
  for (let from: number | null = 1; from !== null; ) {
    turns.push(from)
    from = await recogniseTurn(own, { from, reader }, async reading => void told.push(reading))
  }
  expect(turns).toEqual([1, 65, 129])
  expect(told).toEqual(Array.from({ length: 150 }, () => null))
})

it('blames no page for a reader of letters that does not start', async () => {
  let starts = 0
  const scan = createScanner(async () => {
    if (++starts === 1) throw new Error('no memory for it')
    return { decode: () => blank(300, 400), read: () => ({ lines: [], confidence: 0 }) }
  })
  const readings: (PageReading | null)[] = []
  const recognise = () => scan(picture, firstPage, async reading => void readings.push(reading))
  await expect(recognise()).rejects.toThrow(ReaderFailure)
  expect(readings).toEqual([])
  await recognise()
  expect(readings).toMatchObject([{ page: 1, lines: [] }])
})

it('reads the next file with another reader of letters when a picture has broken the one before', async () => {
  let made = 0
  const scan = createScanner(async () => {
    let isBroken = false
    const isFirst = ++made === 1
    return {
      decode: () => {
        if (isBroken || isFirst) {
          isBroken = true
          throw new WebAssembly.RuntimeError('memory access out of bounds')
        }
        return blank(300, 400)
      },
      read: () => ({ lines: [], confidence: 0 }),
    }
  })
  const recognised = async () => {
    const readings: PageReading[] = []
    await scan(picture, firstPage, async reading => void (reading !== null && readings.push(reading)))
    return readings[0]?.broken ?? false
  }
  expect([await recognised(), await recognised(), await recognised()]).toEqual([true, false, false])
  expect(made).toBe(2)
})

it('says that its process is spent once a picture has broken what reads letters, and blames no other where none starts', async () => {
  const scan = createScanner(oneReader(0))
  const readings: (PageReading | null)[] = []
  const recognise = () => scan(picture, firstPage, async reading => void readings.push(reading))
  const turn = await recognise()
  expect(turn.spent).toBe(true)
  expect(turn).not.toHaveProperty('nextPage')
  expect(readings).toMatchObject([{ page: 1, broken: true }])
  await expect(recognise()).rejects.toThrow(ReaderFailure)
  expect(readings).toHaveLength(1)
})

it('ends the turn behind the page that broke what reads letters, so that those behind it are read by another process', async () => {
  const { bytes, at } = tiffOf(12)
  const readings: (PageReading | null)[] = []
  const turns: (readonly [from: number, spent: boolean])[] = []
  for (let from: number | undefined = 1; from !== undefined; ) {
    const inNewProcess = createScanner(oneReader(at(2)))
    const request = { ...firstPage, step: { recognise: { from } } }
    const turn = await inNewProcess({ bytes, kind: 'tiff' }, request, async reading => void readings.push(reading))
    turns.push([from, turn.spent ?? false])
    from = turn.nextPage
  }
  expect(turns).toEqual([
    [1, true],
    [3, false],
    [11, false],
  ])
  expect(readings.map(reading => reading?.page)).toEqual(Array.from({ length: 12 }, (_none, n) => n + 1))
  expect(readings.filter(reading => reading?.broken)).toMatchObject([{ page: 2 }])
})

/** What reads letters starts once, and breaks at the picture that begins there: of a TIFF its tags, of another whatever is there. */
function oneReader(broken: number): () => Promise<LetterReader> {
  let made = 0
  return async () => {
    if (++made > 1) throw new Error('no memory for it')
    return {
      decode: file => {
        if (Buffer.from(file).readUInt32LE(4) === broken) throw new WebAssembly.RuntimeError('memory access out of bounds')
        return blank(300, 400)
      },
      read: () => ({ lines: [], confidence: 0 }),
    }
  }
}

/** The tags of so many pages, which is what is looked at, and where those of each begin. */
function tiffOf(pages: number) {
  const at = (page: number) => 8 + (page - 1) * 30
  const bytes = Buffer.alloc(at(pages + 1))
  bytes.write('II*\0', 'latin1')
  bytes.writeUInt32LE(at(1), 4)
  for (let page = 1; page <= pages; page++) {
    const sizes: [tag: number, value: number][] = [
      [256, 300],
      [257, 400],
    ]
    let end = bytes.writeUInt16LE(sizes.length, at(page))
    for (const [tag, value] of sizes) {
      end = bytes.writeUInt16LE(tag, end)
      end = bytes.writeUInt16LE(4, end)
      end = bytes.writeUInt32LE(1, end)
      end = bytes.writeUInt32LE(value, end)
    }
    bytes.writeUInt32LE(page < pages ? at(page + 1) : 0, end)
  }
  return { bytes, at }
}
