/**
 * A message of Outlook ([MS-OXMSG]), written as the mail it was and read as one: the same headers, text and attachments. A message
 * within it becomes a mail within that mail.
 */

import { type CompoundFile, openCompound, type Storage } from './compound-file.js'
import { extractEml } from './eml.js'
import { type Extracted, type ExtractionLimits, FileFault } from './extraction.js'
import { type RichText, readRichText } from './rtf.js'
import { WholeTextDecoder } from './text-decoder.js'

/** Of the text of a message, unpacked. */
const mostRichBytes = 16 * 1024 * 1024
/** Ways to attach a file that leave it where it is. */
const byReference = new Set([2, 3, 4, 7])

/** Messages within messages: one more than are followed as documents. */
const mostDepth = 4

export async function extractMsg(bytes: Buffer, limits: ExtractionLimits): Promise<Extracted> {
  const file = openCompound(bytes, limits.maxUnpackedBytes)
  if (file.root.streams.has('EncryptedPackage')) throw new FileFault('ENCRYPTED')
  return extractEml(Buffer.from(new Message(file, file.root, 32).asMail(0), 'latin1'), limits)
}

/** Tags of properties that are looked at. */
const tags = {
  subject: 0x0037,
  submitted: 0x0039,
  representingName: 0x0042,
  representingAddress: 0x0065,
  recipientType: 0x0c15,
  senderName: 0x0c1a,
  senderAddress: 0x0c1f,
  delivered: 0x0e06,
  body: 0x1000,
  rtf: 0x1009,
  html: 0x1013,
  displayName: 0x3001,
  address: 0x3003,
  smtpAddress: 0x39fe,
  data: 0x3701,
  shortName: 0x3704,
  method: 0x3705,
  longName: 0x3707,
  mimeType: 0x370e,
  contentId: 0x3712,
  internetCodepage: 0x3fde,
  codepage: 0x3ffd,
  senderSmtp: 0x5d01,
  representingSmtp: 0x5d02,
  hidden: 0x7ffe,
} as const

/** A storage with properties: those of fixed length in one stream, others each in its own. */
class Properties {
  protected readonly file: CompoundFile
  protected readonly storage: Storage
  private readonly fixed = new Map<number, Buffer>()
  private readonly decoder: () => InstanceType<typeof TextDecoder>

  constructor(file: CompoundFile, storage: Storage, headBytes: number, decoder?: () => InstanceType<typeof TextDecoder>) {
    this.file = file
    this.storage = storage
    this.decoder = decoder ?? (() => decoderOf(this.number(tags.codepage) ?? this.number(tags.internetCodepage) ?? 1252))
    const stream = storage.streams.get('__properties_version1.0')
    if (stream === undefined) throw new FileFault('BROKEN')
    const all = file.read(stream)
    for (let at = headBytes; at + 16 <= all.length; at += 16) this.fixed.set(all.readUInt16LE(at + 2), all.subarray(at + 8, at + 16))
  }

  number(tag: number): number | null {
    return this.fixed.get(tag)?.readInt32LE(0) ?? null
  }

  /** Counted in tenths of a microsecond from 1601 on. */
  moment(tag: number): Date | null {
    const ticks = this.fixed.get(tag)?.readBigUInt64LE(0)
    const moment = ticks === undefined ? null : new Date(Number(ticks / 10_000n) - 11_644_473_600_000)
    return moment === null || Number.isNaN(moment.getTime()) ? null : moment
  }

  text(tag: number): string | null {
    const wide = this.bytes(tag, '001F')
    if (wide !== null) return wide.toString('utf16le').replace(/\0+$/, '')
    const narrow = this.bytes(tag, '001E')
    return narrow === null ? null : this.decoder().decode(narrow).replace(/\0+$/, '')
  }

  bytes(tag: number, type: '001E' | '001F' | '0102'): Buffer | null {
    const stream = this.storage.streams.get(this.nameOf(tag, type))
    return stream === undefined ? null : this.file.read(stream)
  }

  within(tag: number): Storage | undefined {
    return this.storage.storages.get(this.nameOf(tag, '000D'))
  }

  private nameOf(tag: number, type: string): string {
    return `__substg1.0_${tag.toString(16).toUpperCase().padStart(4, '0')}${type}`
  }

  protected readonly decoderForParts = () => this.decoder()
}

class Message extends Properties {
  asMail(depth: number): string {
    const boundary = `part-${depth}-of-a-message`
    const [to, cc] = this.recipients()
    const date = this.moment(tags.submitted) ?? this.moment(tags.delivered)
    const head = [
      header('From', this.sender()),
      header('To', to.join(', ')),
      header('Cc', cc.join(', ')),
      header('Date', date?.toUTCString() ?? ''),
      header('Subject', encoded(this.text(tags.subject) ?? '')),
      'MIME-Version: 1.0\r\n',
      `Content-Type: multipart/mixed; boundary="${boundary}"\r\n`,
    ]
    const parts = [this.textPart(), ...this.attachments(depth)].map(part => `--${boundary}\r\n${part}\r\n`)
    return `${head.join('')}\r\n${parts.join('')}--${boundary}--\r\n`
  }

  /** A draft has no sender yet, only who it is to be from. */
  private sender(): string {
    const own = addressOf(this.text(tags.senderName), this.text(tags.senderSmtp) ?? this.text(tags.senderAddress))
    if (own !== '') return own
    return addressOf(this.text(tags.representingName), this.text(tags.representingSmtp) ?? this.text(tags.representingAddress))
  }

  private textPart(): string {
    const body = this.text(tags.body)
    if (body?.trim()) return partOf('text/plain; charset=utf-8', Buffer.from(body))
    const coded = this.bytes(tags.html, '0102')
    const html = coded === null ? this.text(tags.html) : decoderOf(this.number(tags.internetCodepage) ?? 65001).decode(coded)
    const rich = html?.trim() ? null : this.richText()
    const isHtml = rich === null || rich.isHtml
    return partOf(`text/${isHtml ? 'html' : 'plain'}; charset=utf-8`, Buffer.from(rich?.text ?? html ?? ''))
  }

  private richText(): RichText | null {
    const packed = this.bytes(tags.rtf, '0102')
    return packed === null || packed.length === 0 ? null : readRichText(packed, mostRichBytes, decoderOf)
  }

  private recipients(): [to: string[], cc: string[]] {
    const found: [string[], string[]] = [[], []]
    for (const storage of this.storagesOf('__recip_version1.0_')) {
      const each = new Properties(this.file, storage, 8, this.decoderForParts)
      const kind = each.number(tags.recipientType) ?? 1
      const address = addressOf(each.text(tags.displayName), each.text(tags.smtpAddress) ?? each.text(tags.address))
      if (kind === 1 || kind === 2) found[kind - 1]?.push(address)
    }
    return found
  }

  private *attachments(depth: number): Generator<string> {
    for (const storage of this.storagesOf('__attach_version1.0_')) {
      const each = new Properties(this.file, storage, 8, this.decoderForParts)
      const message = each.within(tags.data)
      const name = each.text(tags.longName) ?? each.text(tags.shortName) ?? each.text(tags.displayName)
      if (message?.streams.has('__properties_version1.0') && depth < mostDepth) {
        const mail = new Message(this.file, message, 24).asMail(depth + 1)
        yield partOf('message/rfc822', Buffer.from(mail, 'latin1'), `${(name ?? 'mail').replace(/\.(?:msg|eml)$/i, '')}.eml`)
        continue
      }
      if (byReference.has(each.number(tags.method) ?? 0)) {
        yield partOf('message/external-body; access-type=local-file', Buffer.alloc(0), name ?? 'attachment')
        continue
      }
      const bytes = each.bytes(tags.data, '0102')
      // Pictures shown within the text, as of a signature.
      const isShown = (each.number(tags.hidden) ?? 0) !== 0 && each.text(tags.contentId) !== null
      if (bytes !== null && !isShown) yield partOf(typeOf(each.text(tags.mimeType)), bytes, name ?? 'attachment')
    }
  }

  private storagesOf(prefix: string): Storage[] {
    const names = [...this.storage.storages.keys()].filter(name => name.startsWith(prefix)).sort()
    return names.map(name => this.storage.storages.get(name) as Storage)
  }
}

function header(name: string, value: string): string {
  return value === '' ? '' : `${name}: ${value}\r\n`
}

/** Written so that no name can end its line and begin another. */
function encoded(text: string): string {
  return text === '' ? '' : `=?utf-8?B?${Buffer.from(text.replaceAll(/\s+/g, ' ')).toString('base64')}?=`
}

/** Within a company an address is a path in its directory, which says nothing to others. */
function addressOf(name: string | null, address: string | null): string {
  const mailbox = address?.includes('@') ? address.replaceAll(/[^\w.!#$%&'*+/=?^`{|}~@-]/g, '') : ''
  const person = name === address ? '' : encoded(name?.trim() ?? '')
  if (mailbox === '') return encoded(name?.trim() ?? '')
  return person === '' ? mailbox : `${person} <${mailbox}>`
}

function typeOf(declared: string | null): string {
  return declared !== null && /^[\w.+-]{1,60}\/[\w.+-]{1,100}$/.test(declared) ? declared : 'application/octet-stream'
}

function partOf(type: string, bytes: Buffer, name?: string): string {
  const named = name === undefined ? '' : `Content-Disposition: attachment; filename*=UTF-8''${percentEncoded(name)}\r\n`
  return `Content-Type: ${type}\r\n${named}Content-Transfer-Encoding: base64\r\n\r\n${bytes.toString('base64')}\r\n`
}

function percentEncoded(name: string): string {
  return encodeURIComponent(name.replaceAll(/\p{Surrogate}/gu, '')).replaceAll(/['()*!]/g, each => `%${each.charCodeAt(0).toString(16)}`)
}

const codepages: Readonly<Record<number, string>> = {
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  1200: 'utf-16le',
  20127: 'windows-1252',
  20866: 'koi8-r',
  20932: 'euc-jp',
  28591: 'windows-1252',
  28592: 'iso-8859-2',
  28605: 'iso-8859-15',
  50220: 'iso-2022-jp',
  65001: 'utf-8',
}

function decoderOf(codepage: number): InstanceType<typeof TextDecoder> {
  const windows = codepage >= 1250 && codepage <= 1258 ? `windows-${codepage}` : 'windows-1252'
  return new WholeTextDecoder(codepages[codepage] ?? windows)
}
