/** A file that stays the same while the service runs: compressed once, and sent again only when it changed. */

import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

export interface KeptFile {
  type: string
  etag: string
  bytes: Buffer
  compressed: Buffer
}

export function keptFile(type: string, bytes: Buffer): KeptFile {
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
  return { type, etag, bytes, compressed: gzipSync(bytes, { level: 9 }) }
}

export function sendKeptFile(file: KeptFile, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const vary = [reply.getHeader('vary'), 'accept-encoding'].filter(each => each !== undefined).join(', ')
  reply.headers({ 'cache-control': 'no-cache', etag: file.etag, vary })
  if (request.headers['if-none-match']?.includes(file.etag)) return reply.code(304).send()
  reply.type(file.type)
  if (!/\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))) return reply.send(file.bytes)
  return reply.header('content-encoding', 'gzip').send(file.compressed)
}
