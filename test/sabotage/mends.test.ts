import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { mends } from './mends.js'

it.each(mends.map(mend => [mend.fault, mend] as const))('can be brought back: %s', (_fault, { file, changes, test, name }) => {
  const text = readFileSync(file, 'utf8')
  for (const [now, before] of changes) {
    expect(text.split(now), `what ${file} says once`).toHaveLength(2)
    expect(before).not.toBe(now)
  }
  expect(readFileSync(test, 'utf8')).toContain(name)
})
