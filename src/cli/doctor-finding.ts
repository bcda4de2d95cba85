/** One thing that was looked at: how it is, and what to do about it. */

import { messageOf } from '../platform/errors.js'

export interface Finding {
  check: string
  status: 'ok' | 'warning' | 'fault' | 'skipped'
  detail: string
  next?: string
}

/** A check that itself fails is a fault, never the end of the examination. */
export async function examine(check: string, look: () => Promise<Omit<Finding, 'check'>> | Omit<Finding, 'check'>): Promise<Finding> {
  try {
    return { check, ...(await look()) }
  } catch (error) {
    return { check, status: 'fault', detail: messageOf(error) }
  }
}
