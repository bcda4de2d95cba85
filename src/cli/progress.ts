/** A progress bar with rate and remaining time on standard error; nothing when it is not a terminal. */

import cliProgress from 'cli-progress'
import type { Output } from './output.js'

export interface Progress {
  step(failed: boolean): void
  /** For work whose end others decide. */
  update(done: number, total: number): void
  note(text: string): void
  stop(): void
}

export function createProgress(out: Output, unit: string, total: number): Progress {
  if (!out.isTerminal || out.json || !process.stderr.isTTY) return silent
  const startedAt = performance.now()
  let failed = 0
  const bar = new cliProgress.SingleBar({
    stream: process.stderr,
    format: `{bar} {percentage}% │ {value}/{total} ${unit} │ {rate}/s │ {eta_formatted} left{failed}{note}`,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    hideCursor: true,
    clearOnComplete: true,
    stopOnComplete: false,
    etaBuffer: 50,
  })
  const payload = (done: number, note = '') => ({
    rate: (done / Math.max(0.001, (performance.now() - startedAt) / 1000)).toFixed(1),
    failed: failed > 0 ? ` │ ${failed} failed` : '',
    note: note && ` │ ${note}`,
  })
  let value = 0
  bar.start(total, 0, payload(0))
  return {
    step(isFailure) {
      if (isFailure) failed++
      bar.update(++value, payload(value))
    },
    update(done, all) {
      value = done
      bar.setTotal(all)
      bar.update(done, payload(done))
    },
    note: text => bar.update(value, payload(value, text)),
    stop: () => bar.stop(),
  }
}

const nothing = () => undefined
const silent: Progress = { step: nothing, update: nothing, note: nothing, stop: nothing }
