/** Certificates as evidence: the newest, all in the order of their chain, which were withdrawn, and the public keys. */

import { Type } from '../platform/schema.js'
import { CertificatePage, CertificateView, Jwks, WithdrawnCertificates } from './certificates.js'
import { pageQuery } from './common.js'
import { defineOperations, forTenants } from './operation.js'

export const certificateOperations = defineOperations(forTenants('Decisions'), {
  getCertificate: {
    route: 'GET /api/scopes/{scopeId}/certificate',
    summary: 'Read the newest certificate of a scope',
    seen: 'certificate',
    success: { status: 200, description: 'The certificate.', schema: CertificateView },
    refusals: ['CERTIFICATE_NOT_FOUND'],
  },
  listCertificates: {
    route: 'GET /api/scopes/{scopeId}/certificates',
    summary: 'List every certificate of a scope, oldest first',
    seen: 'certificate',
    description:
      'Also those of before a reset. `previous` of each is the `sha256` of the one before: with the newest all others can be checked.',
    query: Type.Object(pageQuery),
    success: { status: 200, description: 'A page of certificates, in the order of the chain.', schema: CertificatePage },
  },
  getWithdrawnCertificates: {
    route: 'GET /api/scopes/{scopeId}/certificates/withdrawn',
    summary: 'Read which certificates of a scope are withdrawn, signed',
    description:
      'Signed at the time of the request like a certificate (`typ` `concord-withdrawals+jws`): the SHA-256 of each withdrawn certificate with its time, and length and head of the chain of certificates. For whoever holds a certificate and cannot ask the service.',
    success: { status: 200, description: 'The signed list.', schema: WithdrawnCertificates },
  },
  getJwks: {
    credential: 'none',
    route: 'GET /.well-known/jwks.json',
    summary: 'Public keys of the certificates',
    description:
      'A key with `concord_tenants` came with imported tenants, named there by the SHA-256 of their ids: what it signed about anybody else is forged. `concord verify` refuses it; so must other verifiers.',
    success: { status: 200, description: 'Every key ever used.', schema: Jwks },
  },
})
