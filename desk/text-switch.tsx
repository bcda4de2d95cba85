/** Between the document as its author made it and the text as it was read; the key `t` does the same. */

import type { Schema } from '../src/contract/types.js'
import { into } from './into'
import { kindOf, showsText } from './original'

export function TextSwitch({ document }: { document?: Pick<Schema['Document'], 'type' | 'file'> }) {
  if (document !== undefined && kindOf(document) === 'txt') return null
  return (
    <button type="button" aria-pressed={showsText.value} onClick={() => into(showsText)(!showsText.value)}>
      Text as read <kbd>t</kbd>
    </button>
  )
}
