import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

interface Proof {
  name: string
  command: string[]
}
interface Row {
  name: string
  shows: string
  figures: string
  seconds: number
  ok: boolean
  on: string
}

const load = (name: string) => import(new URL(`../../scripts/${name}`, import.meta.url).href)
const { proofsOf } = (await load('proofs.mjs')) as { proofsOf(size: { quick: boolean }): Proof[] }
const { chosenOf, withRows } = (await load('prove.mjs')) as {
  chosenOf(proofs: Proof[], names: string[]): Proof[]
  withRows(text: string, rows: Row[], proofs: Proof[]): string
}
const proofs = proofsOf({ quick: false })
const row = (name: string, ok = true): Row => ({ name, shows: 'x', figures: 'a|b', seconds: 3, ok, on: 'abc' })

it('takes proofs by name, with hyphens too, and refuses a name that is none', () => {
  expect(chosenOf(proofs, ['line-cut', 'fuzz']).map(({ name }) => name)).toEqual(['fuzz', 'line cut'])
  expect(chosenOf(proofs, [])).toBe(proofs)
  expect(() => chosenOf(proofs, ['fuz'])).toThrow('no proof is called fuz; there are catalogue, ')
})

// A file that was renamed would be left out without a word: the others of its proof are found.
it('names tests and scripts that are there', () => {
  const root = fileURLToPath(new URL('../../', import.meta.url))
  const paths = proofs.flatMap(({ command }) => command.filter(part => /^(test|src|scripts)\//.test(part)))
  expect(paths.length).toBeGreaterThan(40)
  expect(paths.filter(path => !existsSync(`${root}${path}`))).toEqual([])
})

it('adds rows to a table in the order of the proofs, and leaves those of other runs', () => {
  const once = withRows('# Proven\n', [row('fuzz')], proofs)
  expect(once).toMatch(
    /^# Proven\n<!-- figures -->\n\| proof .*\n\|---.*\n\| fuzz \| x \| a\/b \| 3 s \| yes \| abc \|\n<!-- \/figures -->\n$/,
  )
  const twice = withRows(once, [row('isolation'), row('soak', false)], proofs)
  expect(twice.match(/^\| \w+ \|/gm)).toEqual(['| proof |', '| isolation |', '| fuzz |', '| soak |'])
  expect(twice).toContain('| **no** | abc |')
  expect(withRows(twice, [row('soak')], proofs)).not.toContain('**no**')
})

it('docs/reliability.md has a row for every proof that is no check of every day', () => {
  const text = readFileSync(new URL('../../docs/reliability.md', import.meta.url), 'utf8')
  const names = [...text.matchAll(/^\| ([a-z ]+) \| /gm)].map(([, name]) => name)
  expect(proofs.map(({ name }) => name).filter(name => !names.includes(name))).toEqual([])
})
