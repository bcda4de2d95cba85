/** What an archive holds: the documents that its files became, and the list of all that is in it. */

import type { Schema } from '../src/contract/types.js'
import { documentsOfCase, readParts } from './document-text'
import { FormattedText } from './formatted-text'
import { DocumentLink } from './parts'
import { useLoaded } from './use-loaded'

export function ArchiveFiles({ scopeId, document, text }: { scopeId: string; document: Schema['Document']; text: string }) {
  useLoaded(() => readParts(scopeId, document.document_id), [scopeId, document.document_id])
  const held = [...documentsOfCase.value.values()].filter(each => each.part_of === document.document_id)
  const byName = held.sort((a, b) => ((a.name ?? '') < (b.name ?? '') ? -1 : 1))
  return (
    <>
      {byName.length > 0 && (
        <ul class="archive-files" aria-label="Documents from this archive">
          {byName.map(({ document_id: id }) => (
            <li key={id}>
              <DocumentLink scopeId={scopeId} id={id} />
            </li>
          ))}
        </ul>
      )}
      <FormattedText text={text} passages={[]} />
    </>
  )
}
