/** Addresses of resources. */

import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'

export function reportUri(scopeId: string): string {
  return `concord://scopes/${scopeId}/report`
}

export function documentUri(scopeId: string, documentId: string): string {
  return `concord://scopes/${scopeId}/documents/${encodeURIComponent(documentId)}`
}

/** Without a document it is the report of the case. */
export function named(uri: string): { scopeId: string; documentId: string | undefined } {
  const [, scopeId, document] = /^concord:\/\/scopes\/([^/]+)\/(?:report|documents\/([^/]+))$/.exec(uri) ?? []
  if (scopeId === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The address names neither a report nor a document.')
  try {
    return { scopeId, documentId: document === undefined ? undefined : decodeURIComponent(document) }
  } catch {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The address is not well formed.')
  }
}
