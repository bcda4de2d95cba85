/**
 * Detects that the event loop lags so far that new requests only add to it. Measured, not guessed: a timer that fires
 * late says by how much. What happens before `begin` does not count: startup blocks the loop before any request comes.
 */

export interface OverloadGauge {
  begin(): void
  isOverloaded(): boolean
  close(): void
}

const everyMs = 100

export function createOverloadGauge(limitMs: number): OverloadGauge {
  let timer: NodeJS.Timeout | undefined
  let expected = 0
  let late = 0
  const measure = () => {
    const now = performance.now()
    // Falls slowly, so that shedding does not flicker with every tick.
    late = Math.max(now - expected, late * 0.7)
    expected = now + everyMs
  }
  return {
    begin() {
      expected = performance.now() + everyMs
      timer ??= setInterval(measure, everyMs).unref()
    },
    isOverloaded: () => late > limitMs,
    close: () => clearInterval(timer),
  }
}
