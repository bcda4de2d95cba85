import { expect, it } from 'vitest'
import { sniffKind } from './sniff.js'

const kindOf = (text: string) => sniffKind({ head: Buffer.from(text), tail: Buffer.alloc(0), name: 'a.txt', declared: null })

it('knows a page behind a declaration and comments', () => {
  expect(kindOf('<?xml version="1.0"?>\n<!-- made by hand -->\n<!---->\n<!doctype html><p>a</p>')).toBe('html')
  expect(kindOf('<html lang="en"><p>a</p>')).toBe('html')
  expect(kindOf('<!-- a page? --> no')).toBe('txt')
  expect(kindOf('<!-- never ends <html>')).toBe('txt')
})

it('looks at comments without end once', () => {
  expect(kindOf(`${'<!---->'.repeat(1000)}x`)).toBe('txt')
})
