/** For optional reads: a 404 is undefined, any other failure is thrown. */

import { ProblemError } from '../client/problem-error.js'

export function undefinedWhenMissing(error: unknown): undefined {
  if (error instanceof ProblemError && error.status === 404) return undefined
  throw error
}
