/** Where the reader is: a path after the `#`, which names cases, documents and findings, and never a key. */

import { signal } from '@preact/signals'

export const path = signal<string[]>(read())

window.addEventListener('hashchange', () => {
  path.value = read()
})

function read(): string[] {
  return window.location.hash
    .replace(/^#\/?/, '')
    .split('/')
    .filter(part => part !== '')
    .map(part => decode(part))
}

/** Somebody may have typed it. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

export function hrefTo(...parts: string[]): string {
  return `#/${parts.map(encodeURIComponent).join('/')}`
}

export function go(...parts: string[]): void {
  window.location.hash = hrefTo(...parts)
}
