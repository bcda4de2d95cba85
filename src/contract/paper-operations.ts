/** What is handed on of a case: the schedule of its contradictions, and everything that belongs to it in one archive. */

import { Type } from '../platform/schema.js'
import { contradictionFilters } from './common.js'
import { rangeHeaders } from './file-operations.js'
import { defineOperations, forTenants } from './operation.js'

const file = { schema: Type.String({ contentMediaType: 'application/octet-stream' }), mediaType: '*/*' } as const

export const paperOperations = defineOperations(forTenants('Findings'), {
  getSchedule: {
    route: 'GET /api/scopes/{scopeId}/schedule',
    summary: 'Read the schedule of contradictions as Word or Excel',
    description:
      'Each fact with both quotes, the paper and the page, cell or paragraph of each, its issuer and dates, and what was decided, by whom and why. The first 2,000; the title says so where there are more, and what it was narrowed to.',
    seen: 'report',
    query: Type.Object({
      format: Type.Optional(Type.Enum(['docx', 'xlsx'], { default: 'xlsx' })),
      status: Type.Optional(
        Type.Enum(['open', 'resolved', 'dismissed', 'decided', 'all'], {
          default: 'all',
          description: '`decided`: resolved or dismissed.',
        }),
      ),
      ...contradictionFilters,
      q: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 200,
          description: 'Only those that say this in what they are about, a quote, value or source.',
        }),
      ),
    }),
    success: { status: 200, description: 'The file, as an attachment.', ...file, headers: { 'Content-Disposition': 'attachment' } },
  },
  getBundle: {
    route: 'GET /api/scopes/{scopeId}/bundle',
    summary: 'Read what is handed on of a case, as a ZIP archive',
    description:
      'The schedule as Word and Excel, the cited papers as they came (500 and 1 GiB at most; `papers.json` says what was left out), the newest certificate, the case as of its last change as a page and signed (without `iat`: the same case gives the same archive), the public keys, and how to verify it all. All of it speaks of one moment: a case that changes each time while it is read is answered with 503. `papers.json` has the SHA-256 of each paper in it, of the bytes of a file (`kind` `file`) or of a text (`text`), and the signed document the SHA-256 of `papers.json` (`papers_json_sha256`). A transfer that broke off goes on with `Range` and `If-Range`: the ETag is that of the content.',
    seen: 'report',
    headers: rangeHeaders,
    partial: 'A part of the archive.',
    success: {
      status: 200,
      description: 'The archive, as an attachment.',
      ...file,
      headers: { 'Content-Disposition': 'attachment', 'Accept-Ranges': '`bytes`', ETag: 'Made from what is in it.' },
    },
    refusals: ['RANGE_NOT_SATISFIABLE'],
  },
})
