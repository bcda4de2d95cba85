/** Copies a text. Where the browser does not let a page write to the clipboard, the text is there to be copied by hand. */

import { useState } from 'preact/hooks'

export function CopyButton({ text, children, class: className = '' }: { text: () => string; children: string; class?: string }) {
  const [state, setState] = useState<'copied' | { byHand: string }>()
  const copy = async () => {
    const copied = text()
    try {
      await navigator.clipboard.writeText(copied)
      setState('copied')
    } catch {
      setState({ byHand: copied })
    }
  }
  return (
    <>
      {/* Pressing it leaves what is selected as it is. */}
      <button type="button" class={className} onMouseDown={event => event.preventDefault()} onClick={copy}>
        {children}
      </button>
      <span role="status" class="small">
        {state === 'copied' && 'Copied.'}
      </span>
      {typeof state === 'object' && (
        <input class="by-hand" aria-label="Copy this" readOnly value={state.byHand} ref={field => field?.select()} />
      )}
    </>
  )
}
