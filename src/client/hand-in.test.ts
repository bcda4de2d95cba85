/** What is handed in how: the desk and the command line both ask this. */
import { describe, expect, it } from 'vitest'
import { type FileToHandIn, handInOf, NotTakenError, sendHandIn } from './hand-in.js'

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

describe('a file that was handed in before', () => {
  const answering = (now: object, sent: unknown[]) =>
    ({
      ingest: (document: { idempotency_key: string }) => {
        sent.push(document.idempotency_key)
        return Promise.resolve({ document_id: 'file-a', seq: 1, replayed: sent.length === 1 })
      },
      document: () => Promise.resolve({ status: 'indexed', reason: null, file: null, erased_at: null, about: null, revision: 1, ...now }),
    }) as unknown as Parameters<typeof sendHandIn>[0]

  it('is known, or handed in again where the document says something else by now', async () => {
    const handIn = await handInOf(file('a.txt', 'one'))
    const [known, changed]: [unknown[], unknown[]] = [[], []]
    expect((await sendHandIn(answering({ content_hash: handIn.hash }, known), handIn)).replayed).toBe(true)
    expect((await sendHandIn(answering({ content_hash: 'other' }, changed), handIn)).replayed).toBe(false)
    expect([known.length, new Set(changed).size]).toEqual([1, 2])
  })

  it.each(['the same', 'something else'])('is not taken where it was erased and said %s, and that is said', async said => {
    const handIn = await handInOf(file('a.txt', 'one'))
    const sent: unknown[] = []
    const client = answering({ content_hash: said === 'the same' ? handIn.hash : 'other', erased_at: '2026-01-02T03:04:05Z' }, sent)
    await expect(sendHandIn(client, handIn)).rejects.toThrow(NotTakenError)
    sent.length = 0
    await expect(sendHandIn(client, handIn)).rejects.toThrow(/erased on 2026-01-02 .* another name/)
    expect(sent).toHaveLength(1)
  })
})
