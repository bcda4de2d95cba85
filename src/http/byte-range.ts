/** Which bytes of a file a request wants (RFC 9110, 14): one range; of several at once the whole file is sent, as it may be. Pure. */

export interface ByteRange {
  first: number
  /** The last byte, which is part of it. */
  last: number
}

/** `whole`: all of it; `none`: there are no such bytes. */
export type Wanted = ByteRange | 'whole' | 'none'

export interface RangeHeaders {
  range?: string | undefined
  'if-range'?: string | string[] | undefined
}

export function wantedBytes(headers: RangeHeaders, { bytes, etag }: { bytes: number; etag: string }): Wanted {
  const { range, 'if-range': onlyOf } = headers
  // A date can stand there too: we give none, so that none can be equal.
  if (range === undefined || (onlyOf !== undefined && onlyOf !== etag)) return 'whole'
  const [, first, last] = /^bytes=\s*(\d*)-(\d*)\s*$/.exec(range) ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return 'whole'
  if (first === '') {
    const length = Math.min(Number(last), bytes)
    return length === 0 ? 'none' : { first: bytes - length, last: bytes - 1 }
  }
  const [from, to] = [Number(first), last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1)]
  if (last !== '' && Number(last) < from) return 'whole'
  return from >= bytes ? 'none' : { first: from, last: to }
}
