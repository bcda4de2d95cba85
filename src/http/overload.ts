/**
 * Tells when the event loop is so late that new requests only make it later. Measured, not guessed: a timer that fires
 * late says by how much.
 */

export interface OverloadGauge {
  lateMs(): number
  isOverloaded(): boolean
  close(): void
}

const everyMs = 100

export function createOverloadGauge(limitMs: number): OverloadGauge {
  let expected = performance.now() + everyMs
  let late = 0
  const timer = setInterval(() => {
    const now = performance.now()
    // Falls slowly, so that shedding does not flicker with every tick.
    late = Math.max(now - expected, late * 0.7)
    expected = now + everyMs
  }, everyMs).unref()
  return { lateMs: () => late, isOverloaded: () => late > limitMs, close: () => clearInterval(timer) }
}
