/** What is entered goes into a signal. */

import type { Signal } from '@preact/signals'

export function into<T>(signal: Signal<T>): (value: T) => void {
  return value => {
    signal.value = value
  }
}
