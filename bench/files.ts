/**
 * What the text of a long PDF costs: a report as Chromium prints it, of 50 and of 200 pages, extracted in a process of its
 * own as the service does. Processor time and memory are those of the whole process, its start included; then the same file again in the
 * process that is warm, as the one that the service keeps is: how many pages a second.
 */

import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { chromium } from 'playwright-core'

/** `--pages=200 --rounds=1` for one of them, and less often. */
const given = (name: string): number | undefined =>
  Number(process.argv.find(arg => arg.startsWith(`--${name}=`))?.slice(name.length + 3) ?? Number.NaN) || undefined
const rounds = given('rounds') ?? 5
const sizes = [given('pages') ?? [50, 200]].flat()
const limits = { maxChars: 2_000_000, maxUnpackedBytes: 128 * 1024 * 1024 }
const extract = resolve('dist/files/extract.js')
const program = `
  import { readFileSync } from 'node:fs'
  import { extract } from ${JSON.stringify(extract)}
  const bytes = readFileSync(0)
  const read = () => extract(Buffer.from(bytes), 'pdf', ${JSON.stringify(limits)})
  const spentMs = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000 }
  const { text, places } = await read()
  const processorMs = spentMs()
  const rss = process.resourceUsage().maxRSS / 1024
  await read()
  const [warmFrom, clockFrom] = [spentMs(), performance.now()]
  await read()
  const warm = { warmMs: spentMs() - warmFrom, clockMs: performance.now() - clockFrom }
  console.log(JSON.stringify({ processorMs, peakMiB: rss, pages: places.labels.length, characters: text.length, ...warm }))
`

interface Figures {
  processorMs: number
  peakMiB: number
  pages: number
  characters: number
  /** Of the third time in the same process, of the processor and of the clock. */
  warmMs: number
  clockMs: number
}

const browser = await chromium.launch({ executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium', args: ['--no-sandbox'] })
const result: Record<string, number> = {}
try {
  for (const pages of sizes) {
    const bytes = await printed(pages)
    const runs = Array.from({ length: rounds }, () => measure(bytes)).sort((a, b) => a.processorMs - b.processorMs)
    const median = runs[Math.floor(rounds / 2)] as Figures
    if (median.pages !== pages) throw new Error(`${median.pages} pages were read of ${pages}`)
    const peakMiB = Math.max(...runs.map(run => run.peakMiB))
    console.log(
      `${pages} pages, ${(bytes.length / 1024).toFixed(0)} KiB, ${median.characters} characters: ${(median.processorMs / 1000).toFixed(2)} s of processor time (median of ${runs.length}, ${seconds(runs[0])} to ${seconds(runs.at(-1))}), ${peakMiB.toFixed(0)} MiB`,
    )
    const warm = medianOf(runs.map(run => (1000 * pages) / run.warmMs))
    const warmClock = medianOf(runs.map(run => (1000 * pages) / run.clockMs))
    console.log(`  in a warm process ${warm.toFixed(0)} pages a second of the processor, ${warmClock.toFixed(0)} of the clock`)
    result[`warm_pages_per_processor_s_${pages}_pages`] = Math.round(warm)
    result[`processor_s_${pages}_pages`] = round(median.processorMs / 1000)
    result[`peak_mib_${pages}_pages`] = Math.round(peakMiB)
  }
} finally {
  await browser.close()
}
console.log(`RESULT ${JSON.stringify(result)}`)

/** Prose, a heading, a list and a table on every page. */
async function printed(pages: number): Promise<Buffer> {
  const page = await browser.newPage()
  const sentence = (n: number) =>
    `Site ${n} of Alder Works used ${(n * 37) % 900} MWh of power in the year 2025, as its meter of line ${n % 12} shows. `
  const paragraph = (n: number) => `<p>${Array.from({ length: 6 }, (_, k) => sentence(n * 7 + k)).join('')}</p>`
  const row = (n: number) => `<tr><td>Line ${n}</td><td>${n * 13} MWh</td><td>EUR ${n * 1700}</td></tr>`
  const one = (n: number) =>
    `<section><h2>Part ${n}</h2>${[1, 2, 3, 4].map(k => paragraph(n + k)).join('')}<ul><li>Checked in May.</li><li>Closed in June.</li></ul><table>${[1, 2, 3, 4, 5, 6].map(k => row(n + k)).join('')}</table></section>`
  const style = '<style>section{break-after:page}section:last-child{break-after:auto}body{font:11pt serif}td{padding:0 2em}</style>'
  await page.setContent(`${style}${Array.from({ length: pages }, (_, n) => one(n + 1)).join('')}`)
  const bytes = await page.pdf({ format: 'A4' })
  await page.close()
  return bytes
}

function measure(bytes: Buffer): Figures {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { input: bytes, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout) as Figures
}

function medianOf(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

function seconds(run: Figures | undefined): string {
  return ((run?.processorMs ?? 0) / 1000).toFixed(2)
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
