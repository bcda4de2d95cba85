import { expect, it } from 'vitest'
import { yamlOf } from './yaml.js'

it('nests lists and members, and quotes what could be read as something else', () => {
  const value = {
    scope_id: 'case-1',
    open: [],
    counts: { total: 2, 'a b': null },
    items: [{ id: 'x', tags: ['yes', 'plain'] }, []],
    off: true,
  }
  expect(yamlOf(value)).toBe(`scope_id: "case-1"
open: []
counts:
  total: 2
  "a b": null
items:
  - id: x
    tags:
      - "yes"
      - plain
  - []
"off": true`)
  expect(yamlOf([])).toBe('[]')
  expect(yamlOf('two\nlines')).toBe('"two\\nlines"')
})
