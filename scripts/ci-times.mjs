/**
 * `node scripts/ci-times.mjs FILE`: what the parts of a run took, against their aims. FILE has a line for each part, its name and its seconds. Aims are
 * promises about two quiet cores, so that each is stretched by how much slower this machine does a fixed piece of work than the one they
 * were set on. It only says so; `--strict`, for a quiet machine, exits 1 where one is missed.
 */

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** In seconds. What has none is told and judged in the whole. */
const aims = { 'npm test': 300, everything: 600 }
/** What the piece of work takes on two quiet cores of the machine the aims were set on. */
const quietMs = 220

export function timeTable(lines, slowness) {
  const rows = lines.map(line => {
    const [, name, took] = /^(.*) ([\d.]+)$/.exec(line) ?? [undefined, line, Number.NaN]
    const aim = aims[name]
    return { name, took: Number(took), aim, isMissed: aim !== undefined && Number(took) > aim * slowness }
  })
  const said = rows.map(({ name, took, aim, isMissed }) => {
    const judged =
      aim === undefined
        ? ''
        : `aim ${aim} s${slowness > 1 ? `, here ${Math.round(aim * slowness)} s` : ''}: ${isMissed ? 'MISSED' : 'kept'}`
    return `  ${name.padEnd(24)} ${took.toFixed(0).padStart(6)} s  ${judged}`.trimEnd()
  })
  return { said, missed: rows.filter(row => row.isMissed).map(({ name }) => name) }
}

/** Never below 1: a faster machine may keep its time. The best of five, since the machine may do other things meanwhile. */
export function slownessOf(worked = work) {
  return Math.max(1, Math.min(...Array.from({ length: 5 }, worked)) / quietMs)
}

/** Milliseconds for what tests mostly do: objects, texts, and digests. */
function work() {
  const started = performance.now()
  let text = ''
  for (let turn = 0; turn < 400; turn++) {
    const rows = Array.from({ length: 300 }, (_, id) => ({ id, name: `row ${id} of ${turn}`, at: [id, turn, text.length] }))
    text = createHash('sha256')
      .update(JSON.stringify(JSON.parse(JSON.stringify(rows))))
      .digest('hex')
  }
  return performance.now() - started
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const slowness = slownessOf()
  const { said, missed } = timeTable(readFileSync(process.argv[2], 'utf8').trim().split('\n'), slowness)
  console.log(`What took how long, on a machine ${slowness.toFixed(2)} times as slow as the one the aims are for:\n${said.join('\n')}`)
  if (process.argv.includes('--strict') && missed.length > 0) process.exitCode = 1
}
