/**
 * How long something may take. The bounds are promises about the service, kept to the letter in `npm run prove`; every
 * day, on machines that do other things meanwhile, a test only has to tell a service that answers from one that waits
 * for a timeout, so each bound is five times as wide.
 */

const isProof = process.env['PROVE'] === '1'

export function withinMs(promisedMs: number): number {
  return isProof ? promisedMs : promisedMs * 5
}
