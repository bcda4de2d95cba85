/** What is made of a file: its text, where in the file each part of the text stands, and what was attached to it. Or why nothing is. */

export type PlaceKind = 'page' | 'cell' | 'paragraph'

/** From starts[i] on, in code points, the text stands at labels[i]: a page, `Sheet!B7`, or the number of a paragraph. */
export interface Places {
  kind: PlaceKind
  starts: number[]
  labels: string[]
}

/** Of one file: as many as cells are read of a spreadsheet. */
export const mostPlaces = 500_000

export interface Attachment {
  /** Of a file in an archive with its folders. */
  name: string
  declared: string | null
  bytes: Uint8Array
}

/** Of one mail or archive, and of all mails and archives within it together. */
export const mostAttachments = 100
/** The same, of what an archive unpacks to: far more than a case brings at once, and little enough to hold in memory. */
export const mostAttachedBytes = 64 * 1024 * 1024

export interface Extracted {
  text: string
  places: Places | null
  notes: string[]
  attachments: Attachment[]
  /** It has pages whose text has to be recognised: all, or some. There is no text yet. */
  scan?: 'whole' | 'partly'
}

export interface ExtractionLimits {
  /** Of the text, in code points. */
  maxChars: number
  /** Of everything unpacked from one file. */
  maxUnpackedBytes: number
}

/** Reasons that are the file's own: trying again gives the same. */
export const faults = {
  NO_TEXT: 'The file holds no text, and nothing that could be recognised as text.',
  ENCRYPTED: 'The file is protected by a password. Send it without.',
  BROKEN: 'The file is damaged or not what it says it is, and cannot be read.',
  TOO_LONG: 'The file holds more text than is read of one document (MAX_EXTRACTED_CHARS). Send it in parts.',
  TOO_LARGE: 'The file unpacks to far more than a document of its kind holds, or its picture has too many pixels.',
  TOO_COMPLEX: 'The file has more pages, sheets, cells or parts than are read of one document.',
  TOO_MUCH_MEMORY: 'Reading the file needed more memory than it may.',
  NO_LANGUAGE:
    'Data of a language the scan is said to be in is not installed: npm install @tesseract.js-data/…, for each in SCAN_LANGUAGES.',
  TOO_SLOW: 'Reading the file took longer than it may.',
} as const

export type FaultCode = keyof typeof faults

export class FileFault extends Error {
  readonly code: FaultCode

  constructor(code: FaultCode, cause?: unknown) {
    super(faults[code], cause === undefined ? undefined : { cause })
    this.name = 'FileFault'
    this.code = code
  }
}

/** What reads files does not start: no fault of the one in hand. */
export class ReaderFailure extends Error {
  constructor(cause: unknown) {
    super('What recognises letters does not start.', { cause })
    this.name = 'ReaderFailure'
  }
}
