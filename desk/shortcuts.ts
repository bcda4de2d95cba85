/** Single keys for those who decide a lot. They can be turned off, do nothing inside fields, and never submit anything. */

import { signal } from '@preact/signals'

export const areShortcutsOn = signal(true)

export function bindShortcuts(keys: Record<string, () => void>): () => void {
  const listen = (event: KeyboardEvent) => {
    if (!areShortcutsOn.value || event.ctrlKey || event.metaKey || event.altKey || event.isComposing || isField(event.target)) return
    // What stands over the page has the keyboard for itself.
    if (document.querySelector('dialog[open]') !== null) return
    const act = keys[event.key]
    if (act === undefined) return
    event.preventDefault()
    act()
  }
  window.addEventListener('keydown', listen)
  return () => window.removeEventListener('keydown', listen)
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))
}
