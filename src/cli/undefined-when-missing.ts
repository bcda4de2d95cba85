/** For reads of what may not be there: a 404 is undefined, anything else is still thrown. */

import { ProblemError } from '../client/problem-error.js'

export function undefinedWhenMissing(error: unknown): undefined {
  if (error instanceof ProblemError && error.status === 404) return undefined
  throw error
}
