/** What is handed on of a case, as files: the schedule of its contradictions, and everything that belongs to it in one archive. */

import { type Client, wholeBundle } from '../src/client/index.js'
import { ActButton } from './parts'
import { save } from './save'
import { client } from './session'

type Filters = Omit<NonNullable<Parameters<Client['schedule']>[1]>, 'format'>

export function Papers({ scopeId, filters }: { scopeId: string; filters: Filters }) {
  const schedule = (format: 'docx' | 'xlsx') => async () =>
    save(await client.value.schedule(scopeId, { format, ...filters }), `${scopeId} contradictions.${format}`)
  const bundle = async () => save(await bundleOf(scopeId), `${scopeId}.zip`)
  return (
    <div class="papers" role="group" aria-label="Hand on">
      <span class="muted small">Hand on:</span>{' '}
      <ActButton class="quiet" act={schedule('docx')}>
        Word
      </ActButton>{' '}
      <ActButton class="quiet" act={schedule('xlsx')}>
        Excel
      </ActButton>{' '}
      <ActButton class="quiet" act={bundle}>
        Bundle
      </ActButton>
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
