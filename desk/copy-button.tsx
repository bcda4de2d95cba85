/** Copies a text. Where the browser does not let a page write to the clipboard, the text is there to be copied by hand. */

import { useState } from 'preact/hooks'

export function CopyButton({ text, children, class: className = '' }: { text: () => string; children: string; class?: string }) {
  const [state, setState] = useState<{ of: string; isCopied: boolean }>()
  const copy = async () => {
    const of = text()
    try {
      await navigator.clipboard.writeText(of)
      setState({ of, isCopied: true })
    } catch {
      setState({ of, isCopied: false })
    }
  }
  // Another text is not copied yet.
  const isAbout = state?.of === text()
  return (
    <>
      {/* Pressing it leaves what is selected as it is. */}
      <button type="button" class={className} onMouseDown={event => event.preventDefault()} onClick={copy}>
        {children}
      </button>
      <span role="status" class="small">
        {isAbout && state.isCopied && 'Copied.'}
      </span>
      {isAbout && !state.isCopied && (
        <input class="by-hand" aria-label="Copy this" readOnly value={state.of} ref={field => field?.select()} />
      )}
    </>
  )
}
