/** Certificates as evidence: the newest, all in the order of their chain, which were withdrawn, and the public keys. */

import { Type } from '../platform/schema.js'
import { pageQuery, scopeParams } from './common.js'
import { CertificatePage, CertificateView, Jwks, WithdrawnCertificates } from './findings.js'
import { defineOperations } from './operation.js'

export const certificateOperations = defineOperations({
  getCertificate: {
    method: 'GET',
    path: '/api/scopes/{scopeId}/certificate',
    tier: 'public',
    tag: 'Decisions',
    summary: 'Read the newest certificate of a scope',
    credential: 'tenant-key',
    params: scopeParams,
    success: { status: 200, description: 'The certificate.', schema: CertificateView },
    refusals: ['SCOPE_NOT_FOUND', 'CERTIFICATE_NOT_FOUND'],
  },
  listCertificates: {
    method: 'GET',
    path: '/api/scopes/{scopeId}/certificates',
    tier: 'public',
    tag: 'Decisions',
    summary: 'List every certificate of a scope, oldest first',
    description:
      'Also those of before a reset. `previous` of each is the `sha256` of the one before: with the newest all others can be checked.',
    credential: 'tenant-key',
    params: scopeParams,
    query: Type.Object(pageQuery),
    success: { status: 200, description: 'A page of certificates, in the order of the chain.', schema: CertificatePage },
    refusals: ['SCOPE_NOT_FOUND', 'CURSOR_INVALID'],
  },
  getWithdrawnCertificates: {
    method: 'GET',
    path: '/api/scopes/{scopeId}/certificates/withdrawn',
    tier: 'public',
    tag: 'Decisions',
    summary: 'Read which certificates of a scope are withdrawn, signed',
    description:
      'Signed at the time of the request like a certificate (`typ` `concord-withdrawals+jws`): the SHA-256 of each withdrawn certificate with its time, and length and head of the chain of certificates. For whoever holds a certificate and cannot ask the service.',
    credential: 'tenant-key',
    params: scopeParams,
    success: { status: 200, description: 'The signed list.', schema: WithdrawnCertificates },
    refusals: ['SCOPE_NOT_FOUND'],
  },
  getJwks: {
    method: 'GET',
    path: '/.well-known/jwks.json',
    tier: 'public',
    tag: 'Decisions',
    summary: 'Public keys of the certificates',
    credential: 'none',
    success: { status: 200, description: 'Every key ever used.', schema: Jwks },
    refusals: [],
  },
})
