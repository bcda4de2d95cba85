/**
 * A request with fields and then one file (multipart/form-data). The fields are whole when the file begins; the file is
 * handed on as it comes, and a reader that is slow slows its sender. Nothing is kept here but the fields.
 */

import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { Busboy } from '@fastify/busboy'
import { AppError } from '../platform/errors.js'
import { discardBody } from './json-body.js'
import { memberPointer, validationFailed } from './validation.js'
import { whenBodyEnds } from './when-gone.js'

export interface UploadForm {
  fields: Record<string, string>
  file: { name: string | null; declared: string | null; bytes: AsyncIterable<Buffer> }
}

/** A field may have up to 500 characters, four bytes each. */
const fieldBytes = 4096
const mostFields = 16

export function isMultipart(contentType: string | undefined): boolean {
  return /^multipart\/form-data\s*;.*boundary=/i.test(contentType ?? '')
}

/** Resolves when the file begins. Rejects, as the file's bytes do later, with what is wrong with the form. */
export function openForm(message: IncomingMessage, fileBytes: number): Promise<UploadForm> {
  return new Promise((resolve, reject) => {
    const fields: Record<string, string> = Object.create(null)
    let begun = false
    let failure: Error | undefined
    let fail = (error: Error): void => {
      failure ??= error
      reject(error)
    }
    const parser = createParser(message, fileBytes)
    if (parser instanceof Error) return reject(parser)
    parser.on('field', (given, value, nameCut, valueCut) => {
      const name = given ?? ''
      if (begun) return fail(refused(name, 'must come before the file'))
      if (nameCut || valueCut) return fail(refused(name, 'is too long'))
      if (name in fields) return fail(refused(name, 'must be given once'))
      fields[name] = value
    })
    parser.on('fieldsLimit', () => fail(refused('', `may have up to ${mostFields} fields`)))
    parser.on('partsLimit', () => fail(refused('', `may have up to ${mostFields} fields`)))
    parser.on('filesLimit', () => fail(refused('file', 'must be given once')))
    parser.on('file', (name, stream, fileName, _encoding, mediaType) => {
      // A failure is met where the bytes are read; without a listener it would end the process.
      stream.on('error', () => undefined)
      if (name !== 'file') fail(refused(name ?? '', 'is not a known member'))
      if (failure !== undefined) return void stream.resume()
      begun = true
      fail = error => {
        failure ??= error
        stream.destroy(error)
      }
      const bytes = bytesOf(stream, { ended: finished, failure: () => failure })
      resolve({ fields, file: { name: fileName || null, declared: mediaType || null, bytes } })
    })
    const finished = new Promise<void>(done => {
      parser.once('finish', () => {
        if (!begun) fail(refused('file', 'is required'))
        done()
      })
      parser.on('error', () => {
        fail(incomplete())
        done()
      })
      whenBodyEnds(message, () => {
        if (message.readableEnded) return
        fail(new AppError('REQUEST_TIMEOUT'))
        done()
      })
    })
    message.pipe(parser)
  })
}

/** What was refused is read and thrown away, within a bound, so that the refusal reaches a client that is still sending. */
export function discardRest(message: IncomingMessage, fileBytes: number): void {
  if (message.readableEnded || message.destroyed) return
  message.unpipe()
  // The answer does not wait for this: whoever has not read it by then and sends on is cut off.
  void discardBody(message, fileBytes).then(() => {
    if (!message.readableEnded) message.destroy()
  })
}

function createParser(message: IncomingMessage, fileBytes: number): InstanceType<typeof Busboy> | Error {
  const limits = { fieldNameSize: 100, fieldSize: fieldBytes, fields: mostFields, files: 1, parts: mostFields + 2, fileSize: fileBytes + 1 }
  try {
    const isPartAFile = (name: string | undefined, _type: string | undefined, fileName: string | undefined) =>
      name === 'file' || fileName !== undefined
    return new Busboy({ headers: message.headers as { 'content-type': string }, limits, isPartAFile })
  } catch {
    return new AppError('UNSUPPORTED_MEDIA_TYPE', { detail: 'Send multipart/form-data with a boundary.' })
  }
}

/** Ends when the whole form has ended, so that what follows the file is known to be in order. */
async function* bytesOf(stream: Readable, form: { ended: Promise<void>; failure(): Error | undefined }): AsyncGenerator<Buffer> {
  try {
    for await (const piece of stream) yield piece as Buffer
  } catch (error) {
    throw form.failure() ?? (error instanceof AppError ? error : incomplete())
  }
  await form.ended
  const failure = form.failure()
  if (failure !== undefined) throw failure
}

function incomplete(): AppError {
  return validationFailed([{ pointer: '', detail: 'is truncated or malformed multipart/form-data' }])
}

function refused(name: string, detail: string): AppError {
  return validationFailed([{ pointer: name === '' ? '' : memberPointer(name), detail }])
}
