/** The decision on a contradiction: a verdict, for a slip its side, what that would do, and why. */

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { countOf } from '../src/contract/field-words.js'
import type { Schema } from '../src/contract/types.js'
import { alike, decideEach, reasonsGivenBefore } from './alike'
import { titleOf } from './finding-words'
import { isComplete, Judgement, said } from './judgement'
import { Failure } from './parts'
import { client, sayFailure } from './session'
import { bindShortcuts } from './shortcuts'
import { tellUndecided } from './undecided'
import { useLoaded } from './use-loaded'
import { effectOf, effectWords } from './verdict-effect'
import { asksForSide, type Chosen, chosenByKey, reasonsFor, swapped, verdicts, withReason } from './verdicts'

type Item = Schema['Contradiction']

interface DecideProps {
  item: Item
  reload: () => Promise<unknown>
  onLater: (() => void) | undefined
  /** Those still open in the case; undefined until they are known. */
  open: readonly Item[] | undefined
}

export function Decide({ item, reload, onLater, open }: DecideProps) {
  const [together, setTogether] = useState(false)
  const others = alike(item, open ?? [])
  const form = useRef<HTMLFormElement>(null)
  const [chosen, choose] = useChoice(form)
  const before = useReasonsBefore(item, chosen)
  const [reason, setReason] = useState('')
  const [failure, setFailure] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const isReady = chosen !== undefined && !asksForSide(chosen) && isComplete(reason)
  const decide = async (event: Event) => {
    event.preventDefault()
    if (!isReady) return
    setBusy(true)
    setFailure(undefined)
    try {
      await client.value.resolve(item.contradiction_id, { ...chosen, ...said(reason) })
      if (together) tellUndecided(item.scope_id, await decideAlike(others, chosen, said(reason)))
      await reload()
    } catch (error) {
      setFailure(sayFailure(error))
      setBusy(false)
    }
  }
  const pick = (usual: string) => {
    setReason(withReason(reason, usual))
    focusOn(form.current, '.reason input')
  }
  return (
    <form class="decide finding" ref={form} onSubmit={decide} aria-label="Decision">
      <Verdicts chosen={chosen} choose={choose} />
      {chosen !== undefined && !asksForSide(chosen) && (
        <>
          <p class="effect small" role="status">
            {effectSaid(item, chosen, open)}
          </p>
          <UsualReasons reasons={[...before, ...reasonsFor(chosen.verdict).filter(each => !before.includes(each))]} pick={pick} />
        </>
      )}
      {others.length > 0 && (
        <label class="check">
          <input type="checkbox" checked={together} onChange={event => setTogether(event.currentTarget.checked)} /> Decide{' '}
          {countOf(others.length, 'finding')} between the same two values alike
        </label>
      )}
      <Judgement reason={reason} onReason={setReason} />
      <div class="acts">
        <button type="submit" class="primary" disabled={isBusy || !isReady}>
          Decide
        </button>
        {onLater && (
          <button type="button" onClick={onLater}>
            Later
          </button>
        )}
      </div>
      <Failure text={failure} />
    </form>
  )
}

function effectSaid(item: Item, chosen: Chosen, open: readonly Item[] | undefined): string {
  if (open === undefined) return `${effectWords(chosen, effectOf(item, chosen, []), [])} What else would close is not known yet.`
  const effect = effectOf(item, chosen, open)
  const closed = open.filter(each => effect.closed.includes(each.contradiction_id))
  return effectWords(chosen, effect, closed.map(titleOf))
}

/** What is chosen, by button or key. The focus goes where the next word is wanted: the side of a slip, else the reason. */
function useChoice(form: { current: HTMLFormElement | null }): [Chosen | undefined, (chosen: Chosen) => void] {
  const [chosen, choose] = useState<Chosen>()
  useEffect(() => {
    const keys = verdicts.map(({ verdict, key }) => [key, () => choose(now => chosenByKey(verdict, now))] as const)
    return bindShortcuts(Object.fromEntries(keys))
  }, [])
  // Before the next key can be pressed: the first letter of a reason must not choose anything.
  useLayoutEffect(() => {
    if (chosen !== undefined) focusOn(form.current, asksForSide(chosen) ? '.which-side button' : '.reason input')
  }, [chosen])
  return [chosen, choose]
}

/** Why alike pairs were not the same thing is offered again. Read when that is chosen. */
function useReasonsBefore(item: Item, chosen: Chosen | undefined): string[] {
  const isAsked = chosen?.verdict === 'not_the_same'
  const decided = useLoaded(
    async () =>
      isAsked
        ? reasonsGivenBefore(item, await client.value.contradictions(item.scope_id, { status: 'dismissed', limit: 200 }).toArray(500))
        : [],
    [item.contradiction_id, isAsked],
  )
  return decided.data ?? []
}

function focusOn(form: HTMLFormElement | null, what: string): void {
  form?.querySelector<HTMLElement>(what)?.focus()
}

function Verdicts({ chosen, choose }: { chosen: Chosen | undefined; choose: (chosen: Chosen) => void }) {
  return (
    <>
      <div class="verdicts" role="group" aria-label="Verdict">
        {verdicts.map(({ verdict, text, key }) => (
          <button
            key={verdict}
            type="button"
            data-verdict={verdict}
            aria-pressed={chosen?.verdict === verdict}
            onClick={() => choose({ verdict })}
          >
            {text} <kbd>{key}</kbd>
          </button>
        ))}
      </div>
      {chosen?.verdict === 'clerical_error' && (
        <div class="which-side" role="group" aria-labelledby="which-side">
          <p id="which-side">Which side has the slip?</p>
          {(['a', 'b'] as const).map(side => (
            <button
              key={side}
              type="button"
              data-side={side}
              aria-pressed={chosen.side === side}
              onClick={() => choose({ verdict: 'clerical_error', side })}
            >
              {side.toUpperCase()} has it {asksForSide(chosen) && <kbd>{side}</kbd>}
            </button>
          ))}
        </div>
      )}
    </>
  )
}

function UsualReasons({ reasons, pick }: { reasons: readonly string[]; pick: (reason: string) => void }) {
  return (
    <div class="reasons" role="group" aria-label="Usual reasons">
      {reasons.map(each => (
        <button key={each} type="button" onClick={() => pick(each)}>
          {each}
        </button>
      ))}
    </div>
  )
}

/** Those that were not decided are told by the list: the first verdict takes this form away. */
function decideAlike(others: ReturnType<typeof alike>, chosen: Chosen, judgement: ReturnType<typeof said>) {
  const { contradictions, resolve } = client.value
  return decideEach(others, {
    isOpen: async ({ scope_id: scopeId, contradiction_id: ids }) =>
      (await contradictions(scopeId, { status: 'open', ids, limit: 1 }).toArray(1)).length === 1,
    decide: ({ item, isSwapped }) => resolve(item.contradiction_id, { ...(isSwapped ? swapped(chosen) : chosen), ...judgement }),
  })
}
