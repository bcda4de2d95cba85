/**
 * What Node.js or a library warns about (listeners that pile up, a connection asked before it has answered) fails the test
 * file in which it happens: such warnings are printed once and then forgotten, while what they warn of goes on.
 */
import { afterAll, expect } from 'vitest'

const warnings: string[] = []

const keep = (warning: Error) => {
  const frames = (warning.stack ?? '').split('\n').filter(line => line.includes('    at ') && !/node_modules|node:/.test(line))
  // A test that is careless with a connection of its own warns of nothing that is ours.
  const ownDoing = warning.name === 'ExperimentalWarning' || frames[0]?.includes('/test/') === true
  if (!ownDoing || warning.name === 'ProcessWarning') warnings.push(warning.stack ?? `${warning.name}: ${warning.message}`)
}
process.on('warning', keep)

afterAll(() => {
  // Files share a process: each listens for itself alone.
  process.off('warning', keep)
  expect(warnings).toEqual([])
})
