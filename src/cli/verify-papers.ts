/** Papers that were handed on with a signed document, held against what it says of them: the bytes of each, read here. */

import { createHash } from 'node:crypto'
import { createReadStream, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { CertificateDocument, CertificatePayload } from '../kernel/certificate-payload.js'
import type { SignedAsOf } from '../scopes/certificates/signed-as-of.js'
import { CommandError, exitCodes } from './command-error.js'
import { printable } from './text-layout.js'

export interface VerifiedPapers {
  /** Papers whose bytes are those that are signed for. */
  right: number
  /** Papers of which the signed document says nothing. */
  unsaid: string[]
  faults: string[]
}

/** As `papers.json` of a bundle has it; of 0.2.0 it lacks `kind`. */
interface Listed {
  document_id: string
  revision: number
  file: string | null
  kind?: 'file' | 'text' | null
  sha256: string | null
}

/** The document of a bundle signs for its `papers.json` and by that for every paper in it: no other may lie among them. */
export async function papersOfBundle(list: string, { papers_json_sha256: signed }: SignedAsOf): Promise<VerifiedPapers> {
  const { bytes, papers } = readList(list)
  const none = { right: 0, unsaid: [] }
  if (signed === undefined)
    return { ...none, faults: ['it signs for no papers.json: only the one in a bundle does, and none in a bundle of 0.2.0'] }
  if (createHash('sha256').update(bytes).digest('hex') !== signed)
    return { ...none, faults: [`${list} is not the papers.json that is signed for`] }
  const given = papers.filter(isGiven)
  const found = await Promise.all(given.map(async paper => ({ paper, fault: await byteFault(list, paper) })))
  const others = filesBeyond(list, given).map(file => `${file} is not among the papers that are signed for`)
  return {
    right: found.filter(({ fault }) => fault === null).length,
    unsaid: [],
    faults: [...found.flatMap(({ fault }) => fault ?? []), ...others],
  }
}

/**
 * A certificate signs for the revisions it lists. What else is quoted it says nothing of, nor of what came as a file where it signs for no
 * file at all, as those of 0.2.0. It does not sign for the list, whose word of what a paper is therefore never excuses other bytes.
 */
export async function papersOfCertificate(list: string, { documents }: CertificatePayload): Promise<VerifiedPapers> {
  const said = new Map(documents.hashes?.map(each => [`${each.revision} ${each.document_id}`, each]))
  const isOfFiles = [...said.values()].some(each => each.file_sha256 !== undefined)
  const verified: VerifiedPapers = { right: 0, unsaid: [], faults: [] }
  const given = readList(list).papers.filter(isGiven)
  for (const paper of given) {
    const { file, kind, revision, document_id, sha256 } = paper
    const fault = await byteFault(list, paper)
    const certified = said.get(`${revision} ${document_id}`)
    if (fault !== null) verified.faults.push(fault)
    else if (certified === undefined) verified.unsaid.push(file)
    else if (digestsFor(kind, certified).includes(sha256)) verified.right++
    else if (kind !== 'text' && !isOfFiles) verified.unsaid.push(file)
    else verified.faults.push(`${file} is not revision ${revision} of ${document_id} as it is certified`)
  }
  verified.faults.push(...filesBeyond(list, given).map(file => `${file} is not in ${list}`))
  if (given.length > 0 && verified.right + verified.faults.length === 0) verified.faults.push('it signs for none of the papers')
  return verified
}

/** A text may be what came as a file, too; and a list of 0.2.0 does not say which of both a paper is. */
function digestsFor(kind: Listed['kind'], { sha256, file_sha256: ofFile = sha256 }: CertificateDocument): (string | null)[] {
  if (kind === 'file') return [ofFile]
  return kind === 'text' ? [sha256] : [sha256, ofFile]
}

export function papersInWords({ right, unsaid, faults }: VerifiedPapers): string[] {
  return [
    ...faults.map(fault => `Not accepted: ${printable(fault)}.`),
    `${right} paper${right === 1 ? ' is' : 's are'} to the byte what is signed for.`,
    ...unsaid.map(file => `It says nothing of ${printable(file)}.`),
  ]
}

function readList(list: string): { bytes: Buffer; papers: Listed[] } {
  try {
    const bytes = readFileSync(list)
    const papers: unknown = JSON.parse(bytes.toString())
    if (Array.isArray(papers) && papers.every(isListed)) return { bytes, papers }
  } catch (error) {
    throw notAList(list, error)
  }
  throw notAList(list)
}

function isListed(paper: unknown): paper is Listed {
  if (typeof paper !== 'object' || paper === null) return false
  const { document_id: id, revision, file } = paper as Record<string, unknown>
  return typeof id === 'string' && typeof revision === 'number' && (typeof file === 'string' || file === null)
}

function notAList(list: string, cause?: unknown): CommandError {
  return new CommandError(`${list} cannot be read as a list of papers`, {
    next: 'unpack the bundle and give its papers.json',
    exitCode: exitCodes.usage,
    cause,
  })
}

type Given = Listed & { file: string }

function isGiven(paper: Listed): paper is Given {
  return paper.file !== null
}

/** Null where the bytes are those of the list. No list may name a file elsewhere: it is read before anybody believes it. */
async function byteFault(list: string, { file, sha256 }: Given): Promise<string | null> {
  if (!/^papers\/[^/\\]+$/.test(file)) return `${file} is no file in papers/`
  const hash = createHash('sha256')
  try {
    for await (const piece of createReadStream(join(dirname(list), file))) hash.update(piece)
  } catch {
    return `${file} cannot be read`
  }
  return hash.digest('hex') === sha256 ? null : `${file} is not the file whose digest is listed`
}

/** What lies among the papers and is not listed. */
function filesBeyond(list: string, given: readonly Given[]): string[] {
  const known = new Set(given.map(({ file }) => file))
  try {
    const files = readdirSync(join(dirname(list), 'papers')).map(name => `papers/${name}`)
    return files.filter(file => !known.has(file))
  } catch (error) {
    // A bundle without papers has no such folder.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
