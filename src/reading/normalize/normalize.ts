/**
 * The submitted text as plain text that a reader of lines and blocks understands, with the way back to what was submitted.
 * Pure, linear in the length of the text, and total: broken markup is read as well as it can be, at worst as text.
 */
import { canBeRead } from '../../platform/visible-text.js'
import { renderCsv } from './csv.js'
import { renderHtml } from './html.js'
import { renderJson } from './json.js'
import { renderMarkdown } from './markdown.js'
import { type NormalizedText, Rendering } from './rendering.js'
import { type TextKind, textKind } from './text-kind.js'

export type { NormalizedText } from './rendering.js'

export function normalize(submitted: string, type: string): NormalizedText {
  const kind = textKind(type)
  const text = submitted.startsWith('\ufeff') ? submitted.slice(1) : submitted
  return (renderers[kind](text) ?? new Rendering(text).copy(0, text.length)).finish(kind, submitted)
}

/** Whether there is anything in it to read: a page of tags, a table of empty cells or a line of strokes has nothing. */
export function holdsText(submitted: string, type: string): boolean {
  return canBeRead(normalize(submitted, type).text)
}

const renderers: Readonly<Record<TextKind, (text: string) => Rendering | null>> = {
  txt: () => null,
  md: renderMarkdown,
  html: renderHtml,
  csv: renderCsv,
  json: renderJson,
}
