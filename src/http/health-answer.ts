/** Health answers have their own body in every state: 503 when unavailable, else 200. */

import type { Answer } from './handler.js'

export function answerHealth(body: { status: string; [figure: string]: unknown }): Answer {
  return { status: body.status === 'unavailable' ? 503 : 200, body, headers: body.status === 'unavailable' ? { 'retry-after': '1' } : {} }
}
