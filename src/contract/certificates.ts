/** Certificates, what else is signed, and the keys that verify it. */

import { Type } from '../platform/schema.js'
import { Count, Hash, Nullable, open, PageOf, RecordOf, ScopeId, Time } from './common.js'

export const CertificateView = RecordOf('Certificate', {
  certificate_id: Type.String(),
  scope_id: ScopeId,
  generation: Type.Integer(),
  round: Count,
  certificate: Type.String({
    description:
      'Compact JWS, EdDSA over Ed25519; its key is in /.well-known/jwks.json under `kid`. It names each document by revision, `sha256` of the text that was read and, where it came as a file, `file_sha256` of the bytes that came; those of 0.2.0 lack that. A case with more than 500 documents has a digest of the texts alone in place of the list: there the bytes of files are in the signed document about a case at a moment.',
  }),
  sha256: { ...Hash, description: 'SHA-256 of the compact JWS: what the next certificate names as `previous`.' },
  previous: Nullable({ ...Hash, description: '`sha256` of the certificate before it; null for the first.' }),
  kid: Type.String(),
  issued_at: Time,
  status: Type.Enum(['current', 'superseded', 'withdrawn'], {
    description:
      '`current`: the scope still stands as certified. `superseded`: a document or an act came since; whether what counts has changed by it is another matter. `withdrawn`: the scope was reset. The signature stays right in every case.',
  }),
  superseded_at: Nullable(Time),
  superseded_cause: Type.Optional(
    Nullable(
      Type.String({
        description:
          'What came at `superseded_at`: `document`, or what the next step was about (`resolution`, `finding`, `report`, `review`, `sign_off`, `settings`, `erasure`, `reread`, `discard`, `arrival`, …). Services of 0.2.0 do not say.',
      }),
    ),
  ),
  withdrawn_at: Nullable(Time),
  withdrawn_reason: Nullable(Type.String()),
})

export const CertificatePage = PageOf('CertificatePage', CertificateView)

/** What every statement that is signed at the time of asking has. */
export const signed = {
  statement: Type.String({ description: 'Compact JWS, EdDSA over Ed25519; its key is in /.well-known/jwks.json under `kid`.' }),
  kid: Type.String(),
  issued_at: Time,
}

export const WithdrawnCertificates = RecordOf('WithdrawnCertificates', { scope_id: ScopeId, count: Count, ...signed })

export const AuditCheckpoint = RecordOf('AuditCheckpoint', {
  length: { ...Count, description: 'How many entries are chained.' },
  head: Hash,
  ...signed,
})

export const RotatedKey = RecordOf('RotatedKey', { kid: Type.String({ description: 'The key that signs from now on.' }) })

export const Jwks = RecordOf('Jwks', { keys: Type.Array(Type.Object({}, open)) })
