import { expect, it } from 'vitest'
import { kindByHead, meantKind, mediaTypes, refusalOf } from './file-kinds.js'

const kindOf = (content: string | Uint8Array, name = 'a.txt') =>
  kindByHead(typeof content === 'string' ? Buffer.from(content) : content, meantKind(name, null))

it('tells kinds by their content, and kinds of text by their names', () => {
  expect(kindOf('%PDF-1.7\n')).toBe('pdf')
  expect(kindOf('PK\u0003\u0004')).toBe('zip')
  expect(kindOf(Buffer.from('d0cf11e0a1b11ae1', 'hex'))).toBe('ole')
  expect(kindOf('a,b\n1,2\n', 'a.csv')).toBe('csv')
  expect(kindOf('Just text.', 'a.pdf')).toBe('txt')
  expect(kindOf('Message-ID: <1@x>\nFrom: a@b\n\nHello')).toBe('eml')
})

it('takes every kind by the end of its name or its media type, and text for what its sender says', () => {
  for (const [kind, type] of Object.entries(mediaTypes)) {
    if (kind !== 'txt') expect(meantKind(`a.${kind}`, null), kind).toBe(kind)
    if (!/^text\/|json$/.test(type)) continue
    expect(kindByHead(Buffer.from('Just text.'), meantKind(`a.${kind}`, null)), kind).toBe(kind)
    expect(kindByHead(Buffer.from('Just text.'), meantKind('a', type)), type).toBe(kind)
  }
})

it('takes nothing from names that every object has', () => {
  expect(meantKind('notes.constructor', 'constructor')).toBeNull()
})

it('takes text in UTF-8, UTF-16 and Windows-1252, and nothing else', () => {
  expect(kindOf(Buffer.from('Die Größe ist 420 m².', 'latin1'))).toBe('txt')
  expect(kindOf(Buffer.from('\ufeffDie Größe', 'utf16le'))).toBe('txt')
  expect(kindOf(Buffer.from('Die Größe ist 420', 'utf16le'))).toBe('txt')
  expect(kindOf(Buffer.from(`${'a'.repeat(100)}ö`).subarray(0, 101))).toBe('txt')
  expect(kindOf(Buffer.from('47494638396100ff00', 'hex'))).toBeNull()
})

it('knows a page behind a declaration and comments', () => {
  expect(kindOf('<?xml version="1.0"?>\n<!-- made by hand -->\n<!---->\n<!doctype html><p>a</p>')).toBe('html')
  expect(kindOf('<html lang="en"><p>a</p>')).toBe('html')
  expect(kindOf('<!-- a page? --> no')).toBe('txt')
  expect(kindOf('<!-- never ends <html>')).toBe('txt')
})

it('looks at comments without end once', () => {
  expect(kindOf(`${'<!---->'.repeat(1000)}x`)).toBe('txt')
})

it('says what to do about a file that is not what it is called', () => {
  expect(refusalOf(meantKind('lease.pdf', null))).toMatch(/^It is called a PDF file, .* save it as PDF again/)
  expect(refusalOf(meantKind('blob', 'application/pdf'))).toMatch(/^It is called a PDF file/)
  expect(refusalOf(meantKind('picture.png', 'image/png'))).toMatch(/^It is called a PNG file, .* save it as PNG again/)
  expect(refusalOf(meantKind('photo.jpg', null))).toMatch(/^It is called a JPEG file/)
  expect(refusalOf(meantKind('costs.xlsx', null))).toMatch(/^It is called an XLSX file/)
  expect(refusalOf(meantKind('notes.md', null))).toMatch(/^It is called a Markdown file/)
  expect(refusalOf(meantKind('film.mp4', 'video/mp4'))).toMatch(/^Unsupported file type; supported: PDF/)
})
