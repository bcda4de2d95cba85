/** The keys of the desk, over the page: `?` opens it, Escape closes it, and the focus is back where it was. */

import { signal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { into } from './into'
import { areShortcutsOn, bindShortcuts } from './shortcuts'
import { verdicts } from './verdicts'

const isShown = signal(false)
const show = () => into(isShown)(true)

const keys: readonly (readonly [keys: readonly string[], does: string])[] = [
  [['j', 'k'], 'next and previous contradiction'],
  ...verdicts.map(({ key, text }) => [[key], text] as const),
  [['u'], 'undo a decision'],
  [['s'], 'the other paper, on a narrow screen'],
  [['t'], 'text as read, or the original'],
  [['/'], 'search'],
  [['?'], 'this list'],
]

export function KeysButton() {
  return (
    <button type="button" class="help" onClick={show}>
      Keys <kbd>?</kbd>
    </button>
  )
}

export function KeyList() {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => bindShortcuts({ '?': show }), [])
  const isOpen = isShown.value
  useLayoutEffect(() => {
    if (isOpen) dialog.current?.showModal()
  }, [isOpen])
  // Left by signing out while it is open, it is not there for the next person.
  useEffect(() => () => into(isShown)(false), [])
  return (
    <dialog ref={dialog} class="keys" aria-labelledby="keys-title" onClose={() => into(isShown)(false)}>
      {isOpen && (
        <>
          <div class="keys-head">
            <h2 id="keys-title">Keys</h2>
            <button type="button" onClick={() => dialog.current?.close()}>
              Close
            </button>
          </div>
          <dl>
            {keys.map(([pressed, does]) => (
              <div key={does}>
                <dt>
                  {pressed.map(each => (
                    <kbd key={each}>{each}</kbd>
                  ))}
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
          <p class="muted small">
            They choose and never decide; inside fields they do nothing. After <kbd>c</kbd>, <kbd>a</kbd> or <kbd>b</kbd> says which side
            has the slip.
          </p>
          <label class="check">
            <input type="checkbox" checked={areShortcutsOn.value} onChange={event => into(areShortcutsOn)(event.currentTarget.checked)} />{' '}
            Keyboard shortcuts
          </label>
        </>
      )}
    </dialog>
  )
}
