/**
 * Handing files in: chosen, or let go over the page. Each has the document id and the idempotency key the command line
 * would give it, so that the same file handed in twice, here or there, is one document.
 */

import { useRef, useState } from 'preact/hooks'
import { saysStill } from '../src/client/index.js'
import { digestOf } from './digest'
import { type ChosenFile, chosenFiles, droppedFiles } from './dropped-files'
import { Failure } from './parts'
import { client, type Me, may, me, sayFailure } from './session'
import { countOf } from './wording'

interface Sent {
  id: number
  name: string
  state: 'waiting' | 'sending' | 'handed in' | 'known already' | 'refused'
  detail: string
}

type Limits = Pick<Me['limits'], 'text_characters' | 'file_bytes'>

const lanes = 3
/** Files that have to be opened before there is a text. */
const binary = new Set(['pdf', 'docx', 'xlsx', 'eml'])
const types: Record<string, string> = { md: 'md', markdown: 'md', html: 'html', htm: 'html', csv: 'csv', tsv: 'csv', json: 'json' }

/** What has to be done before files go, such as making the case as it was asked for, is done for each lot of them; where it fails, none goes. */
export function FileDrop({ scopeId, before, onFirst }: { scopeId: string; before?: () => Promise<unknown>; onFirst?: () => void }) {
  const [sent, setSent] = useState<Sent[]>([])
  // Not where a row stands: files may be let go while others are on their way.
  const nextId = useRef(0)
  const [isOver, setOver] = useState(false)
  const [failure, setFailure] = useState<string>()
  const limits = me.value?.limits ?? { text_characters: 100_000, file_bytes: 0 }

  const prepare = async (): Promise<boolean> => {
    setFailure(undefined)
    try {
      await before?.()
      return true
    } catch (error) {
      setFailure(sayFailure(error))
      return false
    }
  }

  const handIn = async (files: ChosenFile[]) => {
    if (files.length === 0 || !(await prepare())) return
    const rows = files.map(({ name }): Sent => ({ id: nextId.current++, name, state: 'waiting', detail: '' }))
    setSent(before => [...before, ...rows])
    const mark = (row: number, change: Partial<Sent>) =>
      setSent(before => before.map(each => (each.id === rows[row]?.id ? { ...each, ...change } : each)))
    const waiting = files.entries()
    let accepted = 0
    const lane = async () => {
      for (const [index, file] of waiting) {
        mark(index, { state: 'sending' })
        try {
          const known = await handInOne(scopeId, file, limits)
          mark(index, { state: known ? 'known already' : 'handed in' })
          accepted++
        } catch (error) {
          mark(index, { state: 'refused', detail: sayFailure(error) })
        }
      }
    }
    await Promise.all(Array.from({ length: lanes }, lane))
    if (accepted === files.length && accepted > 0) onFirst?.()
  }

  const drop = async (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    if (event.dataTransfer !== null) await handIn(await droppedFiles(event.dataTransfer))
  }
  const choose = (event: { currentTarget: HTMLInputElement }) => {
    const files = chosenFiles(event.currentTarget.files)
    event.currentTarget.value = ''
    void handIn(files)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way; the first are the two file fields within
    <div
      class={`drop ${isOver ? 'over' : ''}`}
      onDragOver={event => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <p>
        Drop files or a folder here, or{' '}
        <label class="link">
          choose files
          <input class="file" type="file" multiple onChange={choose} />
        </label>{' '}
        or{' '}
        <label class="link">
          a folder
          <input class="file" type="file" multiple ref={input => input?.setAttribute('webkitdirectory', '')} onChange={choose} />
        </label>
        .
      </p>
      <p class="hint">
        Text in UTF-8 (txt, md, html, csv, json) of at most {limits.text_characters.toLocaleString('en')} characters; PDF, Word, Excel and
        mail of at most {Math.floor(limits.file_bytes / 1024 / 1024)} MB.
      </p>
      <Failure text={failure} />
      {sent.length > 0 && <Progress sent={sent} />}
    </div>
  )
}

function Progress({ sent }: { sent: readonly Sent[] }) {
  const done = sent.filter(each => each.state !== 'waiting' && each.state !== 'sending')
  const refused = sent.filter(each => each.state === 'refused')
  return (
    <div>
      <p role="status">
        <progress max={sent.length} value={done.length} aria-label="Files handed in" /> {done.length} of {countOf(sent.length, 'file')}
        {refused.length > 0 && `, ${refused.length} refused`}
      </p>
      <ul class="sent">
        {sent.slice(-200).map(each => (
          <li key={each.id}>
            <bdi>{each.name}</bdi> <span class={each.state === 'refused' ? 'no' : 'muted'}>{each.state}</span> {each.detail}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** True when the service had it already. Text goes as the command line sends it, what has to be opened first as the file it is. */
async function handInOne(scopeId: string, { name, file }: ChosenFile, limits: Limits): Promise<boolean> {
  const ending = name.split('.').at(-1)?.toLowerCase() ?? ''
  const shortName = Array.from(name).slice(-500).join('')
  if (file.size > limits.file_bytes) throw new Error(`It has ${file.size.toLocaleString('en')} bytes: that is too large.`)
  const documentId = await digestOf([name])
  const about = { scope_id: scopeId, name: shortName, ...(documentId && { document_id: `file-${documentId.slice(0, 32)}` }) }
  if (binary.has(ending)) {
    const hash = await digestOf(await file.arrayBuffer())
    const key = hash && (await digestOf([scopeId, name, '', hash]))
    return sendOnce({ scopeId, hash, key }, idempotency_key => client.value.ingestFile(file, { ...about, idempotency_key }))
  }
  const text = await textOf(file, limits.text_characters)
  const type = types[ending] ?? 'txt'
  const hash = await digestOf(new TextEncoder().encode(text).buffer)
  const key = await digestOf([scopeId, name, type, '', text])
  return sendOnce({ scopeId, hash, key }, idempotency_key =>
    client.value.ingest({ ...about, type, text, ...(idempotency_key && { idempotency_key }) }),
  )
}

/** What was handed in before under the same key is handed in again if the document has changed since. */
async function sendOnce(
  { scopeId, hash, key }: { scopeId: string; hash: string | undefined; key: string | undefined },
  send: (key?: string) => Promise<{ document_id: string | null; replayed: boolean }>,
): Promise<boolean> {
  if (key === undefined || hash === undefined) return (await send()).replayed
  const first = await send(`file-${key}`)
  if (!first.replayed || first.document_id === null || !may('read')) return first.replayed
  const now = await client.value.document(scopeId, first.document_id)
  return saysStill(now, hash) || (await send(`file-${await digestOf([`file-${key}`, String(now.revision)])}`)).replayed
}

async function textOf(file: File, mostCharacters: number): Promise<string> {
  // A character takes at most four bytes, so that what is far too long is not read at all.
  if (file.size > mostCharacters * 4) throw new Error(`It has ${file.size.toLocaleString('en')} bytes: that is too long for a text.`)
  const text = decode(await file.arrayBuffer())
  const characters = text.length <= mostCharacters ? text.length : Array.from(text).length
  if (characters > mostCharacters) throw new Error(`It has ${characters.toLocaleString('en')} characters: split it.`)
  return text
}

function decode(bytes: ArrayBuffer): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    if (text === '') throw new Error('It is empty.')
    return text
  } catch (error) {
    throw error instanceof TypeError ? new Error('It is not text in UTF-8.') : error
  }
}
