/** Whether a model reads what is handed in, what that costs, and keeping it from the model. */

import { estimatedTokens } from '../src/client/index.js'
import { client, me } from './session'
import { useLoaded } from './use-loaded'

/** Of one page of text. */
const page = 3_000

export function ModelHint({ scopeId, isKept, onKeep }: { scopeId: string; isKept: boolean; onKeep: (kept: boolean) => void }) {
  // A case that is about to be made has nothing yet.
  const { data } = useLoaded(() => client.value.scopeModel(scopeId).catch(() => null), [scopeId, client.value], /^document\./)
  const model = data?.model ?? (data === null ? me.value?.model?.name : null)
  if (data === undefined) return null
  if (model == null)
    return (
      <p class="hint">
        {data?.none_because === 'scope_off' || data?.none_because === 'tenant_off'
          ? 'No language model reads this case: it is switched off. Documents are compared by rules alone.'
          : 'No language model reads here: documents are compared by rules alone, which see what is said in the same words. An operator sets MODEL_URL and MODEL_NAME to use one; concord doctor tries it.'}
      </p>
    )
  const each = data === null ? null : estimatedTokens([page], data)
  return (
    <p class="hint">
      The language model <bdi>{model}</bdi> reads what is handed in
      {each !== null && `: about ${each.toLocaleString('en')} tokens for a document of a page`}.{' '}
      <label class="check">
        <input type="checkbox" checked={isKept} onChange={event => onKeep(event.currentTarget.checked)} /> Show these documents to no model
      </label>
    </p>
  )
}
