/** Extractions that cost a model call, kept by content so that the same text is never paid for twice by a tenant. */

import type { Extraction } from '../analysis/types.js'
import type { TenantTransaction } from './database.js'

export interface ExtractionKey {
  /** SHA-256 of the text: erasing a document finds its extractions by it. */
  contentHash: Buffer
  extractor: string
  /** Everything else the result depends on. */
  version: string
}

export async function findExtraction(tx: TenantTransaction, key: ExtractionKey): Promise<Extraction | null> {
  const { rows } = await tx.query<{ extraction: Extraction }>({
    name: 'claims-extractions-find',
    text: 'select extraction from extraction_cache where tenant_id = $1 and content_hash = $2 and extractor = $3 and version = $4',
    values: [tx.tenantId, key.contentHash, key.extractor, key.version],
  })
  return rows[0]?.extraction ?? null
}

export async function keepExtraction(tx: TenantTransaction, key: ExtractionKey, extraction: Extraction): Promise<void> {
  await tx.query({
    name: 'claims-extractions-keep',
    text: `
      insert into extraction_cache (tenant_id, content_hash, extractor, version, extraction) values ($1, $2, $3, $4, $5)
      on conflict (tenant_id, content_hash, extractor, version) do nothing`,
    values: [tx.tenantId, key.contentHash, key.extractor, key.version, JSON.stringify(extraction)],
  })
}
