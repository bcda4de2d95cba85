/** Handing files in: chosen, or let go over the page. Which are taken, and how, is the client's rule, which the command line follows too. */

import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { handInOf, kindsInWords, sendHandIn } from '../src/client/index.js'
import { countOf } from '../src/contract/field-words.js'
import { type ChosenFile, chosenFiles, droppedFiles } from './dropped-files'
import { costWords, ModelHint, useReader } from './model-hint'
import { Failure } from './parts'
import { client, type Me, may, me, sayFailure } from './session'

interface Sent {
  id: number
  name: string
  state: 'waiting' | 'sending' | 'handed in' | 'known already' | 'refused'
  detail: string
}

type Limits = Pick<Me['limits'], 'text_characters' | 'file_bytes'>

const lanes = 3

/** Where there is no paper yet. It stays once it was used: what became of the other files is told after the first has come. */
export function FirstFiles({ scopeId, isWanted, children }: { scopeId: string; isWanted: boolean; children: ComponentChildren }) {
  const [isUsed, setUsed] = useState(false)
  if (!isWanted && !isUsed) return null
  return (
    <div class="panel">
      <h3>Hand documents in</h3>
      <p>{children}</p>
      {may('ingest') && <FileDrop scopeId={scopeId} onUse={() => setUsed(true)} />}
    </div>
  )
}

interface FileDropProps {
  scopeId: string
  before?: () => Promise<unknown>
  /** Files were given. */
  onUse?: () => void
  onFirst?: () => void
}

/** What has to be done before files go, such as making the case as it was asked for, is done for each lot of them; where it fails, none goes. */
export function FileDrop({ scopeId, before, onUse, onFirst }: FileDropProps) {
  const [sent, setSent] = useState<Sent[]>([])
  // Not where a row stands: files may be let go while others are on their way.
  const nextId = useRef(0)
  const [isOver, setOver] = useState(false)
  const [isKept, setKept] = useState(false)
  const [failure, setFailure] = useState<string>()
  const [asked, setAsked] = useState<ChosenFile[]>([])
  const reader = useReader(scopeId)
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
          const known = await handInOne(scopeId, file, { limits, model: isKept ? 'off' : undefined })
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

  /** Where a model reads them, only once somebody has seen what it would cost. */
  const take = async (files: ChosenFile[]) => {
    if (files.length > 0) onUse?.()
    if (files.length > 0 && reader?.name != null && !isKept) setAsked(before => [...before, ...files])
    else await handIn(files)
  }
  const drop = async (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    if (event.dataTransfer !== null) await take(await droppedFiles(event.dataTransfer))
  }
  const choose = (event: { currentTarget: HTMLInputElement }) => {
    const files = chosenFiles(event.currentTarget.files)
    event.currentTarget.value = ''
    void take(files)
  }
  const answer = (files: ChosenFile[]) => {
    setAsked([])
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
        {kindsInWords} of at most {Math.floor(limits.file_bytes / 1024 / 1024)} MB, told apart by their content.
      </p>
      <ModelHint reader={reader} isKept={isKept} onKeep={setKept} />
      {asked.length > 0 && reader !== undefined && (
        <div class="confirm" role="group" aria-label="What it would cost">
          <p role="status">{isKept ? `${countOf(asked.length, 'file')}, shown to no model.` : costWords(asked, reader)}</p>
          <button type="button" class="primary" onClick={() => answer(asked)}>
            Hand in
          </button>
          <button type="button" onClick={() => answer([])}>
            Leave them
          </button>
        </div>
      )}
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

/** True when the service had it already. */
async function handInOne(
  scopeId: string,
  { name, file }: ChosenFile,
  { limits, model }: { limits: Limits; model: 'off' | undefined },
): Promise<boolean> {
  if (file.size > limits.file_bytes) throw new Error(`It has ${file.size.toLocaleString('en')} bytes: that is too large.`)
  const bytes = new Uint8Array(await file.arrayBuffer())
  const handIn = await handInOf({ scopeId, name, bytes, model }, { textCharacters: limits.text_characters })
  return (await sendHandIn(client.value, handIn)).replayed
}
