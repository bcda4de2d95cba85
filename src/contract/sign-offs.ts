/** Sign-offs: what a person says about everything in a scope at one moment, and what it was about. */

import { Type } from '../platform/schema.js'
import {
  Count,
  closed,
  DocumentId,
  FinalityStatus,
  fileHash,
  Hash,
  Nullable,
  open,
  PageOf,
  RecordOf,
  ScopeId,
  Time,
  textHash,
  vouched,
} from './common.js'
import { judgement } from './findings.js'

const how = Type.Enum(['read_by_eye', 'set_aside'], {
  description: '`read_by_eye`: the person read it, and it counts as content. `set_aside`: the case does not rest on it.',
})

export const SignOffRequest = Type.Object(
  {
    ...judgement,
    unread: Type.Optional(
      Type.Array(Type.Object({ document_id: DocumentId, how, reason: judgement.reason }, closed), {
        maxItems: 1000,
        description: 'Every document that is attached or quarantined, and what was done about it.',
      }),
    ),
  },
  {
    $id: 'SignOffRequest',
    ...closed,
    examples: [
      {
        by: 'j.doe',
        reason: 'I have read every paper and compared the findings.',
        unread: [{ document_id: 'scan-3', how: 'read_by_eye', reason: 'A site photograph; it states nothing.' }],
      },
    ],
  },
)

export const SignOff = RecordOf('SignOff', {
  sign_off_id: Type.String(),
  scope_id: ScopeId,
  by: Type.String(),
  vouched,
  reason: Type.String({ description: 'Empty once a document it covers was erased.' }),
  signed_at: Time,
  round: Count,
  decision_id: Type.String(),
  current: Type.Boolean({ description: 'It stands, and exactly what it covers counts now.' }),
  covers: Type.Object(
    {
      documents: Type.Object(
        {
          count: Count,
          digest: Hash,
          hashes: Nullable(
            Type.Array(
              Type.Object(
                { document_id: DocumentId, revision: Type.Integer(), sha256: textHash, file_sha256: Type.Optional(fileHash) },
                open,
              ),
              {
                description: 'Null where there are more than 500.',
              },
            ),
          ),
        },
        open,
      ),
      claims: Type.Object({ count: Count, digest: Type.String() }, open),
      left_open: Type.Object(
        {
          contradictions: Count,
          contradiction_ids: Type.Array(Type.String()),
          possible_conflicts: Count,
          possible_conflict_ids: Type.Array(Type.String()),
        },
        { ...open, description: 'What the settings let stand open, with up to 100 ids each.' },
      ),
      settings_digest: Hash,
    },
    { ...open, description: 'The fixed set it is about.' },
  ),
  unread: Type.Array(
    Type.Object({ document_id: DocumentId, revision: Type.Integer(), status: Type.String(), how, reason: Type.String() }, open),
  ),
  withdrawn: Nullable(
    Type.Object({ by: Type.String(), vouched, reason: Type.String(), withdrawn_at: Time, round: Count, decision_id: Type.String() }, open),
  ),
})
export const SignOffPage = PageOf('SignOffPage', SignOff)

export const SignOffResult = Type.Object(
  { ...SignOff.properties, finality: FinalityStatus },
  { $id: 'SignOffResult', ...open, description: 'The sign-off, and the finality of the scope after it.' },
)
