/** Files in, originals and what is handed on out. Each holds a place of its own kind while it is under way: the memory of two chunks, whatever its size. */

import { Readable } from 'node:stream'
import type { TObject } from 'typebox'
import type { Config } from '../platform/config.js'
import { AppError } from '../platform/errors.js'
import { createShares, takeShare } from '../platform/shares.js'
import type { AsOfInput } from '../scopes/as-of.js'
import type { Statements } from '../scopes/certificates/statements.js'
import type { ScopeName, ScopesDeps } from '../scopes/deps.js'
import type { GetDocumentInput } from '../scopes/documents/documents.js'
import { type Original, openOriginal } from '../scopes/documents/originals.js'
import { type FileFields, receiveFile } from '../scopes/documents/receive-file.js'
import { asOfPage } from '../scopes/papers/as-of-page.js'
import { openBundle } from '../scopes/papers/bundle.js'
import { excelOf } from '../scopes/papers/excel.js'
import { readSchedule, type ScheduleInput } from '../scopes/papers/schedule.js'
import { wordOf } from '../scopes/papers/word.js'
import { chunkBytes } from '../store/documents/files.js'
import { type ByteRange, wantedBytes } from './byte-range.js'
import type { Answer, Call } from './handler.js'
import { idempotencyKeyOf, replayed } from './idempotency.js'
import { findUnstorable } from './json-body.js'
import { discardRest, isMultipart, openForm } from './multipart.js'
import { checkReach } from './permission.js'
import type { ReadingLog } from './reading-log.js'
import { holderOf } from './requests-in-progress.js'
import { textCheckOf, validationFailed } from './validation.js'
import { whenGone } from './when-gone.js'

export interface FileAnswers {
  receive(call: Pick<Call, 'caller' | 'tenantId' | 'headers' | 'request' | 'trace' | 'confirmCaller'>, form: ExpectedForm): Promise<Answer>
  original(call: Asked, input: GetDocumentInput): Promise<Answer>
  bundle(call: Asked, name: ScopeName): Promise<Answer>
  schedule(call: Asked, input: ScheduleInput & { format: 'docx' | 'xlsx' }): Promise<Answer>
  asOfPage(call: Asked, input: AsOfInput): Promise<Answer>
}

type Asked = Pick<Call, 'caller' | 'request' | 'reply'>

export interface ExpectedForm {
  fields: TObject
  /** Where the path names the scope and the form does not. */
  scopeId?: string
}

const heldBytes = 2 * chunkBytes
const words = {
  full: 'Too many file transfers in progress.',
  over: 'This credential has reached its share of file transfers.',
  retryAfterSeconds: 1,
}

export interface FileAnswersOptions {
  scopes: ScopesDeps
  config: Pick<Config, 'maxFileBytes' | 'fileTotalBytes'>
  readings: ReadingLog
  statements: Pick<Statements, 'asOf' | 'undatedAsOf'>
}

export function createFileAnswers({ scopes, config, readings, statements }: FileAnswersOptions): FileAnswers {
  const places = createShares(config.fileTotalBytes)
  const take = ({ caller }: Pick<Call, 'caller'>) => takeShare(places, holderOf(caller), heldBytes, words)
  return {
    async receive(call, { fields: schema, scopeId }) {
      const message = call.request.raw
      const leave = take(call)
      try {
        if (!isMultipart(message.headers['content-type'])) {
          throw new AppError('UNSUPPORTED_MEDIA_TYPE', { detail: 'Send the file as multipart/form-data.' })
        }
        const form = await openForm(message, config.maxFileBytes)
        const faults = findUnstorable(form.fields)
        if (faults.length > 0) throw validationFailed(faults)
        refuseMissing(schema, form.fields)
        const fields = textCheckOf(schema)({ ...form.fields }) as Omit<FileFields, 'scope_id'> & {
          scope_id?: string
          idempotency_key?: string
        }
        const { idempotency_key: inForm, scope_id = scopeId ?? '', ...rest } = fields
        checkReach(call.caller, scope_id)
        const answer = await receiveFile(scopes, {
          tenantId: call.tenantId,
          fields: { scope_id, ...rest },
          idempotencyKey: idempotencyKeyOf(call.headers, inForm),
          file: { ...form.file, bytes: vouchedFor(form.file.bytes, call.confirmCaller) },
          maxBytes: config.maxFileBytes,
          mayCreateScope: scopeId === undefined,
          trace: call.trace,
        })
        return { body: answer.body, headers: replayed(answer.replayed) }
      } finally {
        discardRest(message, config.maxFileBytes)
        leave()
      }
    },
    async original(call, input) {
      const leave = take(call)
      whenGone(call.reply.raw, leave)
      const original = await openOriginal(scopes, input)
      const part = partWanted(call, original)
      await readings.note(call, { kind: 'original', scopeId: input.scopeId, id: input.documentId, revision: original.revision })
      const digest = `sha-256=:${original.sha256.toString('base64')}:`
      return fileAnswer(original, part, { 'repr-digest': digest })
    },
    async bundle(call, name) {
      const leave = take(call)
      whenGone(call.reply.raw, leave)
      const { archive, sha256, given } = await openBundle(scopes, statements, name)
      const file = { name: `${name.scopeId}.zip`, mediaType: 'application/zip', sha256, ...archive }
      const part = partWanted(call, file)
      for (const { kind, documentId: id, revision } of given)
        await readings.note(call, { kind, scopeId: name.scopeId, id, ...(kind === 'original' ? { revision } : {}) })
      return fileAnswer(file, part)
    },
    async schedule(call, { format, ...input }) {
      const leave = take(call)
      whenGone(call.reply.raw, leave)
      const schedule = await readSchedule(scopes, input)
      const body = format === 'docx' ? await wordOf(schedule) : await excelOf(schedule)
      const headers = {
        'content-type': officeTypes[format],
        'content-length': String(body.length),
        'content-disposition': attachmentOf(`${input.scopeId} contradictions.${format}`),
        'content-security-policy': sandboxed,
      }
      return { headers, body: Readable.from([body]) }
    },
    async asOfPage(call, input) {
      const leave = take(call)
      whenGone(call.reply.raw, leave)
      const page = Buffer.from(asOfPage(await statements.asOf(input)))
      const headers = {
        'content-type': 'text/html; charset=utf-8',
        'content-length': String(page.length),
        'content-security-policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      }
      return { headers, body: Readable.from([page]) }
    },
  }
}

/** A file may come for long: whoever sends it still has to be let in at its end, before anything is made of it. */
async function* vouchedFor(bytes: AsyncIterable<Buffer>, confirmCaller: () => Promise<void>): AsyncGenerator<Buffer> {
  yield* bytes
  await confirmCaller()
}

interface Part {
  etag: string
  wanted: ByteRange | 'whole'
  isHead: boolean
}

type SentFile = Pick<Original, 'name' | 'mediaType' | 'bytes' | 'sha256'> & { chunks(range?: ByteRange): AsyncIterable<Uint8Array> }

const office = 'application/vnd.openxmlformats-officedocument'
const officeTypes = { docx: `${office}.wordprocessingml.document`, xlsx: `${office}.spreadsheetml.sheet` }
const sandboxed = "sandbox; default-src 'none'; frame-ancestors 'none'"

function partWanted(call: Asked, { bytes, sha256 }: SentFile): Part {
  const etag = `"${sha256.toString('base64url')}"`
  const wanted = wantedBytes(call.request.headers, { bytes, etag })
  if (wanted !== 'none') return { etag, wanted, isHead: call.request.method === 'HEAD' }
  // Said beside the problem, so that a reader knows how long the file is.
  call.reply.header('content-range', `bytes */${bytes}`)
  throw new AppError('RANGE_NOT_SATISFIABLE', { detail: `The file has ${bytes} bytes.` })
}

function fileAnswer(file: SentFile, { etag, wanted, isHead }: Part, more: Record<string, string> = {}): Answer {
  const { name, mediaType, bytes, chunks } = file
  const range = wanted === 'whole' ? undefined : wanted
  const headers = {
    'content-type': mediaType,
    'content-length': String(range === undefined ? bytes : range.last - range.first + 1),
    'content-disposition': attachmentOf(name),
    'accept-ranges': 'bytes',
    etag,
    'content-security-policy': sandboxed,
    ...more,
    ...(range === undefined ? {} : { 'content-range': `bytes ${range.first}-${range.last}/${bytes}` }),
  }
  const body = Readable.from(isHead ? [] : chunks(range), { highWaterMark: 1 })
  return range === undefined ? { headers, body } : { status: 206, headers, body }
}

/** The file has begun: a field that comes after it is not seen. */
function refuseMissing({ required = [] }: { required?: readonly string[] }, fields: Readonly<Record<string, string>>): void {
  const missing = required.filter(name => !(name in fields))
  if (missing.length > 0)
    throw validationFailed(missing.map(name => ({ pointer: `/${name}`, detail: 'is required, and fields must come before the file' })))
}

/** A name that only old clients read, and the real one (RFC 6266). */
function attachmentOf(name: string): string {
  const plain = name.replaceAll(/[^\w .()-]/g, '_')
  const encoded = encodeURIComponent(name).replaceAll(/['()*]/g, each => `%${each.charCodeAt(0).toString(16).toUpperCase()}`)
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}
