/** Names of requests: the caller's own when it is harmless to log, else one of ours, unique without asking for randomness each time. */

import { randomBase62 } from '../platform/ids.js'

export function createRequestIds(): (given: string | string[] | undefined) => string {
  const process = randomBase62(12)
  let count = 0
  return given => {
    if (typeof given === 'string' && /^[A-Za-z0-9_.:-]{1,100}$/.test(given)) return given
    count++
    return `req_${process}${count.toString(36).padStart(10, '0')}`
  }
}
