/** HTML that is safe by construction: everything put into a template is escaped, unless it was made by a template itself. */

import { escapeMarkup } from '../../platform/markup.js'

export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Value = string | number | null | undefined | false | Html | readonly Value[]

export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(strings.reduce((text, part, index) => text + render(values[index - 1]) + part))
}

/** For text of our own that is no HTML of others: the style sheet. */
export function trusted(text: string): Html {
  return new Html(text)
}

function render(value: Value): string {
  if (value instanceof Html) return value.text
  if (Array.isArray(value)) return value.map(render).join('')
  if (value === null || value === undefined || value === false) return ''
  return escaped(String(value))
}

/** Control characters are no part of HTML text and could hide what is shown. */
function escaped(text: string): string {
  return escapeMarkup(text).replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, '�')
}
