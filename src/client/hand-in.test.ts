/** What is handed in how: the desk and the command line both ask this. */
import { describe, expect, it } from 'vitest'
import { type FileToHandIn, handInOf, NotTakenError } from './hand-in.js'

const file = (name: string, content: string | Uint8Array, more: Partial<FileToHandIn> = {}): FileToHandIn => ({
  scopeId: 'case-1',
  name,
  bytes: typeof content === 'string' ? new TextEncoder().encode(content) : content,
  ...more,
})

describe('a file is handed in', () => {
  it.each([
    ['note.md', '# Note', 'text', 'md'],
    ['page.txt', '<!doctype html><p>a</p>', 'text', 'html'],
    ['no-ending', 'Just text.', 'text', 'txt'],
    ['old.txt', Buffer.from('Die Größe', 'latin1'), 'file', 'text/plain'],
    ['long.txt', 'The depot holds 40 trucks. '.repeat(5000), 'file', 'text/plain'],
    ['docx-named.txt', 'PK\u0003\u0004', 'file', 'application/octet-stream'],
    ['pdf-named.txt', '%PDF-1.7 all in ASCII', 'file', 'application/pdf'],
    ['mail.txt', 'Message-ID: <1@x>\nFrom: a@b\n\nHello', 'file', 'message/rfc822'],
  ])('%s', async (name, content, as, kind) => {
    const handIn = await handInOf(file(name, content))
    expect([handIn.as, handIn.as === 'text' ? handIn.document.type : handIn.mediaType]).toEqual([as, kind])
  })

  it('as text of the type that is given, where it is a short text', async () => {
    expect(await handInOf(file('a.txt', '<!doctype html><p>a</p>', { type: 'md' }))).toMatchObject({ as: 'text', document: { type: 'md' } })
    expect(await handInOf(file('a.txt', 'x'.repeat(100_001), { type: 'md' }))).toMatchObject({ as: 'file', mediaType: 'text/markdown' })
  })

  it('under an id of its name and a key of its content', async () => {
    const [first, edited] = [await handInOf(file('a.txt', 'one')), await handInOf(file('a.txt', 'two'))]
    if (first.as !== 'text' || edited.as !== 'text') throw new Error('both are texts')
    expect(first.document.document_id).toMatch(/^file-[0-9a-f]{32}$/)
    expect(edited.document.document_id).toBe(first.document.document_id)
    expect(edited.key).not.toBe(first.key)
    expect((await handInOf(file('a.txt', 'one'))).key).toBe(first.key)
  })

  it('under a key of its own for each document that is named', async () => {
    for (const [name, content] of [
      ['note.txt', 'Just text.'],
      ['scan.pdf', '%PDF-1.7 all in ASCII'],
    ] as const) {
      const keyOf = async (documentId?: string) => (await handInOf(file(name, content, { documentId }))).key
      const keys = [await keyOf(), await keyOf('a'), await keyOf('b'), await keyOf('a')]
      expect(new Set(keys).size, name).toBe(3)
      expect(keys[3]).toBe(keys[1])
    }
  })

  it('unless it is empty or never read', async () => {
    const picture = Buffer.from('47494638396100', 'hex')
    for (const [name, content, reason] of [
      ['empty.txt', '', /^It is empty/],
      ['picture.gif', picture, /^Unsupported file type/],
      ['broken.pdf', picture, /^It is called a PDF file/],
    ] as const) {
      const refused = handInOf(file(name, content))
      await expect(refused).rejects.toBeInstanceOf(NotTakenError)
      await expect(refused).rejects.toThrow(reason)
    }
  })
})
