/** Whether a model reads a case or a document, what it was shown of them, and keeping a document from it. */

import { effectiveSettings } from '../../kernel/settings.js'
import { readShownSize, readTokens } from '../../store/documents/model-costs.js'
import { keepFromModel, keptFromModelSince, letModelRead, listSent, readModelLimits } from '../../store/documents/model-off.js'
import type { ScopePlace } from '../../store/scopes/scopes.js'
import { readTenant, type TenantTransaction } from '../../store/server/database.js'
import type { ScopeName, ScopesDeps } from '../deps.js'
import { lockScope } from '../idempotent.js'
import { resolveScope } from '../lifecycle.js'
import type { DocumentModelRecord, ScopeModelRecord } from '../types.js'
import { type GetDocumentInput, requireDocument } from './documents.js'

const mostSent = 200

export function getDocumentModel(deps: ScopesDeps, input: GetDocumentInput): Promise<DocumentModelRecord> {
  return readTenant(deps.db, input.tenantId, async tx => {
    const scope = await resolveScope(tx, input.scopeId)
    await requireDocument(tx, scope, input.documentId)
    return toRecord(tx, scope, input)
  })
}

/** Off, a model is asked no more about it and shown it no more. On again, it is asked when the document is read the next time. */
export function setDocumentModel(deps: ScopesDeps, input: GetDocumentInput & { model: 'on' | 'off' }): Promise<DocumentModelRecord> {
  return deps.db.inTenant(input.tenantId, async tx => {
    const scope = await lockScope(tx, input.scopeId)
    await requireDocument(tx, scope, input.documentId)
    await (input.model === 'off' ? keepFromModel : letModelRead)(tx, scope, input.documentId)
    return toRecord(tx, scope, input)
  })
}

async function toRecord(tx: TenantTransaction, scope: ScopePlace, { scopeId, documentId }: GetDocumentInput): Promise<DocumentModelRecord> {
  const offSince = await keptFromModelSince(tx, scope, documentId)
  const { prompt, completion } = await readTokens(tx, scope, documentId)
  const sent = await listSent(tx, scope, documentId, mostSent)
  return {
    scope_id: scopeId,
    document_id: documentId,
    model: offSince === null ? 'on' : 'off',
    off_since: offSince,
    tokens: { prompt, completion },
    sent: sent.map(({ asked_at: at, ...each }) => ({ ...each, model: nameOf(each.model), at })),
  }
}

export function getScopeModel(deps: ScopesDeps, { tenantId, scopeId }: ScopeName): Promise<ScopeModelRecord> {
  const { modelUrl, modelName = null, modelContextTokens = 0, modelTokensPerDocument = 0 } = deps.config
  return readTenant(deps.db, tenantId, async tx => {
    const scope = await resolveScope(tx, scopeId)
    const limits = await readModelLimits(tx, tenantId)
    const { asked, ...tokens } = await readTokens(tx, scope, null)
    const { off, characters } = await readShownSize(tx, scope)
    const isOff = effectiveSettings(scope.settings).model.reading === 'off'
    const none = modelUrl === undefined ? 'not_configured' : limits.off ? 'tenant_off' : isOff ? 'scope_off' : null
    return {
      scope_id: scopeId,
      model: none === null ? modelName : null,
      none_because: none,
      documents: { asked, off },
      tokens,
      characters,
      context_tokens: modelContextTokens,
      tokens_per_document: modelTokensPerDocument,
    }
  })
}

function nameOf(foundBy: string): string {
  return foundBy.replace(/^model:/, '')
}
