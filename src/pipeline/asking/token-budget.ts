/**
 * The tokens of one document: what may still be asked about it. A question is looked at before it is put, and taken off when it was: by what
 * the server says it cost, where that is more than was estimated. Of a long document the tokens of a confirmation are held back before
 * another part is asked about: pairs that nobody confirms were paid for in vain.
 */
import { estimatedTokens, type Question } from '../../models/question.js'

/** Thirty pairs with what stands around them, in passages of usual length, and the instructions. */
const confirmation = 22_000
/** Of a small budget no more than that share: parts of the document need it too. */
const mostHeldBack = 1 / 4

type Asking = Pick<Question, 'messages'>

export interface TokenBudget {
  /** Whether a question can be paid for; with `holdBack`, and a confirmation after it. */
  suffices(question: Asking, holdBack: boolean): boolean
  spend(question: Asking, usage: { promptTokens: number; completionTokens: number }): void
}

export function createTokenBudget({ tokensPerDocument, maxTokens }: { tokensPerDocument: number; maxTokens: number }): TokenBudget {
  let left = tokensPerDocument
  const heldBack = Math.min(confirmation + maxTokens, tokensPerDocument * mostHeldBack)
  const estimate = (question: Asking) => estimatedTokens(question) + maxTokens
  return {
    suffices: (question, holdBack) => estimate(question) + (holdBack ? heldBack : 0) <= left,
    spend(question, { promptTokens, completionTokens }) {
      left -= Math.max(estimate(question), promptTokens + completionTokens)
    },
  }
}
