/** Texts made to be read slowly: eight times the text may cost eight times as much, and not its square. */
import { describe, expect, it } from 'vitest'
import { extract } from './extract.js'

/** What takes less says nothing of how it grows. */
const unremarkableMs = 700

/** Processor time, not the clock's, and the least of three runs: a busy machine must not look like a slow reader. */
function spentMs(text: string): number {
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < 3 && least > unremarkableMs; run++) {
    const from = process.cpuUsage()
    extract({ documentId: 'd', revision: 1, name: 'd', type: 'csv', source: null, text })
    least = Math.min(least, process.cpuUsage(from).user / 1000)
  }
  return least
}

describe('a hostile text', () => {
  it('of lines that are almost tables, with a rule below each, costs no more than its length', () => {
    const line = (n: number) => `"1${' '.repeat(2 + (n % 9))}a"\n"---"\n`
    const make = (lines: number) => Array.from({ length: lines }, (_, n) => line(n)).join('')
    const large = spentMs(make(4000))
    if (large > unremarkableMs) expect(large / spentMs(make(500))).toBeLessThan(24)
  })
})
