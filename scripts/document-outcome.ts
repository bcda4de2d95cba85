/** A document once it has an outcome. One request waits for half a minute, which a busy machine may not be content with. */

import type { Client, Schema } from '../src/client/index.js'

export async function outcomeOf(client: Client, scopeId: string, documentId: string): Promise<Schema['Document']> {
  for (let asked = 1; ; asked++) {
    const document = await client.document(scopeId, documentId, { wait: 30 })
    if (document.status !== 'queued' && document.status !== 'processing') return document
    if (asked === 4) throw new Error(`${documentId} is still ${document.status}`)
  }
}
