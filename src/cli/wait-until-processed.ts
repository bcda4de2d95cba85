/** Waits until nothing of a scope is queued or being processed, or says why it never will. */

import type { Client } from '../client/client.js'
import type { Schema } from '../client/index.js'
import { createProgress } from './progress.js'
import type { Shell } from './shell.js'

const everyMs = 300

export async function waitUntilProcessed({ out }: Pick<Shell, 'out'>, client: Client, scopeId: string): Promise<Schema['ScopeSummary']> {
  const progress = createProgress(out, 'processed', 1)
  try {
    for (;;) {
      const summary = await client.summary(scopeId)
      const { total, queued, processing, attached, registered } = summary.documents
      const waiting = queued + processing
      progress.update(total - attached - registered - waiting, total - attached - registered)
      if (waiting === 0) return summary
      if (summary.runtime.state !== 'running') {
        out.note(out.hint(`The runtime is ${summary.runtime.state}: ${waiting} documents wait. \`concord runtime start\` goes on.`))
        return summary
      }
      await new Promise(resolve => setTimeout(resolve, everyMs))
    }
  } finally {
    progress.stop()
  }
}
