/** What handing in documents would cost at a model, before they are sent. Needs nothing of Node.js. */

import type { Schema } from './api.js'

type Costs = Pick<Schema['ScopeModel'], 'characters' | 'context_tokens' | 'tokens_per_document'>

/** Of a case that is yet to be made, where the service is set as usual. */
export const costsOfNewCase: Costs = { characters: 0, context_tokens: 32_000, tokens_per_document: 150_000 }

/** The instructions of the questions, some pairs to confirm with the text around them, a few of them once more, and the answers. */
const besides = 15_000
const charactersPerToken = 3

/**
 * Tokens of questions and answers about documents of so many characters, about: each is laid beside the case so far, as much of that as a
 * question holds. Files that are no text have about a tenth of their bytes as characters.
 */
export function estimatedTokens(characters: readonly number[], costs: Costs): number {
  let shown = costs.characters
  let tokens = 0
  for (const each of characters) {
    const beside = Math.min(shown / charactersPerToken, costs.context_tokens)
    tokens += Math.min(costs.tokens_per_document, each / charactersPerToken + beside + besides)
    shown += each
  }
  return Math.round(tokens)
}

/** Of a file, by its name. */
export function estimatedCharacters(name: string, bytes: number): number {
  // About a page; what is in a picture has nothing to do with its bytes.
  if (/\.(?:png|jpe?g|webp|tiff?)$/i.test(name)) return Math.min(bytes, 3000)
  return /\.(?:pdf|docx|xlsx|pptx|odt|ods|eml|msg|zip)$/i.test(name) ? Math.ceil(bytes / 10) : bytes
}
