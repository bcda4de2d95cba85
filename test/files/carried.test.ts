import { describe, expect, it } from 'vitest'
import type { FileKind } from '../../src/contract/file-kinds.js'
import { openCompound } from '../../src/files/compound-file.js'
import { extract } from '../../src/files/extract.js'
import { pathName } from '../../src/files/file-names.js'
import { sampleOf, sniffKind } from '../../src/files/sniff.js'
import { compoundOf, type MessageParts, msgOf } from '../support/msg.js'
import { docxOf, said } from '../support/office.js'
import { zipOf } from '../support/zip.js'

const limits = { maxChars: 200_000, maxUnpackedBytes: 16 * 1024 * 1024 }
const read = (bytes: Buffer, kind: FileKind) => extract(bytes, kind, limits)
const kindOf = (bytes: Buffer, name: string) => sniffKind(sampleOf(bytes, name))
const faultOf = (bytes: Buffer, kind: FileKind) =>
  read(bytes, kind).then(
    () => 'read',
    (error: { code?: string }) => error.code,
  )
const textOf = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString('utf8')

describe('an archive', () => {
  it('lists what is in it, and gives out every file that is read under its path', async () => {
    const archive = zipOf({
      'contracts/': '',
      'contracts/lease.docx': docxOf([said('The rent is EUR 5.')]),
      'contracts/old/lease.txt': 'The rent is EUR 4.',
      'photo.bin': Buffer.from([0, 1, 2, 3, 0, 9]),
      'empty.txt': '',
      '__MACOSX/._lease.txt': 'x',
    })
    const found = await read(archive, 'zip')
    expect(found.text).toBe('Files in the archive:\n\n- contracts/lease.docx\n- contracts/old/lease.txt\n- photo.bin\n- empty.txt')
    expect(found.attachments.map(({ name }) => name)).toEqual(['contracts/lease.docx', 'contracts/old/lease.txt'])
    expect(textOf(found.attachments[1]?.bytes)).toBe('The rent is EUR 4.')
    expect(found.notes).toEqual(['Files in the archive that are empty or of kinds that are not read: 2.'])
  })

  it('gives out so many and counts the others', async () => {
    const found = await read(zipOf(Object.fromEntries(Array.from({ length: 103 }, (_, n) => [`${n}.txt`, `Number ${n}.`]))), 'zip')
    expect(found.attachments).toHaveLength(100)
    expect(found.notes).toEqual(['Files in the archive beyond the first 100, not read: 3.'])
  })

  it('reads names of older programs', async () => {
    const archive = zipOf({ 'Gr##e.txt': 'Die Fläche ist 4 m².' })
    for (let at = archive.indexOf('##'); at >= 0; at = archive.indexOf('##', at)) archive.set([0x94, 0xe1], at)
    expect((await read(archive, 'zip')).attachments[0]?.name).toBe('Größe.txt')
  })

  /** Its directory and its local head say so many bytes of the first file. */
  const saying = (archive: Buffer, bytes: number) => {
    const copy = Buffer.from(archive)
    copy.writeUInt32LE(bytes, copy.indexOf('PK\u0001\u0002', 0, 'latin1') + 24)
    return copy
  }
  const shared = (archive: Buffer) => {
    const copy = Buffer.from(archive)
    const [first, second] = [copy.indexOf('PK\u0001\u0002', 0, 'latin1'), copy.lastIndexOf('PK\u0001\u0002', undefined, 'latin1')]
    copy.copy(copy, second + 16, first + 16, first + 28)
    copy.copy(copy, second + 42, first + 42, first + 46)
    return copy
  }
  const locked = (archive: Buffer) => {
    const copy = Buffer.from(archive)
    copy.writeUInt16LE(1, copy.indexOf('PK\u0001\u0002', 0, 'latin1') + 8)
    return copy
  }
  it.each<[string, () => Buffer, string]>([
    ['that says it is larger than may be kept', () => saying(zipOf({ 'a.txt': 'a' }), 65 * 1024 * 1024), 'TOO_LARGE'],
    ['that is larger than it says', () => saying(zipOf({ 'a.txt': Buffer.alloc(1024 * 1024, 97) }), 1000), 'TOO_LARGE'],
    [
      'whose files share their bytes',
      () => shared(zipOf({ 'a.txt': Buffer.from(Array.from({ length: 900 }, (_, n) => (n * 7919) % 251)), 'b.txt': 'b' })),
      'BROKEN',
    ],
    ['behind a password', () => locked(zipOf({ 'a.txt': 'a' })), 'ENCRYPTED'],
    ['with nothing in it', () => zipOf({ 'a/': '' }), 'NO_TEXT'],
    ['that was cut off', () => zipOf({ 'a.txt': 'a' }).subarray(0, 40), 'BROKEN'],
  ])('%s is refused for its reason', async (_name, bytes, code) => {
    expect(await faultOf(bytes(), 'zip')).toBe(code)
  })

  it('with a damaged file gives out the others', async () => {
    const archive = zipOf({ 'a.txt': 'a'.repeat(500), 'b.txt': 'The rent is EUR 4.' })
    archive.fill(0xff, 35, 39)
    const found = await read(archive, 'zip')
    expect(found.attachments.map(({ name }) => name)).toEqual(['b.txt'])
    expect(found.notes).toEqual(['Files in the archive that are damaged, not read: 1.'])
  })

  it('is one unless it is an office file, a program or damaged', () => {
    expect(kindOf(zipOf({ 'a.txt': 'a' }), 'papers')).toBe('zip')
    expect(kindOf(docxOf([said('a')]), 'a.zip')).toBe('docx')
    expect(kindOf(zipOf({ 'META-INF/MANIFEST.MF': 'a', 'A.class': 'b' }), 'a.zip')).toBeNull()
    expect(kindOf(zipOf({ 'a.txt': 'a' }), 'a.docx')).toBeNull()
    expect(kindOf(zipOf({ 'a.txt': 'a' }).subarray(0, 50), 'a')).toBeNull()
  })

  it.each([
    ['../../etc/passwd', 'etc/passwd'],
    ['/root/a.txt', 'root/a.txt'],
    ['C:\\Users\\a.txt', 'Users/a.txt'],
    ['a/./b/../c\u202etxt.pdf', 'a/b/ctxt.pdf'],
    ['..', 'file'],
    [`${'long/'.repeat(200)}a.txt`, `${'long/'.repeat(99)}a.txt`],
  ])('names %s so that it leads nowhere', (given, name) => {
    expect(pathName(given, 'file')).toBe(name)
  })
})

const message: MessageParts = {
  subject: 'Lease – Entwurf',
  from: ['Ana Berg', 'ana@alder.example'],
  to: [
    ['Board', 'board@alder.example'],
    ['Jörg Ä', 'joerg@alder.example'],
  ],
  cc: [['Files', '/O=ALDER/CN=FILES']],
  date: '2026-03-02T09:00:00Z',
  body: 'Dear all,\r\n\r\nthe rent of the Hamburg office is EUR 12,900 a month.\r\n',
  attachments: [
    { name: 'Größe.txt', bytes: `The office has 420 m². ${'And so on. '.repeat(500)}` },
    { name: 'photo.bin', bytes: Buffer.from([0, 1, 2, 0]) },
    {
      name: 'Offer',
      message: {
        subject: 'Offer',
        from: ['Landlord', 'l@x.example'],
        to: [],
        date: '2026-03-01T09:00:00Z',
        html: '<p>We ask <b>EUR 13,000</b>.</p>',
      },
    },
  ],
}

describe('a message of Outlook', () => {
  it('gives its headers, its text and what was attached, as a mail does', async () => {
    const found = await read(msgOf(message), 'msg')
    expect(found.text).toMatch(
      /^From: Ana Berg <ana@alder\.example>\nTo: Board <board@alder\.example>, Jörg Ä <joerg@alder\.example>\nCc: Files\nDate: 2026-03-02T09:00:00.000Z\nSubject: Lease – Entwurf\n\nDear all,\n\nthe rent of the Hamburg office is EUR 12,900 a month\.$/,
    )
    expect(found.attachments.map(({ name }) => name)).toEqual(['Größe.txt', 'Offer.eml'])
    expect(textOf(found.attachments[0]?.bytes)).toMatch(/^The office has 420 m²\. And so on\./)
    expect(found.notes).toEqual(['Attachments of kinds that are not read: 1.'])
    const within = await read(Buffer.from(found.attachments[1]?.bytes ?? []), 'eml')
    expect(within.text).toMatch(/^From: Landlord <l@x\.example>\nDate: .*\nSubject: Offer\n\nWe ask EUR 13,000\.$/)
  })

  const unpackedAs = (rtf: string) =>
    Buffer.concat([Buffer.from([0, 0, 0, 0]), lengthOf(rtf), Buffer.from('MELA\0\0\0\0'), Buffer.from(rtf, 'latin1')])
  const lengthOf = (text: string) => Buffer.from(new Uint32Array([text.length]).buffer)
  const bodyOf = async (parts: Partial<MessageParts>) =>
    (await read(msgOf({ subject: 'A', from: ['B', 'b@x.example'], to: [], date: message.date, ...parts }), 'msg')).text
      .split('\n\n')
      .slice(1)
      .join('\n\n')

  it.each<[string, Buffer, string]>([
    // Both from [MS-OXRTFCP].
    [
      'packed',
      Buffer.from(
        '2d0000002b0000004c5a4675f1c5c7a703000a00726370673132354232 0af32068656c0900206277 05b06c647d0a800fa0'.replaceAll(' ', ''),
        'hex',
      ),
      'hello world',
    ],
    ['that repeats itself', Buffer.from('1a0000001c0000004c5a4675e2d44b51410004205758595a0d6e7d010eb0', 'hex'), 'WXYZWXYZWXYZWXYZWXYZ'],
    [
      'with paragraphs, characters, fields and a picture',
      unpackedAs(
        String.raw`{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fswiss\fcharset0 Arial;}{\f1\fswiss\fcharset204 Arial;}}{\*\generator Riched20;}\f0 The rent is \'80 12,900.\par{\pict 00ff}{\field{\*\fldinst HYPERLINK "x"}{\fldrslt Notice}}: \u8211?\~six months\par {\f1 \'cf\'f0}\{a\}}`,
      ),
      'The rent is € 12,900.\nNotice: –\u00a0six months\nПр{a}',
    ],
    [
      'made of HTML',
      unpackedAs(
        String.raw`{\rtf1\ansi\ansicpg1252\fromhtml1 \deff0{\fonttbl{\f0 Arial;}}{\*\htmltag19 <html>}{\*\htmltag64 <p>}\htmlrtf {\b \htmlrtf0 We ask {\*\htmltag84 <b>}EUR 13,000{\*\htmltag92 </b>}.\htmlrtf }\par\htmlrtf0 {\*\htmltag72 </p>}{\*\htmltag27 </html>}}`,
      ),
      'We ask EUR 13,000.',
    ],
    ['with control words that nobody knows', unpackedAs(String.raw`{\rtf1\ansi The fee is \constructor 5.}`), 'The fee is 5.'],
  ])('in Rich Text alone is read: %s', async (_name, rtf, text) => {
    expect(await bodyOf({ rtf })).toBe(text)
  })

  it('is refused where its Rich Text is damaged or says that it is huge', async () => {
    const huge = unpackedAs('{\\rtf1 a}')
    huge.writeUInt32LE(2 ** 31, 4)
    const whole = { subject: 'A', from: ['B', 'b@x.example'] as [string, string], to: [], date: message.date }
    expect(await faultOf(msgOf({ ...whole, rtf: huge }), 'msg')).toBe('TOO_LARGE')
    expect(await faultOf(msgOf({ ...whole, rtf: Buffer.from('no such thing, long enough') }), 'msg')).toBe('BROKEN')
    expect(await faultOf(msgOf({ ...whole, rtf: unpackedAs(`{\\rtf1 ${'{'.repeat(5000)}`) }), 'msg')).toBe('TOO_COMPLEX')
  })

  it('of an older version is read in its code page, names of what is attached too', async () => {
    const encode = (text: string) =>
      Buffer.from([...text].map(each => (each >= 'А' ? each.charCodeAt(0) - 0x410 + 0xc0 : each.charCodeAt(0))))
    const older: MessageParts = {
      ...{ subject: 'Договор', from: ['Анна', 'anna@x.example'], to: [['Борис', 'boris@x.example']], date: message.date },
      ...{ body: 'Цена 5.', ansi: { codepage: 1251, encode }, attachments: [{ name: 'Смета.txt', bytes: 'EUR 5.' }] },
    }
    const found = await read(msgOf(older), 'msg')
    expect(found.text).toMatch(/^From: Анна <anna@x\.example>\nTo: Борис <boris@x\.example>\n[^\n]*\nSubject: Договор\n\nЦена 5\.$/)
    expect(found.attachments.map(({ name }) => name)).toEqual(['Смета.txt'])
  })

  it('says what is only linked to, also in a message within it', async () => {
    const linked = { name: 'plan.pdf', path: '\\\\server\\plan.pdf' }
    const found = await read(
      msgOf({ ...message, attachments: [linked, { name: 'Offer', message: { ...message, attachments: [linked] } }] }),
      'msg',
    )
    const note = 'Attachments that are links to files elsewhere, not in the mail: 1.'
    expect([found.notes, found.attachments.map(({ name }) => name)]).toEqual([[note], ['Offer.eml']])
    expect((await read(Buffer.from(found.attachments[0]!.bytes), 'eml')).notes).toEqual([note])
  })

  it('cannot write a header by its subject or its names', async () => {
    const { text } = await read(
      msgOf({ ...message, subject: 'A\r\nFrom: evil@x.example', from: ['B\r\nTo: x', 'a@b\r\nCc: y'], attachments: [] }),
      'msg',
    )
    expect(text).toMatch(/^From: B To: x <a@bCcy>\nTo: Board/)
    expect(text).toContain('\nSubject: A From: evil@x.example\n')
  })

  it('is told by its content or its name', () => {
    expect(kindOf(msgOf(message), 'mail')).toBe('msg')
    expect(kindOf(compoundOf({ WordDocument: Buffer.from('old') }), 'a.doc')).toBeNull()
  })

  it.each<[string, () => Buffer, string]>([
    ['another file of the kind', () => compoundOf({ WordDocument: Buffer.from('old') }), 'BROKEN'],
    ['an encrypted one', () => compoundOf({ EncryptedPackage: Buffer.from('x') }), 'ENCRYPTED'],
    ['half a message', () => msgOf(message).subarray(0, 3000), 'BROKEN'],
    ['a mark and nothing else', () => Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'BROKEN'],
  ])('%s is refused for its reason', async (_name, bytes, code) => {
    expect(await faultOf(bytes(), 'msg')).toBe(code)
  })

  it('whose chains or folders go in circles is refused, and what streams share is counted', () => {
    const circling = compoundOf({ big: Buffer.alloc(5000, 1) })
    circling.writeUInt32LE(0, circling.length - 512)
    const file = openCompound(circling, 1e6)
    expect(() => file.read(file.root.streams.get('big')!)).toThrow(expect.objectContaining({ code: 'BROKEN' }))
    const tree = compoundOf({ first: Buffer.from('a'), second: Buffer.from('b') })
    const entry = tree.indexOf(Buffer.from('second', 'utf16le'))
    tree.writeUInt32LE(1, entry + 68)
    expect(() => openCompound(tree, 1e6)).toThrow(expect.objectContaining({ code: 'BROKEN' }))
    const many = openCompound(compoundOf({ big: Buffer.alloc(5000, 1) }), 12_000)
    const stream = many.root.streams.get('big')!
    expect([many.read(stream).length, many.read(stream).length]).toEqual([5000, 5000])
    expect(() => many.read(stream)).toThrow(expect.objectContaining({ code: 'TOO_LARGE' }))
  })
})
