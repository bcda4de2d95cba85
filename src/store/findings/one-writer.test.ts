/** What is served of a case is a cache of `kernel/standing.ts`: each part of it has one place that writes it. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map(name => ({ name: name.replaceAll('\\', '/'), text: readFileSync(join(root, name), 'utf8').replaceAll(/\s+/g, ' ') }))

/** Files with an update of the table that sets one of the columns; its condition may name what it does not write. */
function writersOf(table: string, columns: RegExp): string[] {
  const updates = new RegExp(`update ${table}(?: \\w+)? set (.*?)(?: where | from |\`)`, 'g')
  const writes = (text: string) => [...text.matchAll(updates)].some(([, sets = '']) => columns.test(sets))
  return files.filter(({ text }) => writes(text)).map(({ name }) => name)
}

const insertersOf = (table: string) => files.filter(({ text }) => text.includes(`insert into ${table} `)).map(({ name }) => name)

it('whether a claim counts is written in one place', () => {
  expect(writersOf('claims', /superseded_(at|round|by) =/)).toEqual(['store/claims/claim-ends.ts'])
})

it.each([
  ['contradictions', /(status|closed_itself|resolved_at) =/],
  ['possible_conflicts', /(status|closed_itself|contradiction_no) =/],
  ['supersessions', /(status|contradiction_no) =/],
])('rows of findings, and how they stand, are written in one place: %s', (table, columns) => {
  expect(writersOf(table, columns)).toEqual(['store/findings/finding-rows.ts'])
  expect(insertersOf(table)).toEqual(['store/findings/finding-rows.ts'])
})

it('what waits in a scope is kept by a trigger on the backlog, beside statements that write the head in any case', () => {
  expect(writersOf('scope_heads', /(has_backlog|rereads) =/).sort()).toEqual([
    'store/claims/claims-documents.ts',
    // After rows were written as they came out of a file.
    'store/maintenance/restore-rows.ts',
    'store/maintenance/tenant-import.ts',
    'store/scopes/reset.ts',
  ])
})
