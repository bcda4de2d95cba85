/**
 * The clauses of a long sentence, each with a subject of its own: "The clerk said that the pump was mended and that it had
 * been tested, and the owner was told" says three things. Who says so, what opens the sentence and what is put in between
 * are left out; a clause that only supposes something is no clause here.
 */
import { pattern } from './pattern.js'
import { tag } from './tagging.js'
import { isPast } from './verbs.js'
import { AUXILIARIES, MONTH_NAMES, type Token, wordsOf } from './words.js'

const LONGEST = 600
const MOST = 4

/** Only a sentence with one of these has more than one clause or something before its subject. */
const COMPOUND = pattern(/,\s|\sthat\s|\sand\s|\ssays\s|\ssaid\s/)

const INSERTED = pattern(
  /,\s(?:which|who|whose|whom|where|both of which|one of which)\s[^,;]{3,140}(?:(?=,\s(?:and|but|so|because|although)\s)|,(?=\s))/gi,
)
const APPENDED = pattern(/,\s(?:which|who|whose|whom|where|both of which|one of which|from which|under which)\s[^;]*$/i)

const SAYING = pattern(
  /\b(?:accept(?:s|ed)?|agree[sd]?|believe[sd]?|think|thinks|considers?|considered|shows?|showed|shown|not(?:es|ed)|confirm(?:s|ed)?|stat(?:es|ed)|maintain(?:s|ed)?|finds?|found|report(?:s|ed)?|conclude[sd]?|claim(?:s|ed)?|says?|said|learn(?:ed|t)|indicate[sd]?|records?|recorded|reveal(?:s|ed)?|told|tells?|inform(?:s|ed)?|assure[sd]?|advise[sd]?|notified|explain(?:s|ed)?|declare[sd]?|warrants?|warranted|writes?|wrote|written|remembers?|remembered|recalls?|recalled|turn(?:s|ed) out|points? out|pointed out|view|clear|emerged|emerges|follows?|followed|established|establishes|insists?|insisted|argues?|argued|contends?|contended|asserts?|asserted|acknowledge[sd]?|admit(?:s|ted)?|discovered|observed?|reminds?|reminded|announce[sd]?|notice|adds|added|mentions?|mentioned|understands?|testified|seems?|appears?|suspects?|assumes?|fears?|hopes?|testifies|replied|replies|aware|satisfied)\b/i,
)
/** Who doubts or does not say so leaves it open. */
const DOUBTS = pattern(
  /\b(?:not|no|nobody|none|nothing|never|cannot|den(?:y|ies|ied)|disput\w+|reject\w*|doubt\w*|incorrect|untrue|wrong|if|whether|would|should|must|may|could|unless|require[sd]?|demand\w*|request\w*|ask(?:s|ed)?|so|such|provided|seems?|appears?|suspect\w*|assum\w+|fears?|hope\w*)\b|n't\b/i,
)
const SAYS_BARE = pattern(/^([^,;]{2,60}?)\s(?:says|said|states|stated|claims|claimed|writes|believes)\s(?=(?:he|she|they|it|we)\s)/i)

const SUPPOSES = /^(?:if|unless|should|provided|once|until|whether|where|were|had|to|for the purposes?)\b/i
const BENT = new RegExp(`^(?:unless|until(?!\\s(?:\\d|the end|(?:${MONTH_NAMES})\\b))|if|except|provided|once|whether|where)\\b`, 'i')
const OPENERS = new Set(
  'according following as when although though because since after before while whereas during in on at under by for despite prior upon within based due given having from with of through against without'.split(
    ' ',
  ),
)
const BREAKS = pattern(
  /,?\s+and\s+that\s+|,\s+(?:and|so|because|since|although|though|but|while|whereas)\s+|;\s+|\s+because\s+|,\s+(?=(?:as|unless|until|if|except|provided|once|when|whether|where|after|before|apart|including|in particular)\s)|\s+(?=(?:unless|if|provided that)\s|until\s(?:the\s(?!end)|\p{Ll}))|\s+and\s+/giu,
)
const PRONOUN = /^(?:he|she|it|they)\s/i
const TAIL = /^(?:as|when|after|before|apart|including|in)\s/i

const THEM = new Set('them it he she they we i'.split(' '))

const saysAt = (tokens: readonly Token[], i: number): boolean => {
  const { lower, text } = tokens[i]!
  if (AUXILIARIES.has(lower)) return true
  const next = tokens[i + 1]?.lower ?? 'of'
  const before = tokens[i - 1]?.lower ?? ''
  if (isPast(lower)) return /^[a-z]/.test(text) && (/^[DPA]$/.test(tag(next)) || next === 'no' || THEM.has(before))
  // "the borrower owes nothing", "the file contains no report".
  return (
    /^[a-z]{3,}[^s]s$/.test(text) &&
    tag(before) === 'N' &&
    !before.endsWith('s') &&
    (next === 'nothing' || (tag(next) === 'D' && next !== 'that'))
  )
}

/** Where the verb of a clause stands; -1 when it has none before its first comma. */
function verbOf(text: string, tokens: readonly Token[]): number {
  for (let i = 0; i < tokens.length && i < 14; i++) {
    if (i > 0 && text.slice(tokens[i - 1]!.end, tokens[i]!.start).includes(',')) return -1
    if (saysAt(tokens, i)) return i
  }
  return -1
}

const DENIES = new Set(['not', 'never'])

/** The words before the verb, where they name something. */
function subjectIn(text: string): string {
  const tokens = wordsOf(text.slice(0, 160))
  const verb = verbOf(text, tokens)
  let end = verb - 1
  while (end > 0 && (tag(tokens[end]!.lower) === 'A' || DENIES.has(tokens[end]!.lower))) end--
  const last = tokens[end]
  if (
    !last ||
    verb > 9 ||
    tokens.slice(0, verb).some(token => /^(?:no|none|nobody|nothing|there|it|he|she|they|we|i|that)$/.test(token.lower))
  )
    return ''
  return text.slice(0, last.end)
}

const opens = (text: string): boolean => OPENERS.has(/^\p{L}+/u.exec(text)?.[0].toLowerCase() ?? '')

/** What stands behind an opening phrase or clause. */
function behindOpener(text: string): string {
  if (!opens(text)) return text
  let at = text.indexOf(', ')
  for (let n = 0; at > 0 && at < 200 && n < 4; n++, at = text.indexOf(', ', at + 2)) {
    const rest = text.slice(at + 2)
    const tokens = wordsOf(rest.slice(0, 120))
    if (verbOf(rest, tokens) <= 0 || /^(?:and|or|which|who)\s/.test(rest)) continue
    // "Although the samples came in time, they were not tested".
    const meant = PRONOUN.test(rest) ? subjectIn(text.slice(text.indexOf(' ') + 1, at)) : ''
    return meant ? rest.replace(PRONOUN, `${meant} `) : rest
  }
  return text
}

/** What is said, and by whom; null when whoever speaks doubts it. */
function behindReport(text: string): { said: string; speaker: string } | null {
  const bare = SAYS_BARE.exec(text)
  if (bare) return { said: text.slice(bare[0].length), speaker: bare[1]! }
  const at = text.slice(0, 140).search(/\sthat\s/)
  const lead = at > 0 ? text.slice(0, at) : ''
  if (!lead || !SAYING.test(lead)) return { said: text, speaker: '' }
  return DOUBTS.test(lead) ? null : { said: text.slice(at + 6), speaker: subjectOfReport(lead) }
}

function subjectOfReport(lead: string): string {
  const found = SAYING.exec(lead)
  const who = found
    ? lead
        .slice(0, found.index)
        .replace(/\s(?:has|have|had|is|was|also|now|then)\s*$/i, '')
        .trim()
    : ''
  // "In his statement the driver says".
  return who.replace(/^(?:in|on|by|under|at)\s.*\s(?=the\s)/i, '')
}

/** Whether what follows a break is a clause: with its own subject, or going on with the one before. */
function kindAt(rest: string, comma: boolean): 'own' | 'goes on' | null {
  const tokens = wordsOf(rest.slice(0, 160))
  if (!tokens.length) return null
  const first = tokens[0]!.lower
  if (/^(?:not|never)$/.test(first) || saysAt(tokens, 0)) return 'goes on'
  if (!comma) return null
  return verbOf(rest, tokens) > 0 ? 'own' : null
}

interface Piece {
  text: string
  goesOn: boolean
}

function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = []
  let from = 0
  let goesOn = false
  for (const match of BREAKS.all(text)) {
    const end = match.index + match[0].length
    const rest = text.slice(end)
    const plain = /^\s+and\s+$/i.test(match[0])
    const tail = TAIL.test(rest) && !/\b(?:and|so|because|since|but)\s+$/i.test(match[0])
    const kind = BENT.test(rest) || tail ? 'own' : /that\s+$/.test(match[0]) ? 'own' : kindAt(rest, !plain)
    if (kind === null || match.index - from < 10) continue
    pieces.push({ text: text.slice(from, match.index), goesOn })
    from = end
    goesOn = kind === 'goes on'
    if (pieces.length >= MOST) return pieces
  }
  pieces.push({ text: text.slice(from), goesOn })
  return pieces
}

/** The clauses that state something, the first one first; none when the sentence is one plain clause or supposes something. */
export function clausesOf(sentence: string): string[] {
  if (sentence.length > LONGEST || !COMPOUND.test(sentence) || SUPPOSES.test(sentence)) return []
  const text = APPENDED.replace(INSERTED.replace(sentence, opens(sentence) ? ',' : ''), '').replace(
    /^(?:and|but|so|however,|therefore,)\s/i,
    '',
  )
  const report = behindReport(behindOpener(text))
  if (!report) return []
  let subject = report.speaker
  const clauses: string[] = []
  const pieces = piecesOf(report.said)
  for (const [i, piece] of pieces.entries()) {
    if (BENT.test(piece.text) || TAIL.test(piece.text) || BENT.test(pieces[i + 1]?.text ?? '')) continue
    const inner = behindReport(behindOpener(piece.text.replace(/^that\s/, '')))
    if (!inner) continue
    const own = piece.goesOn
      ? `${subject} ${inner.said}`
      : PRONOUN.test(inner.said) && subject
        ? inner.said.replace(PRONOUN, `${subject} `)
        : inner.said
    if ((piece.goesOn && !subject) || own.length < 12) continue
    clauses.push(own)
    subject = subjectIn(own) || subject
  }
  return clauses.length === 1 && clauses[0] === sentence ? [] : clauses
}
