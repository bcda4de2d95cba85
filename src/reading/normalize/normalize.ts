/**
 * The submitted text as plain text that a reader of lines and blocks understands, with the way back to what was submitted.
 * Pure, linear in the length of the text, and total: broken markup is read as well as it can be, at worst as text.
 */
import { renderCsv } from './csv.js'
import { renderHtml } from './html.js'
import { renderJson } from './json.js'
import { renderMarkdown } from './markdown.js'
import { type NormalizedText, Rendering } from './rendering.js'
import { type TextKind, textKind } from './text-kind.js'

export type { NormalizedText } from './rendering.js'

export function normalize(text: string, type: string): NormalizedText {
  const kind = textKind(type)
  const from = text.startsWith('\ufeff') ? 1 : 0
  return (render(text, from, kind) ?? new Rendering(text).copy(from, text.length)).finish(kind)
}

function render(text: string, from: number, kind: TextKind): Rendering | null {
  if (kind === 'md') return renderMarkdown(new Rendering(text), text, from)
  if (kind === 'html') return renderHtml(text, from)
  if (kind === 'csv') return renderCsv(text, from)
  return kind === 'json' ? renderJson(text, from) : null
}
