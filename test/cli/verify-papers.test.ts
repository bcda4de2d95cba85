/** Papers beside a list that nobody signed, held against a certificate. */

import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { papersOfCertificate } from '../../src/cli/verify-papers.js'
import type { CertificateDocument, CertificatePayload } from '../../src/kernel/certificate-payload.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'papers-'))
  mkdirSync(join(folder, 'papers'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const digestOf = (content: string) => createHash('sha256').update(content).digest('hex')

const letter: CertificateDocument = { document_id: 'letter', revision: 1, sha256: digestOf('Ten.'), file_sha256: digestOf('%PDF Ten.') }
const note: CertificateDocument = { document_id: 'note', revision: 1, sha256: digestOf('Twelve.') }

/** What is held of one paper with these bytes, listed as it says. */
async function holding(
  bytes: string,
  { document_id }: CertificateDocument,
  kind: 'file' | 'text' | undefined,
  hashes: CertificateDocument[],
) {
  writeFileSync(join(folder, 'papers/001.bin'), bytes)
  const list = join(folder, 'papers.json')
  writeFileSync(list, JSON.stringify([{ document_id, revision: 1, file: 'papers/001.bin', kind, sha256: digestOf(bytes) }]))
  const { right, unsaid, faults } = await papersOfCertificate(list, { documents: { hashes } } as CertificatePayload)
  return [right, unsaid.length, faults.length]
}

describe('a paper and a certificate', () => {
  const [right, wrong, unsaid] = [
    [1, 0, 0],
    [0, 0, 1],
    [0, 1, 1],
  ]

  it('are held against each other whatever the list says or leaves out', async () => {
    const both = [letter, note]
    for (const [bytes, of, expected] of [
      ['%PDF Ten.', letter, { file: right, text: wrong, none: right }],
      ['Ten.', letter, { file: wrong, text: right, none: right }],
      ['Twelve.', note, { file: right, text: right, none: right }],
      ['Exchanged.', letter, { file: wrong, text: wrong, none: wrong }],
      ['Exchanged.', note, { file: wrong, text: wrong, none: wrong }],
    ] as const)
      expect(
        {
          file: await holding(bytes, of, 'file', both),
          text: await holding(bytes, of, 'text', both),
          none: await holding(bytes, of, undefined, both),
        },
        `${bytes} of ${of.document_id}`,
      ).toEqual(expected)
  })

  it('that signs for no file at all says nothing of one, and is not enough where it says nothing of any', async () => {
    for (const kind of ['file', undefined] as const) expect(await holding('%PDF Ten.', note, kind, [note])).toEqual(unsaid)
    expect(await holding('Ten.', letter, 'text', [note])).toEqual(unsaid)
    expect(await holding('Ten.', letter, 'text', [])).toEqual(unsaid)
  })
})

it('a list without papers is right only where none lie beside it', async () => {
  const list = join(folder, 'papers.json')
  writeFileSync(list, '[]')
  const certified = { documents: { hashes: [note] } } as CertificatePayload
  expect(await papersOfCertificate(list, certified)).toEqual({ right: 0, unsaid: [], faults: [] })
  writeFileSync(join(folder, 'papers/001.bin'), 'Exchanged.')
  expect(await papersOfCertificate(list, certified)).toEqual({ right: 0, unsaid: [], faults: [`papers/001.bin is not in ${list}`] })
})
