/**
 * Reads one document: blocks, profile, then claims, goals and risks. Pure and deterministic; every quote is an exact
 * slice of the submitted text, in code points.
 */
import { pairAbsence, sentenceAbsences } from './absences.js'
import { pairAnswer, rowAnswers } from './answers.js'
import { pairAspect, sentenceAspects } from './aspects.js'
import { type Block, blocksOf } from './blocks.js'
import type { Core } from './cores.js'
import { pairDates, rowDates } from './dates.js'
import type { Draft, ReadContext } from './draft.js'
import { goalsOf } from './goals.js'
import { lastPart } from './header-labels.js'
import { pairNames, rowNames } from './labelled-names.js'
import { pairClaims } from './labelled-numbers.js'
import { BASIS } from './lexicon.js'
import { pairShape } from './lines.js'
import { codePointOffsets } from './normalize/code-points.js'
import { type NormalizedText, normalize } from './normalize/normalize.js'
import { profileOf, type ReadProfile } from './profile.js'
import { sentenceDates } from './prose-dates.js'
import { sentenceNames } from './prose-names.js'
import { sentenceClaims } from './prose-numbers.js'
import { qualify } from './qualify.js'
import { risksOf } from './risks.js'
import { GRADED } from './scales.js'
import { sentenceStates } from './sentence-states.js'
import { sentencesOf } from './sentences.js'
import { endStates, headingStates, pairStates, rowStates } from './states.js'
import { rowClaims } from './table-numbers.js'
import { rowWords } from './table-words.js'
import type { DocumentInput, DocumentProfile, ExtractedClaim, Extraction } from './types.js'

export const EXTRACTOR_NAME = 'reader'
export const EXTRACTOR_VERSION = '5'

/** More claims than a person could read help nobody; it bounds what one document can cost. */
const MAX_CLAIMS = 2_000
const MAX_QUOTE = 1_000

type Slicer = (start: number, end: number) => { start: number; end: number; quote: string }

function slicer(source: string, normalized: NormalizedText): Slicer {
  const offsets = codePointOffsets(source)
  return (start, end) => {
    const span = normalized.sourceSpan(start, Math.min(end, start + MAX_QUOTE))
    return { start: offsets.toCodePoint(span.start), end: offsets.toCodePoint(span.end), quote: source.slice(span.start, span.end) }
  }
}

const METADATA =
  /^(?:date|dated|ref|reference|classification|prepared by|issuer|issued by|issued|submitted by|signed|written by|reported by|published|author|version|status of document|to|from|cc|subject|re|page|distribution|title|document|report|agent|contact|phone|email|address|www|http|https|note|original rating|file|id)$/i

function draftsOf(context: ReadContext, block: Block): Draft[] {
  if (block.kind === 'heading') return block.zone === 'body' ? [...headingStates(context, block), ...endStates(context, block)] : []
  if (block.zone === 'closing') return []
  if (
    block.zone === 'header' &&
    !/[€$£%]|\b(?:EUR|USD|GBP)\b/.test(context.text.slice(block.start, Math.min(block.end, block.start + 300)))
  )
    return []
  if (block.kind === 'row')
    return [
      ...rowClaims(context, block),
      ...rowStates(context, block),
      ...rowAnswers(context, block),
      ...rowDates(context, block),
      ...rowNames(context, block),
      ...rowWords(context, block),
    ]
  if (block.kind === 'pair') {
    if (METADATA.test(lastPart(block.label!.text)) && !/^(?:note|title)$/i.test(block.label!.text.trim())) return []
    if (block.zone === 'header' && /^title$/i.test(block.label!.text.trim())) return []
    const prose = block.body.end - block.body.start > 60 || /^(?:note|title)$/i.test(block.label!.text.trim())
    // "The agency closed its review: no findings": what stands before the colon says something itself.
    const spoken = /\s(?:has|have|is|are|was|were|remains?|[a-z]{3,}ed)\s\S+/.test(block.label!.text)
    const figures = [...pairClaims(context, block), ...pairDates(context, block)]
    // A label with nothing but its figure is no statement besides.
    const answered = figures.length > 0 && !spoken && isBare(context, block)
    const states = pairStates(context, block)
    return [
      ...figures,
      ...states,
      ...endStates(context, block),
      // A value of a scale is no name besides.
      ...(states.some(({ value }) => value.type === 'category' && GRADED.has(value.set)) ? [] : pairNames(context, block)),
      ...pairAspect(context, block),
      ...pairAnswer(context, block),
      ...pairAbsence(context, block),
      ...(prose
        ? [
            ...sentenceStates(context, block, spoken ? block.start : block.body.start, block.body.end),
            ...sentenceDates(context, block, block.body.start, block.body.end),
            ...sentenceAspects(context, block, block.body.start, block.body.end),
          ]
        : answered
          ? []
          : [...shortState(context, block), ...sentenceDates(context, block, block.body.start, block.body.end)]),
    ]
  }
  return [
    ...labelledSentences(context, block),
    ...sentenceClaims(context, block, block.body.start, block.body.end, null),
    ...sentenceStates(context, block, block.body.start, block.body.end),
    ...sentenceDates(context, block, block.body.start, block.body.end),
    ...sentenceAbsences(context, block, block.body.start, block.body.end),
    ...sentenceNames(context, block, block.body.start, block.body.end),
    ...sentenceAspects(context, block, block.body.start, block.body.end),
  ]
}

/** "The gate was tested. Longest closing time: 27 s.": a sentence of a paragraph that is a label with its figure or rating. */
function labelledSentences(context: ReadContext, block: Block): Draft[] {
  const { start, end } = block.body
  if (!context.text.slice(start, end).includes(': ')) return []
  return sentencesOf(context.text, start, end).flatMap(span => {
    const text = context.text.slice(span.start, Math.min(span.end, span.start + 200))
    const colon = text.indexOf(': ')
    if (colon < 3 || colon > 70 || span.end - span.start > 160) return []
    const pair = pairShape({ start: span.start, end: span.end, text, indent: 0, blank: false })
    if (!pair || !/^(?:about |approx\.? |~|<|>|[A-Z]{3} ?|[€$£])?\d|^\p{Lu}{3,}|^Grade [A-F]\b/u.test(pair.body.text)) return []
    const said: Block = {
      ...block,
      kind: 'pair',
      start: span.start,
      end: span.end,
      label: pair.label,
      body: { start: pair.body.start, end: span.end },
    }
    return [...pairClaims(context, said), ...pairStates(context, said), ...pairDates(context, said)]
  })
}

function isBare(context: ReadContext, block: Block): boolean {
  const words =
    context.text
      .slice(block.body.start, block.body.end)
      .replace(/\([^()]{0,60}\)/g, ' ')
      .match(/\p{Ll}{4,}/gu) ?? []
  // "the sale completed in June" says something.
  const says = /\s(?:has|have|was|were|is|are|[a-z]{4,}ed)\s(?:in|on|at|not)\s/.test(context.text.slice(block.body.start, block.body.end))
  return words.length <= 2 && !says
}

/** "Protocol deviations: None reported." states something although it is short. */
function shortState(context: ReadContext, block: Block): Draft[] {
  return sentenceStates(context, block, block.start, block.end).slice(0, 1)
}

/** Written out in full: an object made in one piece costs a fraction of one that is spread together. */
function claimOf(draft: Draft, slice: Slicer, profile: ReadProfile): ExtractedClaim {
  const { start, end, quote } = slice(draft.start, draft.end)
  return {
    start,
    end,
    quote,
    subject: profile.principalSubject ?? '',
    subjectKey: profile.principals[0] ?? '',
    subjectCertain: profile.principals.length > 0,
    attribute: draft.attribute,
    attributeKey: draft.terms.join(' '),
    role: draft.role,
    basis: draft.terms.filter(term => BASIS.has(term)),
    part: draft.part,
    unit: unitOf(draft.value),
    period: draft.period,
    polarity: draft.polarity,
    modality: draft.modality,
    value: draft.value,
    valueText: draft.valueText,
    confidence: Math.round(draft.confidence * 100) / 100,
    stance: draft.stance,
    hints: hintsOf(draft, profile),
  }
}

function hintsOf(draft: Draft, profile: ReadProfile): NonNullable<ExtractedClaim['hints']> {
  const hints: NonNullable<ExtractedClaim['hints']> = {
    head: draft.head,
    terms: draft.terms.join(' '),
    context: draft.context.join(' '),
    marks: draft.marks.join(';'),
    above: [...new Set(draft.aboveMarks)].join(';'),
    frame: draft.frame,
    explicit: draft.periodExplicit,
    version: draft.version,
    priorLow: draft.prior?.low ?? null,
    priorHigh: draft.prior?.high ?? null,
    near: draft.subjectText.slice(0, 300),
    principals: profile.principals.join(';'),
    restates: profile.restates,
    denominator: draft.denominator,
    path: draft.parents.join('|').slice(-120),
    section: draft.parents
      .slice(0, 3)
      .filter(text => text.length <= 60)
      .join('|'),
    weak: draft.weak,
    update: draft.update === true,
    rival: draft.rival === true,
  }
  if (draft.bounded) hints['bounded'] = true
  if (draft.disputed) hints['disputed'] = true
  if (draft.mood) hints['mood'] = draft.mood
  if (draft.times) hints['times'] = draft.times
  if (draft.once) hints['once'] = draft.once
  if (draft.bare) hints['bare'] = true
  if (draft.comparative) hints['comparative'] = true
  if (draft.did) hints['did'] = draft.did.join(' ')
  if (draft.ofPart) hints['ofPart'] = true
  if (draft.said) hints['said'] = draft.said.join(' ')
  if (draft.valence) {
    hints['about'] = (draft.about ?? []).join(' ')
    hints['valence'] = draft.valence
    hints['labelled'] = draft.labelled === true
    if (draft.item) hints['item'] = draft.item
    if (draft.graded) hints['graded'] = true
    if (draft.rater?.length) hints['rater'] = draft.rater.join(' ')
    if (draft.priorGrade) hints['priorGrade'] = draft.priorGrade
    const { core, absent, present } = draft
    if (core) hints['core'] = writtenCore(core)
    if (draft.clause) hints['clause'] = draft.clause
    if (absent?.length) hints['absent'] = absent.map(words => words.join(' ')).join(';')
    if (present?.length) hints['present'] = present.join(' ')
  }
  return hints
}

function writtenCore(core: Core): string {
  const denied = core.none && core.negated ? 'none' : core.negated ? 'not' : ''
  const of = core.whole ? '+all' : core.part ? '+some' : ''
  return `${core.head}|${core.about.join(' ')}|${core.predicate}|${denied}${of}${core.agent ? `|${core.agent.join(' ')}` : ''}`
}

function unitOf(value: ExtractedClaim['value']): string | null {
  if (value.type === 'money') return value.currency
  if (value.type === 'percent') return value.points ? 'pp' : '%'
  return value.type === 'quantity' ? value.unit : null
}

function publicProfile(profile: ReadProfile): DocumentProfile {
  const { title, kind, issuer, issuedOn, period, version, reference, supersedes, principalSubject, definitions, entities } = profile
  return { title, kind, issuer, issuedOn, period, version, reference, supersedes, principalSubject, definitions, entities }
}

export function extract(input: DocumentInput): Extraction {
  const normalized = normalize(input.text, input.type)
  const text = normalized.text
  const blocks = blocksOf(text)
  const prose = blocks.filter(block => block.kind !== 'heading' && block.kind !== 'row').map(block => block.body)
  const profile = profileOf(input, text, blocks, prose)
  // Whose letterhead it is heads nothing of what is said below.
  if (profile.headLine) for (const block of blocks) if (block.path[0] === profile.headLine) block.path = block.path.slice(1)
  const context: ReadContext = { text, profile, surroundings: new Map() }
  const slice = slicer(input.text, normalized)
  const drafts: Draft[] = []
  for (const block of blocks) {
    if (drafts.length >= MAX_CLAIMS) break
    drafts.push(...draftsOf(context, block))
  }
  const claims = qualify(drafts.slice(0, MAX_CLAIMS)).map(draft => claimOf(draft, slice, profile))
  return {
    extractor: EXTRACTOR_NAME,
    version: EXTRACTOR_VERSION,
    profile: publicProfile(profile),
    claims,
    goals: goalsOf(text, blocks, profile.year).map(goal => ({
      ...slice(goal.start, goal.end),
      what: goal.what,
      owner: goal.owner,
      due: goal.due,
      done: goal.done,
    })),
    risks: risksOf(text, blocks).map(risk => ({ ...slice(risk.start, risk.end), what: risk.what, level: risk.level })),
  }
}
