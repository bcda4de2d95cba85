/** The tokens of a tenant on this day: counted as they are spent, and looked at before a question is put. */
import { setTimeout as wait } from 'node:timers/promises'
import type { Asked } from '../../models/model-reader.js'
import { isAppError } from '../../platform/errors.js'
import { addTokens, tokensToday } from '../../store/documents/model-usage.js'
import type { Database } from '../../store/server/database.js'

/** For how long the tokens of a tenant are spent; null while there are some left. */
export async function spentFor(
  { db, budgets }: { db: Database; budgets: { tokensPerDay: number } },
  tenantId: string,
  own: number | null,
): Promise<number | null> {
  if (own === null && budgets.tokensPerDay === 0) return null
  const { tokens, msLeft } = await db.inTenant(tenantId, tx => tokensToday(tx), { readOnly: true })
  return tokens >= (own ?? budgets.tokensPerDay) ? msLeft : null
}

/**
 * At once, whatever becomes of the answer: it has to be paid for. While storage is away it waits, because without an entry the answer
 * would be lost too; what was written although nobody heard of it is counted twice.
 */
export async function count(
  { db }: { db: Database },
  { tenantId, signal }: { tenantId: string; signal: AbortSignal },
  usage: Asked['usage'],
): Promise<void> {
  const tokens = usage.promptTokens + usage.completionTokens
  for (let counted = tokens === 0; !counted; ) {
    try {
      await db.inTenant(tenantId, tx => addTokens(tx, tokens))
      counted = true
    } catch (error) {
      if (!isAppError(error, 'STORAGE_UNAVAILABLE') || signal.aborted) throw error
      await wait(200, undefined, { signal }).catch(() => undefined)
    }
  }
}
