/**
 * What is handed on of a case in one archive: the schedule as Word and Excel, the papers it cites as they came, each in the revision
 * that is quoted, the newest certificate, the case as it was at its last change, the public keys, and how to verify them. The same
 * case gives the same bytes, so that a transfer that broke off goes on where it ended.
 */

import { createHash } from 'node:crypto'
import { textName } from '../../files/file-names.js'
import { sha256 } from '../../kernel/canonical.js'
import { AppError, isAppError } from '../../platform/errors.js'
import { partOf, type ZipArchive, type ZipPart, zipOf } from '../../platform/zip-archive.js'
import { findText, type RevisionRef } from '../../store/documents/documents.js'
import { readTenant } from '../../store/server/database.js'
import { lastChangeOf } from '../as-of.js'
import { getCertificate, getJwks } from '../certificates/certificate-view.js'
import type { Statements } from '../certificates/statements.js'
import type { ScopeName, ScopesDeps } from '../deps.js'
import { getDocumentText } from '../documents/document-text.js'
import { openOriginal } from '../documents/originals.js'
import { resolveScope } from '../lifecycle.js'
import { asOfPage } from './as-of-page.js'
import { excelOf } from './excel.js'
import { readSchedule, type Schedule } from './schedule.js'
import { wordOf } from './word.js'

export interface Bundle {
  archive: ZipArchive
  /** Of everything in it: another digest is another bundle. */
  sha256: Buffer
  /** The papers in it: as they came, or as their text. */
  given: (RevisionRef & { kind: 'original' | 'document' })[]
}

type Deps = Pick<ScopesDeps, 'db' | 'clock'>

/** Beyond them the list says what was left out. */
const most = { papers: 500, bytes: 1024 ** 3 }

export async function openBundle(deps: Deps, statements: Pick<Statements, 'undatedAsOf'>, name: ScopeName, limits = most): Promise<Bundle> {
  const { schedule, certificate, changed } = await readUnchanged(deps, name)
  const papers = await citedPapers(deps, name, schedule, limits)
  const listed = `${JSON.stringify(papers.listed, null, 2)}\n`
  // As of its last change and without a time of signing: asked for again the same case gives the same bytes.
  const asOf = await statements.undatedAsOf({ ...name, at: changed }, { papers_json_sha256: sha256(listed) })
  const parts: ZipPart[] = [
    partOf('schedule.docx', await wordOf(schedule)),
    partOf('schedule.xlsx', await excelOf(schedule)),
    ...(certificate === undefined ? [] : [partOf('certificate.jws', Buffer.from(certificate.certificate))]),
    partOf('as-of.html', Buffer.from(asOfPage(asOf))),
    partOf('as-of.jws', Buffer.from(asOf.statement)),
    partOf('keys.json', Buffer.from(`${JSON.stringify(await getJwks(deps.db), null, 2)}\n`)),
    partOf('papers.json', Buffer.from(listed)),
    ...papers.parts,
  ]
  const all = [partOf('README.txt', Buffer.from(readme(schedule, changed, certificate?.issued_at))), ...parts]
  return { archive: zipOf(all), sha256: await digestOf(all, papers.listed), given: papers.given }
}

/** What the case was at one moment, its last change: read again where something came in between. */
async function readUnchanged(deps: Deps, name: ScopeName) {
  for (let reads = 0; reads < mostReads; reads++) {
    const { at: changed, change } = await lastChangeOf(deps, name)
    const schedule = await readSchedule(deps, name)
    const certificate = await getCertificate(deps, name).catch((error: unknown) => {
      if (isAppError(error, 'CERTIFICATE_NOT_FOUND')) return undefined
      throw error
    })
    if ((await lastChangeOf(deps, name)).change === change) return { schedule, certificate, changed }
  }
  throw new AppError('OVERLOADED', { detail: 'The case changed each time while it was read. Retry once it rests.', retryAfterSeconds: 2 })
}

const mostReads = 5

interface ListedPaper {
  document_id: string
  /** The one that is quoted, whatever came after it. */
  revision: number
  /** In this archive; null where nothing is kept of it, or no room. */
  file: string | null
  /** What it is here, and what the digest is of: the file as it came, or the text that was read. Null where nothing is kept. */
  kind: 'file' | 'text' | null
  sha256: string | null
  why?: string
}

async function citedPapers(deps: Deps, name: ScopeName, { cited }: Schedule, limits: typeof most) {
  const parts: ZipPart[] = []
  const listed: ListedPaper[] = []
  const given: Bundle['given'] = []
  let bytes = 0
  for (const [place, { documentId, revision, name: title }] of cited.entries()) {
    const paper = await paperOf(deps, { ...name, documentId, revision }, title ?? documentId)
    if (paper === undefined) {
      listed.push({ document_id: documentId, revision, file: null, kind: null, sha256: null, why: 'Neither file nor text of it is kept.' })
      continue
    }
    const hasRoom = parts.length < limits.papers && bytes + paper.bytes <= limits.bytes
    const isAlone = [cited[place - 1], cited[place + 1]].every(neighbour => neighbour?.documentId !== documentId)
    const number = `${String(parts.length + 1).padStart(3, '0')}${isAlone ? '' : ` revision ${revision}`}`
    const file = hasRoom ? `papers/${number} ${shortened(paper.name)}` : null
    const why = hasRoom ? {} : { why: 'The archive is full: ask for this paper by itself.' }
    const kind = paper.kind === 'original' ? 'file' : 'text'
    listed.push({ document_id: documentId, revision, file, kind, sha256: paper.sha256.toString('hex'), ...why })
    if (file === null) continue
    bytes += paper.bytes
    given.push({ kind: paper.kind, documentId, revision })
    parts.push({ name: file, bytes: paper.bytes, read: paper.read })
  }
  return { parts, listed, given }
}

type Paper = Omit<ZipPart, 'name'> & { kind: 'original' | 'document'; name: string; sha256: Buffer }

/** The file as it came, else the text that was submitted; undefined where nothing is kept. Read when its turn comes. */
async function paperOf(deps: Deps, input: ScopeName & RevisionRef, title: string): Promise<Paper | undefined> {
  const original = await openOriginal(deps, input).catch(undefinedWhenMissing)
  if (original !== undefined) return { kind: 'original', read: range => original.chunks(range), ...original }
  const { tenantId, scopeId } = input
  const text = await readTenant(deps.db, tenantId, async tx => findText(tx, await resolveScope(tx, scopeId), input))
  if (text === null) return undefined
  const { bytes, hash } = text
  return {
    kind: 'document',
    name: textName(title),
    bytes,
    sha256: hash,
    async *read({ first, last }) {
      // Erased meanwhile: `DOCUMENT_NOT_FOUND`, and the archive breaks off.
      const { body } = await getDocumentText(deps, input)
      yield Buffer.from(body ?? '').subarray(first, last + 1)
    },
  }
}

/**
 * With its ending, and as short as file systems take it in any writing. Without what Windows takes in no name: what is unpacked there would
 * not be called as it is listed.
 */
function shortened(name: string): string {
  const [, stem = name, ending = ''] = /^(.+?)(\.[^.]{1,10})?$/su.exec(name.replaceAll(/[:?*<>"|]/g, '_')) ?? []
  return [...stem].slice(0, 50).join('') + ending
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

function readme({ scopeId, facts }: Schedule, changed: string, certified: string | undefined): string {
  return `Case ${scopeId}

schedule.docx, schedule.xlsx   where the papers contradict each other (${facts.length}), with both quotes, and what was decided
papers/                        the papers that are quoted, in the revision that is quoted, as they came or as their text;
                               papers.json has the digest (SHA-256) of each, of the bytes of a file or of a text, and as-of.jws
                               the digest of papers.json: so each is signed
${certified === undefined ? '' : `certificate.jws                the newest certificate of the case, signed on ${certified}\n`}as-of.html, as-of.jws          the case as it was on ${changed}, when it last changed, to print, and the same signed;
                               it speaks of that moment and does not say when it was signed, so that the same case always
                               gives the same archive
keys.json                      the public keys they are signed with

To verify without asking the service that made it:

${certified === undefined ? '  (The case has no certificate.)\n' : '  concord verify certificate certificate.jws --jwks keys.json --papers papers.json\n'}  concord verify as-of as-of.jws --jwks keys.json --papers papers.json

With papers.json they read every paper beside it and compare its bytes with what is signed: as-of.jws signs for all that are
here, the certificate for those it lists, in the revision it lists. Without the program: the SHA-256 of each paper is in
papers.json, that of papers.json in as-of.jws (papers_json_sha256).

Take keys.json from the service itself (/.well-known/jwks.json) where you can: keys that came with a paper prove that nothing
was changed since, not who signed.
`
}
