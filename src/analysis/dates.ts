/** Claims about when something happens: a label with a date behind it, or an event verb before one. */
import type { Block } from './blocks.js'
import { clauseOf } from './clause.js'
import { type Draft, type ReadContext, surroundingsOf } from './draft.js'
import { phraseFor } from './frames.js'
import { marksOf } from './marks.js'
import { modalityIn, roleIn, stanceIn, versionIn } from './roles.js'
import { sentencesOf } from './sentences.js'
import { contextTerms, isNameTerm, termOf, termsOf } from './slots.js'
import type { Period } from './types.js'
import { FUNCTION_WORDS, stem } from './words.js'

const EVENT =
  /\b(scheduled|due|deadline|effective|expires?|expired|expiring|signed|filed|submitted|completed?|completion|approved|commences?|commenced|begins?|starts?|started|ends?|ended|delivered|delivery|launch(?:ed)?|renew(?:al|ed)?|terminates?|terminated|closes|closing|expected|issued|sent|received|discovered|identified|locked|conducted|held|installed|commissioned|founded|acquired|joined|departs?|depart|postponed|extended|rescheduled|planned|dated|remediated|validated|inspected)\b/i

const THIN = new Set(
  'completion target expected due deadline date submission approval effective start end time review closing delivery planned scheduled estimated milestone next'
    .split(' ')
    .map(word => stem(word)),
)

interface Parts {
  start: number
  end: number
  text: string
  name: string
  terms: string[]
  head: string
  period: Period
  confidence: number
  frame: Draft['frame']
}

function build(context: ReadContext, block: Block, parts: Parts): Draft {
  const around = surroundingsOf(context, block)
  const { period } = parts
  return {
    start: parts.start,
    end: parts.end,
    terms: parts.terms,
    head: parts.head,
    attribute: parts.name.replace(/\s+/g, ' ').slice(0, 120),
    marks: marksOf(parts.name),
    aboveMarks: [...around.marks, ...context.profile.marks],
    context: [...new Set([...contextTerms(parts.text, 32), ...around.context])].slice(0, 56),
    role:
      roleIn(parts.name) === 'scenario'
        ? 'scenario'
        : /\b(?:scheduled|planned|expected|due|deadline|estimated|target|projected|will)\b/i.test(`${parts.name} ${parts.text}`)
          ? 'forecast'
          : 'actual',
    period: null,
    periodExplicit: false,
    polarity: 'affirmed',
    modality: modalityIn(parts.text),
    value: { type: 'date', from: period.from, to: period.to, grain: period.grain },
    valueText: period.label,
    confidence: parts.confidence,
    stance: stanceIn(parts.text, false),
    prior: null,
    version: versionIn(parts.name),
    frame: parts.frame,
    subjectText: parts.text,
    part: null,
    parents: [...block.path].reverse(),
    denominator: null,
    weak: false,
  }
}

export function pairDates(context: ReadContext, block: Block): Draft[] {
  const label = block.label!.text
  const clause = clauseOf(context.text, block.body.start, Math.min(block.body.end, block.body.start + 200), context.profile.year)
  const first = clause.periods[0]
  if (!first || first.start > 30 || (first.period.grain === 'year' && !/\byear\b/i.test(label))) return []
  const lead = clause.text.slice(0, first.start)
  if (
    !/^[\s("]*(?:(?:by|on|from|until|due|scheduled|expected|estimated|approximately|to|begin|for|in|end|of|immediate|completed?|effective|the)[\s(:]*)*$/i.test(
      lead,
    )
  )
    return []
  const own = termsOf(label)
  // "Target completion" of what? The heading says.
  const above = own.every(term => THIN.has(term)) ? termsOf(block.path.at(-1) ?? '') : []
  const terms = [...above, ...own, ...termsOf(lead)]
  const head = termsOf(label).at(-1)
  if (!head) return []
  const sentence = sentencesOf(context.text, block.body.start, block.body.end)[0]
  return [
    build(context, block, {
      start: block.start,
      end: sentence?.end ?? block.end,
      text: `${label}: ${clause.text}`,
      name: label,
      terms,
      head,
      period: first.period,
      confidence: 0.8,
      frame: 'pair',
    }),
  ]
}

export function sentenceDates(context: ReadContext, block: Block, start: number, end: number): Draft[] {
  const drafts: Draft[] = []
  for (const span of sentencesOf(context.text, start, end)) {
    const clause = clauseOf(context.text, span.start, span.end, context.profile.year)
    for (const found of clause.periods.slice(0, 6)) {
      if (found.period.grain === 'year' || found.period.grain === 'range') continue
      const left = clause.text.slice(Math.max(0, found.start - 40), found.start)
      const events = [...left.matchAll(new RegExp(EVENT, 'gi'))]
      const event = events.at(-1)?.[1]
      if (!event || /[.;]\s/.test(left.slice(events.at(-1)!.index))) continue
      const i = clause.toks.findIndex(tok => tok.tag === 'T' && tok.start <= found.start && tok.end >= found.end)
      const phrase = i > 0 ? phraseFor(clause.toks, i, 'date', true) : null
      if (!phrase) continue
      const words = phrase.words.filter(word => word.tag === 'N')
      const terms = words.flatMap(word => termOf(word.lower)).filter(term => isNameTerm(term) && !FUNCTION_WORDS.has(term))
      const verb = stem(event.toLowerCase())
      if (!terms.length) continue
      const name = clause.text.slice(words[0]!.start, words.at(-1)!.end)
      const head = terms.filter(term => term !== verb).at(-1) ?? terms.at(-1)!
      drafts.push(
        build(context, block, {
          start: span.start,
          end: span.end,
          text: clause.text,
          name: `${name} ${event}`,
          terms: [...new Set([...terms, verb])],
          head,
          period: found.period,
          confidence: 0.6,
          frame: 'prose',
        }),
      )
    }
  }
  return drafts
}
