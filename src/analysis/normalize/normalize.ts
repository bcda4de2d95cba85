/**
 * The submitted text as plain text that a reader of lines and blocks understands, with the way back to what was submitted.
 * Pure, linear in the length of the text, and total: broken markup is read as well as it can be, at worst as text.
 */
import { type NormalizedText, Rendering } from './rendering.js'
import { textKind } from './text-kind.js'

export type { NormalizedText, SourceSpan } from './rendering.js'

export function normalize(text: string, type: string): NormalizedText {
  const kind = textKind(type)
  return new Rendering(text).copy(text.startsWith('\ufeff') ? 1 : 0, text.length).finish(kind)
}
