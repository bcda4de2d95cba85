/** Matters in which any difference weighs more. */

const WEIGHTY =
  /\b(?:safety|death|fatal\w*|serious|solvency|revenue|compliance|breach|fraud|liquidity|cash|covenant|toxicity|emission\w*|diagnos\w+|allerg\w+)\b/i

export const isWeighty = (attribute: string): boolean => WEIGHTY.test(attribute)
