/**
 * What short forms say: labels and columns that ask for yes or no ("Alarm armed: no", "Calibrated" over "no"), things that are
 * there or not behind their label ("Mooring plan: none", "Legionella: 2 detections"), and shouted results ("CLAUSE TRIGGERED").
 * Read as the sentence they stand for, so that they meet whoever says so in prose.
 */
import type { Block } from './blocks.js'
import { squeeze } from './characters.js'
import { type Core, coreOf, subjectOf } from './cores.js'
import type { Draft, ReadContext } from './draft.js'
import { hasOpposite, meaningOf } from './opposites.js'
import { pattern } from './pattern.js'
import { termsOf } from './slots.js'
import { buildState, GENERIC } from './states.js'
import { isTopic } from './topics.js'
import { isPast } from './verbs.js'
import { isShouting, type Token, wordsOf } from './words.js'

const ANSWER = /^(yes|no)\b(?!\.?\s?\d)\s*(?:[.,;(–—-]|$)/i
const HELPS = /^(?:was|were|is|are|has|have|been|the|not)$/

/** "Alarm armed", "ALARM NOT ARMED": what is so of what. */
function saidBy(tokens: readonly Token[]): Core | null {
  const last = tokens.at(-1)
  if (!last || tokens.length < 2 || tokens.length > 8) return null
  if (!isPast(last.lower) && !hasOpposite(last.lower)) return null
  const { predicate, negated } = meaningOf(last.lower)
  const denied = tokens.some(token => token.lower === 'not')
  const subject = subjectOf(tokens.slice(0, -1).filter(token => !HELPS.test(token.lower)))
  return subject ? { ...subject, predicate, negated: negated !== denied } : null
}

interface Short {
  text: string
  name: string
  terms: string[]
  core: Core | null
  no: boolean
}

function build(context: ReadContext, block: Block, { text, name, terms, core, no }: Short): Draft {
  const draft = buildState(context, block, {
    start: block.start,
    end: block.end,
    text,
    name,
    terms,
    head: core?.head ?? terms.at(-1)!,
    value: { type: 'boolean', value: !no },
    negated: no,
    confidence: 0.7,
  })
  if (core) draft.core = core
  draft.valence = 'plain'
  return draft
}

export function pairAnswer(context: ReadContext, block: Block): Draft[] {
  const label = block.label!.text.trim()
  const body = squeeze(context.text.slice(block.body.start, Math.min(block.body.end, block.body.start + 160)))
  const answer = ANSWER.exec(body)
  if (!answer) {
    const found = [...decided(context, block, label, body), ...shouted(context, block, body), ...counted(context, block, label, body)]
    return found.length ? found : completed(context, block, label, body)
  }
  if (label.length > 90) return []
  const core = saidBy(wordsOf(label.replace(/\?+$/, '')))
  const terms = termsOf(label)
  if (!core || !(terms.some(isTopic) || core.about.length)) return []
  const no = answer[1]!.toLowerCase() === 'no'
  return [
    build(context, block, { text: `${label}: ${answer[1]!}`, name: label, terms, core: { ...core, negated: core.negated !== no }, no }),
  ]
}

/** "Finding 4: Not accepted": what became of a numbered entry. */
const NUMBERED = /^(\p{L}+)s?\s(?:no\.?\s)?\d{1,3}$/u
const DECIDED = /^(not\s)?(?:fully\s)?([a-z]+)\s*(?:[.;(–—-]|$)/i

function decided(context: ReadContext, block: Block, label: string, body: string): Draft[] {
  const entry = NUMBERED.exec(label)
  const found = entry ? DECIDED.exec(body) : null
  const word = found?.[2]?.toLowerCase() ?? ''
  if (!entry || !found || !(hasOpposite(word) || isPast(word))) return []
  const subject = subjectOf(wordsOf(entry[1]!))
  if (!subject) return []
  const { predicate, negated } = meaningOf(word)
  const no = found[1] !== undefined
  const terms = [...termsOf(label), ...termsOf(word)]
  return [
    build(context, block, {
      text: `${label}: ${found[0]}`,
      name: label,
      terms,
      core: { ...subject, predicate, negated: negated !== no },
      no,
    }),
  ]
}

/** What an answer begins with that says how the thing of its label is: "not performed (no kit)", "IN FORCE", "rejected". */
const STATE = /^(?:(?:not|never)\s)?(?:yet\s|fully\s)?\p{L}[\p{L}-]*(?:\s\p{L}+){0,2}/u

/** "Pressure test: NOT DONE (no gauge)" says what the sentence "The pressure test was not done" says. */
function completed(context: ReadContext, block: Block, label: string, body: string): Draft[] {
  const said = STATE.exec(body)?.[0].toLowerCase()
  const terms = termsOf(label)
  if (!said || label.length > 60 || /\d/.test(label) || terms.length > 6 || !terms.some(isTopic) || terms.every(term => GENERIC.has(term)))
    return []
  const words = wordsOf(said)
  const first = words.find(token => !/^(?:not|never|yet|fully)$/.test(token.lower))?.lower ?? ''
  if (!isPast(first) && !hasOpposite(first) && !/^(?:in|on|out|under|up)$/.test(first)) return []
  const text = `The ${label} was ${said}`
  const core = coreOf(text, wordsOf(text))
  return core ? [build(context, block, { text: `${label}: ${said}`, name: label, terms, core, no: /^(?:not|never)\b/.test(said) })] : []
}

/** Two words or more in capitals, up to the end of their part: "EXCEEDED — CLAUSE TRIGGERED". */
const SHOUTED = pattern(/(?:^|[:;—–]\s*|\s-\s)(\p{Lu}{2,}(?:[ -]\p{Lu}{2,}){1,6})(?=\s*(?:$|[.;,(*—–]))/u)

function shouted(context: ReadContext, block: Block, body: string): Draft[] {
  const found = SHOUTED.exec(body.replace(/\*/g, ''))
  if (!found) return []
  const tokens = wordsOf(found[1]!)
  const core = tokens.every(token => isShouting(token.text)) ? saidBy(tokens) : null
  const terms = termsOf(found[1]!.toLowerCase())
  if (!core || !terms.some(isTopic)) return []
  return [build(context, block, { text: found[1]!, name: found[1]!, terms, core, no: /\bNOT\b/.test(found[1]!) })]
}

/** "2 detections", "one case in May": something of the label's kind was there. */
const COUNTED =
  /^(?:[1-9]\d{0,3}|one|two|three|four|five|six|seven|eight|nine|ten)\s(?:confirmed\s|reported\s)?(detections?|cases?|incidents?|occurrences?|exceedances?|breach(?:es)?|findings?|events?|failures?|positives?)\b/i

function counted(context: ReadContext, block: Block, label: string, body: string): Draft[] {
  const found = COUNTED.exec(body)
  const named = found ? termsOf(label) : []
  if (!found || !named.some(isTopic) || named.length > 5) return []
  const terms = [...named, ...termsOf(found[1]!)]
  const draft = build(context, block, { text: `${label}: ${found[0]}`, name: label, terms, core: null, no: false })
  draft.present = terms
  return [draft]
}

/** Cells of yes and no under a column that asks: "Gauge G-7 | Calibrated: no". */
export function rowAnswers(context: ReadContext, block: Block): Draft[] {
  const label = block.label!.text
  const [only] = block.cells
  // A row of two columns is a label and its answer.
  if (only && block.cells.length === 1) {
    const said = completed(context, block, label.trim(), squeeze(only.text))
    if (said.length) return said
  }
  const drafts: Draft[] = []
  for (const cell of block.cells.slice(0, 24)) {
    const answer = cell.text.length <= 24 ? ANSWER.exec(cell.text) : null
    if (!answer || drafts.length >= 4) continue
    const words = wordsOf(cell.header)
    const asks = words.findIndex(token => isPast(token.lower) || hasOpposite(token.lower))
    const subject = asks < 0 || words.length > 5 ? null : subjectOf(wordsOf(label))
    if (!subject) continue
    const { predicate, negated } = meaningOf(words[asks]!.lower)
    const no = answer[1]!.toLowerCase() === 'no'
    const core = { ...subject, predicate, negated: negated !== no }
    const name = `${block.code} ${label} ${cell.header}`.trim()
    const draft = build(context, block, { text: `${name}: ${answer[1]!}`, name, terms: termsOf(name), core, no })
    // What the rows are: "Instrument".
    draft.context = [...new Set([...draft.context, ...termsOf(block.labelHeader)])]
    drafts.push(draft)
  }
  return drafts
}
