/** Whether a model reads what is handed in, what that would cost, and keeping it from the model. */

import { costsOfNewCase, estimatedCharacters, estimatedTokens } from '../src/client/index.js'
import { countOf } from '../src/contract/field-words.js'
import type { ChosenFile } from './dropped-files'
import { client, me } from './session'
import { useLoaded } from './use-loaded'

/** What reads a case: undefined until it is known. */
interface Reader {
  name: string | null
  costs: Parameters<typeof estimatedTokens>[1]
  noneBecause: string | null
}

export function useReader(scopeId: string): Reader | undefined {
  // A case that is about to be made has nothing yet.
  const { data } = useLoaded(() => client.value.scopeModel(scopeId).catch(() => null), [scopeId, client.value], /^document\./)
  if (data === undefined) return undefined
  if (data === null) return { name: me.value?.model?.name ?? null, costs: costsOfNewCase, noneBecause: null }
  return { name: data.model, costs: data, noneBecause: data.none_because }
}

export function ModelHint({ reader, isKept, onKeep }: { reader: Reader | undefined; isKept: boolean; onKeep: (kept: boolean) => void }) {
  if (reader === undefined) return null
  if (reader.name === null)
    return (
      <p class="hint">
        {reader.noneBecause === 'scope_off' || reader.noneBecause === 'tenant_off'
          ? 'No language model reads this case: it is switched off. Documents are compared by rules alone.'
          : 'No language model reads here: documents are compared by rules alone, which see what is said in the same words. An operator sets MODEL_URL and MODEL_NAME to use one; concord doctor tries it.'}
      </p>
    )
  return (
    <p class="hint">
      The language model <bdi>{reader.name}</bdi> reads what is handed in; what that would cost is said before anything is sent.{' '}
      <label class="check">
        <input type="checkbox" checked={isKept} onChange={event => onKeep(event.currentTarget.checked)} /> Show these documents to no model
      </label>
    </p>
  )
}

/** `3 files: about 42,000 tokens of reader-1`, and what is left of today where there is a limit. */
export function costWords(files: readonly ChosenFile[], { name, costs }: Reader): string {
  const tokens = estimatedTokens(
    files.map(({ name: path, file }) => estimatedCharacters(path, file.size)),
    costs,
  )
  const today = me.value?.model
  const left =
    today?.tokens_per_day == null ? '' : ` Left today: ${Math.max(0, today.tokens_per_day - today.tokens_today).toLocaleString('en')}.`
  return `${countOf(files.length, 'file')}: about ${tokens.toLocaleString('en')} tokens of ${name}.${left}`
}
