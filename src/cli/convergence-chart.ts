/** Convergence over rounds as a chart of characters, as wide as the terminal allows. */

import asciichart from 'asciichart'

const axis = 8

export function convergenceChart(values: readonly number[], columns: number): string[] {
  const most = Math.max(10, Math.min(columns, 160) - axis - 2)
  const format = (value: number) => value.toFixed(3).padStart(axis - 1)
  const drawn = resample(values, most)
  // A flat line has no height of its own.
  const flat = drawn.every(value => value === drawn[0])
  const chart = asciichart.plot(drawn, { height: flat ? 1 : 8, format })
  return chart.split('\n').map(line => line.trimEnd())
}

/** The last value of each stretch, so that the end of the line is the present. */
export function resample<T>(values: readonly T[], most: number): T[] {
  if (values.length <= most) return [...values]
  return Array.from({ length: most }, (_, index) => values[Math.ceil(((index + 1) * values.length) / most) - 1] as T)
}
