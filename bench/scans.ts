/**
 * `npm run bench -- scans [--pages N] [--long N]`: 40 pages printed by Chromium and LibreOffice, scanned by program at 300, 200 and 150 dots per inch with noise,
 * skew, JPEG and stamps, and read by the extractor's own process. How many words and figures come out right, and what a page costs.
 * With `--long`, one scan of so many pages besides, for the memory of its process. Needs chromium, soffice and pdftoppm.
 */

import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFileExtractor } from '../src/files/extractor.js'
import { createWalls } from '../src/files/walls.js'
import { createLogger } from '../src/platform/logger.js'
import { drawn, pngOf, printedPage, scannedPdf, worn } from './support/scan-pages.js'

const pages = Number(process.argv[process.argv.indexOf('--pages') + 1]) || 40
const longPages = process.argv.includes('--long') ? Number(process.argv[process.argv.indexOf('--long') + 1]) || 50 : 0
const shows = process.argv.includes('--show')
const resolutions = [300, 200, 150] as const
const logger = createLogger({ level: 'fatal' })
const scanner = createFileExtractor({ timeoutMs: 300_000, memoryMb: 400, maxChars: 1_000_000, walls: createWalls(logger), logger })
const folder = await mkdtemp(join(tmpdir(), 'concord-bench-scans-'))
const tally = new Map(resolutions.map(dpi => [dpi, { words: 0, right: 0, figures: 0, figuresRight: 0 }]))
let [cpuBefore, mostCpu, cpuSum] = [0, 0, 0]

try {
  for (let page = 0; page < pages; page++) {
    const dotsPerInch = resolutions[page % 3] as (typeof resolutions)[number]
    const { words, html } = printedPage(page + 1)
    const clean = drawn(folder, `page-${page}`, html, page % 2 === 0 ? 'chromium' : 'libreoffice', dotsPerInch)
    const wear = { skewDegrees: [0, 3, -3][Math.floor(page / 3) % 3]!, noise: 12, jpeg: page % 2 === 1, stamp: page % 4 === 0 }
    const png = pngOf(worn(clean, wear, page), dotsPerInch)
    const { text } = await scanned(png, 'png')
    const cpu = childProcess().cpuSeconds
    mostCpu = Math.max(mostCpu, cpu - cpuBefore)
    cpuSum += cpu - cpuBefore
    cpuBefore = cpu
    const own = tally.get(dotsPerInch)!
    const read = text
      .replaceAll(/^#+ |^\|[-|]+\|$|\|/gm, ' ')
      .split(/\s+/)
      .filter(Boolean)
    const right = alignedWords(words, read)
    own.words += words.length
    own.right += right.size
    for (const [at, word] of words.entries()) {
      if (!/\d/.test(word)) continue
      own.figures++
      if (right.has(at)) own.figuresRight++
    }
    const missed = words.filter((_word, at) => !right.has(at))
    console.log(
      `page ${page + 1} ${dotsPerInch} dpi ${JSON.stringify(wear)}: ${right.size} of ${words.length} words${shows ? `, missed: ${missed.join(' ')}\n${text}` : ''}`,
    )
  }
  const { peakMib } = childProcess()
  const long = longPages === 0 ? {} : await longScan()
  const rates = Object.fromEntries(
    [...tally].flatMap(([dpi, { words, right, figures, figuresRight }]) => [
      [`words_right_${dpi}`, round(right / words)],
      [`figures_right_${dpi}`, round(figuresRight / figures)],
    ]),
  )
  console.log(
    `RESULT ${JSON.stringify({ pages, ...rates, cpu_seconds_a_page: round(cpuSum / pages), most_cpu_seconds: round(mostCpu), peak_mib: Math.round(peakMib), ...long })}`,
  )
} finally {
  await scanner.close()
  rmSync(folder, { recursive: true, force: true })
}

/** Pages of A4 with a few lines each, at 300 dots per inch and a bit a pixel, in a process of their own: what it takes is of its pictures. */
async function longScan() {
  await scanner.close()
  const page = drawn(folder, 'long', '<p>The rent of the Hamburg office is EUR 12,900 a month.</p>'.repeat(3), 'chromium', 300)
  const { text } = await scanned(scannedPdf(page, longPages), 'pdf')
  return { long_pages: longPages, long_read: text.match(/EUR 12,900/g)?.length ?? 0, long_peak_mib: Math.round(childProcess().peakMib) }
}

/** Its pages are recognised in turns, then its text is written, as the service does. */
async function scanned(file: Buffer, kind: 'png' | 'pdf') {
  const readings: unknown[] = []
  const onPage = async (_page: number, reading: Buffer) => void readings.push(JSON.parse(reading.toString('utf8')))
  const input = () => ({
    kind,
    bytes: file.length,
    chunks: (async function* () {
      yield file
    })(),
  })
  const { signal } = new AbortController()
  for (let from: number | undefined = 1; from !== undefined; )
    from = (await scanner.extract(input(), signal, { languages: ['eng'], from, onPage })).nextPage
  return scanner.extract(input(), signal, { languages: ['eng'], readings: Buffer.from(JSON.stringify(readings)) })
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}

/** Which of the written words were read, in order: the longest common sequence. */
function alignedWords(written: readonly string[], read: readonly string[]): Set<number> {
  const lengths = Array.from({ length: written.length + 1 }, () => new Uint16Array(read.length + 1))
  for (let a = written.length - 1; a >= 0; a--)
    for (let b = read.length - 1; b >= 0; b--)
      lengths[a]![b] = written[a] === read[b] ? lengths[a + 1]![b + 1]! + 1 : Math.max(lengths[a + 1]![b]!, lengths[a]![b + 1]!)
  const right = new Set<number>()
  for (let [a, b] = [0, 0]; a < written.length && b < read.length; ) {
    if (written[a] === read[b]) {
      right.add(a)
      a++
      b++
    } else if (lengths[a + 1]![b]! >= lengths[a]![b + 1]!) a++
    else b++
  }
  return right
}

/** The one this process started to read files. */
function childProcess(): { cpuSeconds: number; peakMib: number } {
  for (const pid of readdirSync('/proc').filter(name => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      if (Number(fields[1]) !== process.pid || !readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('files/child.js')) continue
      const status = readFileSync(`/proc/${pid}/status`, 'utf8')
      return {
        cpuSeconds: (Number(fields[11]) + Number(fields[12])) / 100,
        peakMib: Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024,
      }
    } catch (error) {
      // A process that ended while the list was read.
      if (!['ENOENT', 'ESRCH', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    }
  }
  return { cpuSeconds: 0, peakMib: 0 }
}
