/**
 * Cursors as clients see them. A scope's is its `seq`; the kernel stream's is opaque: a place in the log with check
 * characters, so that garbage is told from a place that is no longer there. `-1` is the beginning of both.
 */

import { createHash } from 'node:crypto'
import { AppError } from '../platform/errors.js'
import type { LogPosition } from '../store/events/events-reading.js'

export const logStart: LogPosition = { xid: 0, id: 0 }

/** Null when the client gave none. */
export function parseScopeCursor(text: string | null): number | null {
  if (text === null) return null
  if (!/^(-1|\d{1,15})$/.test(text)) throw invalidCursor()
  return Number(text)
}

export function formatKernelCursor(position: LogPosition): string {
  const place = `${position.xid.toString(36)}-${position.id.toString(36)}`
  return Buffer.from(`${checkOf(place)}${place}`).toString('base64url')
}

export function parseKernelCursor(text: string | null): LogPosition | null {
  if (text === null) return null
  if (text === '-1') return logStart
  const plain = text.length > 100 ? '' : Buffer.from(text, 'base64url').toString('latin1')
  const match = /^([0-9a-f]{4})(([0-9a-z]{1,12})-([0-9a-z]{1,12}))$/.exec(plain)
  if (match === null || match[1] !== checkOf(match[2] as string)) throw invalidCursor()
  return { xid: Number.parseInt(match[3] as string, 36), id: Number.parseInt(match[4] as string, 36) }
}

export function comparePositions(a: LogPosition, b: LogPosition): number {
  return a.xid - b.xid || a.id - b.id
}

function checkOf(place: string): string {
  return createHash('sha256').update(`kernel ${place}`).digest('hex').slice(0, 4)
}

function invalidCursor(): AppError {
  return new AppError('CURSOR_INVALID', { detail: 'The cursor is not one that this stream has given.' })
}
