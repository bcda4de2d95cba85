/**
 * What is handed on of a case in one archive: the schedule as Word and Excel, the papers it cites as they came, the newest
 * certificate, the case as it was at its last change, the public keys, and how to verify them. The same case gives the same bytes, so that a transfer that broke
 * off goes on where it ended.
 */

import { createHash } from 'node:crypto'
import { downloadName } from '../../files/file-names.js'
import { isAppError } from '../../platform/errors.js'
import { partOf, type ZipArchive, type ZipPart, zipOf } from '../../platform/zip-archive.js'
import { lastChangeOf } from '../as-of.js'
import { getCertificate, getJwks } from '../certificate-view.js'
import type { ScopeName, ScopesDeps } from '../deps.js'
import { getDocumentText } from '../document-text.js'
import { openOriginal } from '../originals.js'
import type { Statements } from '../statements.js'
import { asOfPage } from './as-of-page.js'
import { excelOf } from './excel.js'
import { readSchedule, type Schedule } from './schedule.js'
import { wordOf } from './word.js'

export interface Bundle {
  archive: ZipArchive
  /** Of everything in it: another digest is another bundle. */
  sha256: Buffer
  /** The papers in it. */
  originals: { documentId: string; revision: number }[]
}

/** Beyond them the list says what was left out. */
const most = { originals: 500, bytes: 1024 ** 3 }

export async function openBundle(deps: ScopesDeps, statements: Pick<Statements, 'asOf'>, name: ScopeName): Promise<Bundle> {
  const schedule = await readSchedule(deps, name)
  // As of its last change, and dated so: asked for again the same case gives the same bytes.
  const changed = await lastChangeOf(deps, name)
  const asOf = await statements.asOf({ ...name, at: changed.toISOString() }, changed)
  const certificate = await getCertificate(deps, name).catch((error: unknown) => {
    if (isAppError(error, 'CERTIFICATE_NOT_FOUND')) return undefined
    throw error
  })
  const originals = await citedOriginals(deps, name, schedule)
  const parts: ZipPart[] = [
    partOf('schedule.docx', await wordOf(schedule)),
    partOf('schedule.xlsx', await excelOf(schedule)),
    ...(certificate === undefined ? [] : [partOf('certificate.jws', Buffer.from(certificate.certificate))]),
    partOf('as-of.html', Buffer.from(asOfPage(asOf))),
    partOf('as-of.jws', Buffer.from(asOf.statement)),
    partOf('keys.json', Buffer.from(`${JSON.stringify(await getJwks(deps.db), null, 2)}\n`)),
    partOf('papers.json', Buffer.from(`${JSON.stringify(originals.listed, null, 2)}\n`)),
    ...originals.parts,
  ]
  const all = [partOf('README.txt', Buffer.from(readme(schedule, certificate !== undefined))), ...parts]
  return { archive: zipOf(all), sha256: await digestOf(all, originals.listed), originals: originals.given }
}

interface ListedPaper {
  document_id: string
  revision: number | null
  /** In this archive; null where there is no original, or no room. */
  file: string | null
  sha256: string | null
  why?: string
}

async function citedOriginals(deps: ScopesDeps, name: ScopeName, { cited, papers }: Schedule) {
  const parts: ZipPart[] = []
  const listed: ListedPaper[] = []
  const given: Bundle['originals'] = []
  let bytes = 0
  for (const documentId of [...cited].sort()) {
    const paper = await paperOf(deps, { ...name, documentId }, papers.get(documentId)?.name ?? documentId)
    if (paper === undefined) {
      listed.push({ document_id: documentId, revision: null, file: null, sha256: null, why: 'Neither file nor text of it is kept.' })
      continue
    }
    const { revision, sha256 } = paper
    const hasRoom = parts.length < most.originals && bytes + paper.bytes <= most.bytes
    const file = hasRoom ? `papers/${String(parts.length + 1).padStart(3, '0')} ${paper.name}` : null
    const why = hasRoom ? {} : { why: 'The archive is full: ask for this paper by itself.' }
    listed.push({ document_id: documentId, revision, file, sha256: sha256.toString('hex'), ...why })
    if (file === null) continue
    bytes += paper.bytes
    if (revision !== null) given.push({ documentId, revision })
    parts.push({ name: file, bytes: paper.bytes, read: range => paper.chunks(range) })
  }
  return { parts, listed, given }
}

/** The file as it came, else the text that was submitted; undefined where nothing is kept. */
async function paperOf(deps: ScopesDeps, input: ScopeName & { documentId: string }, title: string) {
  const original = await openOriginal(deps, { ...input, revision: undefined }).catch(undefinedWhenMissing)
  if (original !== undefined) return original
  const text = await getDocumentText(deps, { ...input, revision: undefined }).catch(undefinedWhenMissing)
  if (text?.body == null) return undefined
  const content = Buffer.from(text.body)
  const { bytes, read } = partOf('', content)
  const sha256 = createHash('sha256').update(content).digest()
  return { revision: null, name: downloadName(title, 'txt'), bytes, sha256, chunks: read }
}

function undefinedWhenMissing(error: unknown): undefined {
  if (isAppError(error, 'ORIGINAL_NOT_FOUND') || isAppError(error, 'DOCUMENT_NOT_FOUND')) return undefined
  throw error
}

/** Originals are known by their own digests and not read for it. */
async function digestOf(parts: readonly ZipPart[], papers: readonly ListedPaper[]): Promise<Buffer> {
  const hash = createHash('sha256')
  const known = new Map(papers.map(({ file, sha256 }) => [file, sha256]))
  for (const part of parts) {
    hash.update(`${part.name}\0${part.bytes}\0`)
    const digest = known.get(part.name)
    if (typeof digest === 'string') hash.update(digest)
    else for await (const piece of part.read({ first: 0, last: part.bytes - 1 })) hash.update(piece)
  }
  return hash.digest()
}

function readme({ scopeId, facts }: Schedule, isCertified: boolean): string {
  return `Case ${scopeId}

schedule.docx, schedule.xlsx   where the papers contradict each other (${facts.length}), with both quotes, and what was decided
papers/                        the papers that are quoted, as they came or as their text; papers.json has the digest (SHA-256) of each
${isCertified ? 'certificate.jws                the newest certificate of the case\n' : ''}as-of.html, as-of.jws          the case as it was at its last change, to print, and the same signed
keys.json                      the public keys they are signed with

To verify without asking the service that made it:

${isCertified ? '  concord verify certificate certificate.jws --jwks keys.json\n' : '  (The case has no certificate.)\n'}  concord verify as-of as-of.jws --jwks keys.json
  sha256sum "papers/"*         compare with papers.json

Take keys.json from the service itself (/.well-known/jwks.json) where you can: keys that came with a paper prove that nothing
was changed since, not who signed.
`
}
