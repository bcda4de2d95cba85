/** Decodes one character reference (`&amp;`, `&#8364;`, `&#x20AC;`) at a given place; unknown or unfinished ones are left as text. */

const reference = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z][a-zA-Z0-9]{1,30}))(;?)/y

/** References that browsers accept without the semicolon. */
const lenient = new Set(['amp', 'lt', 'gt', 'quot', 'nbsp'])

/** Blanks of any width read as a blank; soft hyphens and zero-width marks vanish, because they split words that are one. */
const named: ReadonlyMap<string, string> = new Map([
  ...pairs('amp & lt < gt > quot " apos \' AMP & LT < GT > QUOT "'),
  ...['nbsp', 'ensp', 'emsp', 'thinsp', 'hairsp', 'numsp', 'puncsp', 'emsp13', 'emsp14'].map((name): [string, string] => [name, ' ']),
  ...['shy', 'zwnj', 'zwj', 'lrm', 'rlm', 'ZeroWidthSpace'].map((name): [string, string] => [name, '']),
  ['Tab', ' '],
  ['NewLine', ' '],
  ...pairs('lbrace { rbrace } lcub { rcub } lbrack [ rbrack ] lsqb [ rsqb ] lpar ( rpar ) colon : semi ; comma , period . excl ! quest ?'),
  ...pairs('num # dollar $ percnt % ast * plus + equals = sol / bsol \\ lowbar _ grave ` commat @ hat ^ vert ¦ verbar ¦ tilde ~'),
  ...pairs('iexcl ¡ cent ¢ pound £ curren ¤ yen ¥ brvbar ¦ sect § uml ¨ copy © ordf ª laquo « not ¬ reg ® macr ¯ deg ° plusmn ±'),
  ...pairs('sup1 ¹ sup2 ² sup3 ³ acute ´ micro µ para ¶ middot · cedil ¸ ordm º raquo » frac14 ¼ frac12 ½ frac34 ¾ iquest ¿'),
  ...pairs('Agrave À Aacute Á Acirc Â Atilde Ã Auml Ä Aring Å AElig Æ Ccedil Ç Egrave È Eacute É Ecirc Ê Euml Ë Igrave Ì Iacute Í'),
  ...pairs('Icirc Î Iuml Ï ETH Ð Ntilde Ñ Ograve Ò Oacute Ó Ocirc Ô Otilde Õ Ouml Ö times × Oslash Ø Ugrave Ù Uacute Ú Ucirc Û'),
  ...pairs('Uuml Ü Yacute Ý THORN Þ szlig ß agrave à aacute á acirc â atilde ã auml ä aring å aelig æ ccedil ç egrave è eacute é'),
  ...pairs('ecirc ê euml ë igrave ì iacute í icirc î iuml ï eth ð ntilde ñ ograve ò oacute ó ocirc ô otilde õ ouml ö divide ÷'),
  ...pairs('oslash ø ugrave ù uacute ú ucirc û uuml ü yacute ý thorn þ yuml ÿ OElig Œ oelig œ Scaron Š scaron š Zcaron Ž zcaron ž'),
  ...pairs('Yuml Ÿ fnof ƒ circ ˆ ndash – mdash — horbar ― lsquo ‘ rsquo ’ sbquo ‚ ldquo “ rdquo ” bdquo „ dagger † Dagger ‡ bull •'),
  ...pairs('hellip … permil ‰ pertenk ‱ prime ′ Prime ″ lsaquo ‹ rsaquo › oline ‾ frasl ⁄ euro € trade ™ numero № larr ← uarr ↑'),
  ...pairs('rarr → darr ↓ harr ↔ lArr ⇐ rArr ⇒ hArr ⇔ check ✓ cross ✗ minus − lowast ∗ radic √ infin ∞ cap ∩ cup ∪ asymp ≈ ap ≈'),
  ...pairs('ne ≠ equiv ≡ le ≤ ge ≥ leq ≤ geq ≥ sub ⊂ sup ⊃ sum ∑ prod ∏ part ∂ nabla ∇ isin ∈ notin ∉ forall ∀ exist ∃ empty ∅'),
  ...pairs('Alpha Α Beta Β Gamma Γ Delta Δ Epsilon Ε Theta Θ Lambda Λ Pi Π Sigma Σ Phi Φ Psi Ψ Omega Ω alpha α beta β gamma γ'),
  ...pairs('delta δ epsilon ε zeta ζ eta η theta θ iota ι kappa κ lambda λ mu μ nu ν xi ξ pi π rho ρ sigma σ tau τ phi φ chi χ'),
  ...pairs('psi ψ omega ω dash ‐ hyphen ‐ star ☆ starf ★ phone ☎ loz ◊ squ □ blacksquare ▪'),
])

export interface DecodedEntity {
  text: string
  end: number
}

export function decodeEntity(source: string, at: number, limit: number): DecodedEntity | null {
  reference.lastIndex = at
  const match = reference.exec(source)
  const end = reference.lastIndex
  if (match === null || end > limit) return null
  const [, decimal, hexadecimal, name, semicolon] = match
  if (name === undefined) {
    const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number.parseInt(decimal, 10)
    return { text: numbered(code), end }
  }
  if (semicolon === '' && !lenient.has(name)) return null
  const text = named.get(name)
  return text === undefined ? null : { text, end }
}

function numbered(code: number): string {
  if (code === 0xa0 || (code >= 0x2000 && code <= 0x200a) || code === 0x202f || (code >= 9 && code <= 13)) return ' '
  if (code === 0xad || (code >= 0x200b && code <= 0x200f) || code === 0xfeff) return ''
  // A bar would read as the edge of a table cell wherever it is written.
  if (code === 0x7c) return '¦'
  if (code < 0x20 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return '\ufffd'
  return String.fromCodePoint(code)
}

function pairs(list: string): [string, string][] {
  const words = list.split(' ')
  return words.flatMap((word, index): [string, string][] => (index % 2 === 0 ? [[word, words[index + 1] ?? '']] : []))
}
