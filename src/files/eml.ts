/**
 * A mail: who wrote to whom when and about what, then what it says. Files that were attached are given out, to become
 * documents of their own; pictures shown within the mail are left out, and logos and kinds that are
 * not read only counted.
 */

import PostalMime from 'postal-mime'
import { isPicture } from '../contract/file-kinds.js'
import { type Attachment, type Extracted, type ExtractionLimits, FileFault, mostAttachments } from './extraction.js'
import { writeHtml } from './html.js'
import { isLogo } from './picture-heads.js'
import { sampleOf, sniffKind } from './sniff.js'
import { TextWriter } from './text-writer.js'

export async function extractEml(bytes: Buffer, { maxChars }: ExtractionLimits): Promise<Extracted> {
  const mail = await PostalMime.parse(bytes, {
    attachmentEncoding: 'arraybuffer',
    forceRfc822Attachments: true,
    maxNestingDepth: 50,
  }).catch((error: unknown) => {
    throw new FileFault('BROKEN', error)
  })
  const out = new TextWriter({ kind: 'paragraph', maxChars })
  const paragraphs = numbered(out)
  out.at('1')
  for (const [label, value] of headersOf(mail)) if (value !== '') out.line(`${label}: ${value.replaceAll(/\s+/g, ' ')}`)
  out.gap(2)
  if (mail.text?.trim()) for (const each of mail.text.split(/\n[^\S\n]*\n/)) paragraphs(each)
  else if (mail.html?.trim()) {
    out.at('2')
    writeHtml(out, mail.html)
  }
  const { kept, notes } = chooseAttachments(mail.attachments)
  return { ...out.finish(notes), attachments: kept }
}

function numbered(out: TextWriter): (text: string) => void {
  let number = 1
  return text => {
    const lines = text.replaceAll('\r\n', '\n').trim()
    if (lines === '') return
    out.gap(2).at(String(++number)).write(lines).gap(2)
  }
}

type Mail = Awaited<ReturnType<typeof PostalMime.parse>>
type Address = NonNullable<Mail['from']>

function headersOf(mail: Mail): [string, string][] {
  return [
    ['From', addressOf(mail.from)],
    ['To', (mail.to ?? []).map(addressOf).join(', ')],
    ['Cc', (mail.cc ?? []).map(addressOf).join(', ')],
    ['Date', mail.date ?? ''],
    ['Subject', mail.subject ?? ''],
  ]
}

function addressOf(address: Address | undefined): string {
  if (address === undefined) return ''
  const { name, address: mailbox } = address
  // A group of addresses under one name, as mails to a distribution list have it.
  if (address.group !== undefined && address.group.length > 0) return `${name}: ${address.group.map(addressOf).join(', ')};`
  if (!mailbox) return name ?? ''
  return name ? `${name} <${mailbox}>` : mailbox
}

function chooseAttachments(all: Mail['attachments']): { kept: Attachment[]; notes: string[] } {
  const kept: Attachment[] = []
  let unread = 0
  let over = 0
  let small = 0
  let elsewhere = 0
  for (const { filename, mimeType, content, disposition, related } of all) {
    const bytes = Buffer.from(content as ArrayBuffer)
    const name = filename ?? (mimeType === 'message/rfc822' ? 'mail.eml' : 'attachment')
    if (related && disposition !== 'attachment' && mimeType.startsWith('image/')) continue
    if (mimeType === 'message/external-body') {
      elsewhere++
      continue
    }
    const kind = bytes.length === 0 ? null : sniffKind(sampleOf(bytes, name, mimeType))
    if (kind === null) unread++
    else if (isPicture(kind) && isLogo(bytes, kind)) small++
    else if (kept.length === mostAttachments) over++
    else kept.push({ name, declared: mimeType, bytes })
  }
  const notes = [
    ...(small === 0 ? [] : [`Attached pictures too small to be of a page, not read: ${small}.`]),
    ...(unread === 0 ? [] : [`Attachments of kinds that are not read: ${unread}.`]),
    ...(elsewhere === 0 ? [] : [`Attachments that are links to files elsewhere, not in the mail: ${elsewhere}.`]),
    ...(over === 0 ? [] : [`Attachments beyond the first ${mostAttachments}, not read: ${over}.`]),
  ]
  return { kept, notes }
}
