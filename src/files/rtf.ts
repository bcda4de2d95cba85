/**
 * The text of a message in Rich Text, as Outlook keeps it: unpacked ([MS-OXRTFCP]), and either read as text or, where it was made of
 * HTML, turned back into that ([MS-OXRTFEX]). Pictures, fonts, styles and fields' instructions are left out. Pure.
 */

import { FileFault } from './extraction.js'

export interface RichText {
  text: string
  isHtml: boolean
}

export function readRichText(
  packed: Buffer,
  maxBytes: number,
  decoderOf: (codepage: number) => { decode(bytes: Uint8Array): string },
): RichText {
  return new RtfReader(unpacked(packed, maxBytes).toString('latin1'), decoderOf).read()
}

/** What every dictionary begins with. */
const dictionaryStart =
  '{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx'

/** "MELA" and "LZFu". */
const [plain, compressed] = [0x414c454d, 0x75465a4c]

function unpacked(packed: Buffer, maxBytes: number): Buffer {
  if (packed.length < 16) throw new FileFault('BROKEN')
  const [size, mark] = [packed.readUInt32LE(4), packed.readUInt32LE(8)]
  if (mark !== plain && mark !== compressed) throw new FileFault('BROKEN')
  if (size > maxBytes) throw new FileFault('TOO_LARGE')
  if (mark === plain) return packed.subarray(16, 16 + size)
  const dictionary = Buffer.alloc(4096)
  let write = dictionary.write(dictionaryStart, 'latin1')
  const out = Buffer.alloc(size)
  let length = 0
  const put = (byte: number) => {
    if (length < size) out[length++] = byte
    dictionary[write] = byte
    write = (write + 1) % 4096
  }
  for (let at = 16; at < packed.length && length < size; ) {
    let control = packed[at++] as number
    for (let bit = 0; bit < 8 && at < packed.length && length < size; bit++, control >>= 1) {
      if ((control & 1) === 0) {
        put(packed[at++] as number)
        continue
      }
      if (at + 2 > packed.length) return out.subarray(0, length)
      const reference = packed.readUInt16BE(at)
      at += 2
      let from = reference >> 4
      // One to where the next byte is written is the end.
      if (from === write) return out.subarray(0, length)
      for (let left = (reference & 15) + 2; left > 0; left--, from = (from + 1) % 4096) put(dictionary[from] as number)
    }
  }
  return out.subarray(0, length)
}

/** Groups whose words are not of the text. */
const leftOut = new Set([
  ...[
    'fonttbl',
    'colortbl',
    'stylesheet',
    'info',
    'pict',
    'object',
    'header',
    'headerl',
    'headerr',
    'footer',
    'footerl',
    'footerr',
    'fldinst',
  ],
  ...['generator', 'themedata', 'datastore', 'listtable', 'listoverridetable', 'rsidtbl', 'xmlnstbl', 'template', 'pntext'],
])

/** Looked up by words of the file, which may be those that every object has. */
const characters: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ par: '\n', line: '\n', sect: '\n', page: '\n', row: '\n', tab: '\t', cell: '\t' },
    ...{ emdash: '—', endash: '–', lquote: '‘', rquote: '’', ldblquote: '“', rdblquote: '”', bullet: '•', emspace: ' ', enspace: ' ' },
  }),
)

/** Sets of characters of fonts, as code pages. */
const charsets: Readonly<Record<number, number>> = {
  ...{ 0: 1252, 128: 932, 129: 949, 134: 936, 136: 950, 161: 1253, 162: 1254, 163: 1258, 177: 1255, 178: 1256, 186: 1257, 204: 1251 },
  ...{ 222: 874, 238: 1250 },
}

interface Group {
  isLeftOut: boolean
  /** A piece of the HTML it was made of. */
  isTag: boolean
  /** Between `\htmlrtf` and `\htmlrtf0`: only for programs that know no HTML. */
  isForRtf: boolean
  /** Characters that stand behind one in Unicode for programs that know none. */
  fallbacks: number
  font: number
}

const token = /\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-f]{2})|\\([^a-z'])|([{}])|([^\\{}\r\n]+)|[\r\n]+|\\/giy
/** Groups within groups. */
const mostDepth = 200

class RtfReader {
  private readonly rtf: string
  private readonly decoderOf: (codepage: number) => { decode(bytes: Uint8Array): string }
  private readonly groups: Group[] = []
  private group: Group = { isLeftOut: false, isTag: false, isForRtf: false, fallbacks: 1, font: -1 }
  private readonly parts: string[] = []
  private isHtml = false
  private codepage = 1252
  private readonly fonts = new Map<number, number>()
  private inFonts = false
  /** Bytes of one code page that were not decoded yet: a character may be two of them. */
  private bytes: number[] = []
  private bytesOf = 1252
  private toSkip = 0
  private isStarred = false

  constructor(rtf: string, decoderOf: (codepage: number) => { decode(bytes: Uint8Array): string }) {
    this.rtf = rtf
    this.decoderOf = decoderOf
  }

  read(): RichText {
    if (!this.rtf.startsWith('{\\rtf')) throw new FileFault('BROKEN')
    for (const [, word, number, hex, sign, brace, text] of this.rtf.matchAll(token)) {
      if (brace === '{') this.open()
      else if (brace === '}') this.close()
      else if (word !== undefined) this.control(word, number === undefined ? null : Number(number))
      else if (hex !== undefined) this.byte(Number.parseInt(hex, 16))
      else if (sign !== undefined) this.sign(sign)
      else if (text !== undefined) for (const each of Buffer.from(text, 'latin1')) this.byte(each)
    }
    this.decode()
    return { text: this.parts.join(''), isHtml: this.isHtml }
  }

  private open(): void {
    if (this.groups.length === mostDepth) throw new FileFault('TOO_COMPLEX')
    this.toSkip = 0
    this.groups.push({ ...this.group })
  }

  private close(): void {
    this.decode()
    this.toSkip = 0
    const outer = this.groups.pop()
    if (outer !== undefined) this.group = outer
    this.isStarred = false
    if (this.groups.length < 2) this.inFonts = false
  }

  private control(word: string, number: number | null): void {
    const isStarred = this.isStarred
    this.isStarred = false
    if (word === 'fonttbl') this.inFonts = true
    if (word === 'htmltag' && this.isHtml) this.group.isTag = true
    else if (leftOut.has(word) || isStarred) this.group.isLeftOut = true
    else if (word === 'fromhtml') this.isHtml = number !== 0
    else if (word === 'htmlrtf') this.group.isForRtf = number !== 0
    else if (word === 'ansicpg') this.codepage = number ?? 1252
    else if (word === 'f') this.group.font = number ?? -1
    else if (word === 'fcharset' && this.inFonts) this.fonts.set(this.group.font, charsets[number ?? 0] ?? this.codepage)
    else if (word === 'uc') this.group.fallbacks = Math.min(20, Math.max(0, number ?? 1))
    else if (word === 'u') this.unicode(number ?? 0)
    else {
      const character = characters.get(word)
      if (character !== undefined) this.say(character)
    }
  }

  private unicode(number: number): void {
    this.decode()
    this.toSkip = this.group.fallbacks
    this.put(String.fromCharCode((number + 65_536) % 65_536))
  }

  private sign(sign: string): void {
    if (sign === '*') this.isStarred = true
    else if (sign === '~') this.say('\u00a0')
    else if (sign === '_') this.say('-')
    else if (sign === '\n' || sign === '\r') this.say('\n')
    else if ('\\{}'.includes(sign)) this.byte(sign.charCodeAt(0))
  }

  private byte(byte: number): void {
    if (this.toSkip > 0) {
      this.toSkip--
      return
    }
    const codepage = this.group.isTag ? this.codepage : (this.fonts.get(this.group.font) ?? this.codepage)
    if (codepage !== this.bytesOf) this.decode()
    this.bytesOf = codepage
    if (this.isShown()) this.bytes.push(byte)
  }

  private say(text: string): void {
    this.decode()
    this.toSkip = 0
    // Within HTML, lines are those of its source.
    this.put(text)
  }

  private decode(): void {
    if (this.bytes.length > 0) this.parts.push(this.decoderOf(this.bytesOf).decode(Uint8Array.from(this.bytes)))
    this.bytes = []
  }

  private put(text: string): void {
    if (this.isShown()) this.parts.push(text)
  }

  private isShown(): boolean {
    const { isLeftOut, isForRtf } = this.group
    return !isLeftOut && !(this.isHtml && isForRtf)
  }
}
