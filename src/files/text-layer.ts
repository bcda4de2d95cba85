/**
 * Whether the text that a page of a PDF carries is that of the page. None on a scan; a few words stamped onto one; and what an old scanner
 * recognised badly, or fonts without a table of their letters give, is rubbish. Pure.
 */

export type TextLayer = 'good' | 'short' | 'rubbish' | 'none'

/** A page with fewer characters may be a scan that was stamped or numbered. */
const shortChars = 200
const leastTokens = 5
const leastLetters = 40

export function textLayerOf(text: string): TextLayer {
  const chars = text.replaceAll(/\s/g, '').length
  if (chars === 0) return 'none'
  if (isRubbish(text)) return 'rubbish'
  return chars < shortChars ? 'short' : 'good'
}

/** Letters, with apostrophes and hyphens between them; or a figure with its signs; or a sign that stands alone. */
const wordLike =
  /^(?:\p{L}\p{M}*(?:['’.\-/]?\p{L}\p{M}*)*|[+\-±~≈<>≤≥]?\p{Sc}?[\d][\d.,:/'’\-–%‰°]*\p{Sc}?|\p{Lu}{1,4}[-/]?\d+[-/\d]*|[&+\-–—•·=*/%§€$£#@|¦→✓✗☐☒]+)$/u
const vowel = /[aeiouyáàâãäåæéèêëíìîïóòôõöøœúùûüýÿąęıőűů]/i

function isRubbish(text: string): boolean {
  const visible = text.replaceAll(/\s/g, '')
  const unknown = visible.match(/[\ufffd\ue000-\uf8ff\u0000-\u001f\u0080-\u009f]/g)?.length ?? 0
  if (unknown > 0.2 * visible.length) return true
  const tokens = text.split(/\s+/).flatMap(token => token.replaceAll(/^[("'“‘„«[{]+|[)"'”’“»\]},.;:!?…]+$/g, '') || [])
  if (tokens.length < leastTokens) return false
  if (tokens.filter(token => wordLike.test(token)).length < 0.5 * tokens.length) return true
  // Letters of fonts that count otherwise are words with few vowels ("7KH UHQW LV"); in languages written in Latin letters a third are.
  const latin = visible.match(/[A-Za-zÀ-ž]/g) ?? []
  return latin.length >= leastLetters && latin.filter(letter => vowel.test(letter)).length < 0.25 * latin.length
}

/**
 * Whether a PDF holds pictures, and pictures large enough to be of a page: seen in its bytes, without unpacking anything. Pictures are streams of
 * their own, and what describes a stream is never packed.
 */
export function picturesIn(bytes: Uint8Array): 'none' | 'small' | 'large' {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let found: 'none' | 'small' = 'none'
  for (let at = text.indexOf('/Image'); at >= 0; at = text.indexOf('/Image', at + 6)) {
    found = 'small'
    const around = text.toString('latin1', Math.max(0, at - 400), at + 400)
    const [, width = '0'] = /\/Width\s+(\d+)/.exec(around) ?? []
    const [, height = '0'] = /\/Height\s+(\d+)/.exec(around) ?? []
    if (Number(width) * Number(height) >= leastPagePixels) return 'large'
  }
  return found
}

/** A page of A4 at 60 dots per inch. */
const leastPagePixels = 350_000
