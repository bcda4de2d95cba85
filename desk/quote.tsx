/** What one side of a finding says, with its document. */

import { placeInFile } from '../src/contract/finding-words.js'
import type { Schema } from '../src/contract/types.js'
import { DocumentLink } from './parts'

export function Quote({ letter, claim, scopeId }: { letter: string; claim: Schema['Claim']; scopeId: string }) {
  return (
    <blockquote>
      <strong class="letter">{letter}</strong> <bdi>{claim.quote ?? 'erased'}</bdi>
      <footer class="muted small">
        <DocumentLink scopeId={scopeId} id={claim.document_id} />
        {claim.recognised !== undefined && `, ${placeInFile(claim)}: look at the page`}
      </footer>
    </blockquote>
  )
}
