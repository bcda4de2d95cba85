/** What is handed on of a case, as files: the schedule of its contradictions, and everything that belongs to it in one archive. */

import { useState } from 'preact/hooks'
import { type Client, wholeBundle } from '../src/client/index.js'
import { Failure } from './parts'
import { save } from './save'
import { client } from './session'

type Filters = Omit<NonNullable<Parameters<Client['schedule']>[1]>, 'format'>

export function Papers({ scopeId, filters }: { scopeId: string; filters: Filters }) {
  const [failure, setFailure] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const take = async (name: string, content: () => Promise<Blob>) => {
    setBusy(true)
    setFailure(undefined)
    try {
      save(await content(), name)
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error))
    } finally {
      setBusy(false)
    }
  }
  const schedule = (format: 'docx' | 'xlsx') => () =>
    take(`${scopeId} contradictions.${format}`, () => client.value.schedule(scopeId, { format, ...filters }))
  const bundle = () => take(`${scopeId}.zip`, () => bundleOf(scopeId))
  return (
    <div class="papers" role="group" aria-label="Hand on">
      <span class="muted small">Hand on:</span>{' '}
      <button type="button" class="quiet" disabled={isBusy} onClick={schedule('docx')}>
        Word
      </button>{' '}
      <button type="button" class="quiet" disabled={isBusy} onClick={schedule('xlsx')}>
        Excel
      </button>{' '}
      <button type="button" class="quiet" disabled={isBusy} onClick={bundle}>
        Bundle
      </button>
      <Failure text={failure} />
    </div>
  )
}

async function bundleOf(scopeId: string): Promise<Blob> {
  let parts: BlobPart[] = []
  for await (const { at, bytes } of wholeBundle(client.value, scopeId)) {
    if (at === 0) parts = []
    parts.push(bytes as BlobPart)
  }
  return new Blob(parts, { type: 'application/zip' })
}
