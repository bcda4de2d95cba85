/** The words of a sentence by what they do in it, with values and periods as single words. */
import { pattern } from './pattern.js'
import { remembered } from './remember.js'
import { AUXILIARIES, FUNCTION_WORDS, LINK_VERBS, PREPOSITIONS, type Token } from './words.js'

export interface Tok extends Token {
  tag: 'V' | 'T' | 'D' | 'P' | 'X' | 'C' | 'N' | 'A'
  /** Punctuation between the previous token and this one. */
  gap: string
  /** It says what happened to the thing that is named; 'part' when to a part of it. */
  said?: 'whole' | 'part'
}

const DETERMINERS = new Set('a an the this that these those its their our his her your my all any some each every both no'.split(' '))
const CONJUNCTIONS = new Set(
  'and or but nor which who whom whose that where when while because although though if unless whereas however so than as including excluding versus vs not'.split(
    ' ',
  ),
)
const ADVERBS = new Set(
  'approximately about around roughly circa nearly almost only just still also now currently already again therefore then further then yet slightly significantly materially downward upward down up to around precisely exactly alone worldwide nationwide overall altogether each apiece unchanged stable constant flat steady'.split(
    ' ',
  ),
)
/** Words that end like an adverb and are none. */
const LY_NOUNS = new Set(
  'supply reply assembly family anomaly ally rally monthly weekly daily quarterly yearly hourly half-yearly costly likely friendly resupply subfamily subassembly'.split(
    ' ',
  ),
)

export const tag = remembered(20_000, (lower): Tok['tag'] => {
  if (DETERMINERS.has(lower)) return 'D'
  if (CONJUNCTIONS.has(lower)) return 'C'
  if (PREPOSITIONS.has(lower)) return 'P'
  if (LINK_VERBS.has(lower) || AUXILIARIES.has(lower)) return 'X'
  if (ADVERBS.has(lower) || (lower.endsWith('ly') && lower.length > 4 && !LY_NOUNS.has(lower))) return 'A'
  if (FUNCTION_WORDS.has(lower)) return 'A'
  return 'N'
})

/** Tokens of a sentence with values and periods as single tokens. `covers` gives the tag and end of a stretch. */
export function tagged(
  text: string,
  tokens: readonly Token[],
  covers: (at: number) => { tag: 'V' | 'T'; start: number; end: number } | null,
): Tok[] {
  const out: Tok[] = []
  let last = tokens[0]?.start ?? 0
  for (const token of tokens) {
    if (token.start < last && out.length) continue
    const cover = covers(token.start)
    const start = cover ? Math.min(cover.start, token.start) : token.start
    const end = cover ? Math.max(cover.end, token.end) : token.end
    const between = out.length ? text.slice(last, start) : ''
    const gap = between === ' ' ? '' : between.replace(/\s+/g, '')
    out.push({
      text: token.text,
      lower: token.lower,
      start,
      end,
      tag: cover ? cover.tag : gap !== '' && /[,(]$/.test(gap) && /^[a-z]{4,}ing$/.test(token.lower) ? 'X' : tag(token.lower),
      gap,
    })
    last = end
  }
  // "the rate changes from 5 to 11": a verb, although it looks like a noun.
  for (let i = 1; i < out.length - 1; i++)
    if (out[i]!.tag === 'N' && MOVES.has(out[i]!.lower) && out[i + 1]!.lower === 'from' && out[i - 1]!.tag === 'N') out[i]!.tag = 'X'
  verbsByPlace(out)
  particles(out)
  // "takes place": the noun is part of the verb.
  for (let i = 1; i < out.length; i++)
    if (out[i]!.lower === 'place' && /^(?:take|takes|took|taken|taking)$/.test(out[i - 1]!.lower)) out[i]!.tag = 'X'
  // "is delayed by", "were capitalised at": a participle after its auxiliary is part of the verb.
  for (let i = 1; i < out.length; i++)
    if (out[i]!.tag === 'N' && isPast(out[i]!) && out[i]!.gap === '' && FORMS_VERBS.has(out[i - 1]!.lower) && out[i + 1]?.tag !== 'N')
      out[i]!.tag = 'X'
  return asAdjectives(out)
}

/** "carried forward", "held up": what belongs to the verb before it. */
const PARTICLES = new Set('forward aside back up down out off away apart together'.split(' '))
/** "is likely to cost" */
const INCLINED = new Set('likely unlikely due set bound sure certain able'.split(' '))
const SAYING =
  /^(?:understand|say|state|report|note|confirm|find|found|believe|show|told|tell|conclude|consider|maintain|estimate|claim|allege|argue|assume|expect|submit|accept|agree|record|observe|add|explain|inform)(?:s|d|ed|ing)?$|^(?:said|states|assumes|concludes)$/

/** Small words by what stands around them: "understands that 3 t", "works out at", "is likely to". */
function particles(toks: Tok[]): void {
  for (let i = 0; i < toks.length; i++) {
    const tok = toks[i]!
    const before = toks[i - 1]
    const next = toks[i + 1]
    if (tok.lower === 'that' && next && tok.gap === '') {
      if (/[VTDPA]/.test(next.tag) || (next.tag === 'N' && before !== undefined && SAYING.test(before.lower))) tok.tag = 'C'
    } else if (!before || tok.gap !== '' || !/^[a-z]+$/.test(tok.text)) continue
    else if (PARTICLES.has(tok.lower) && tok.tag !== 'P') {
      const phrasal =
        before.tag === 'N' && /^[a-z]+s$/.test(before.text) && /^(?:at|to)$/.test(next?.lower ?? '') && toks[i + 2]?.tag === 'V'
      // "The cost works out at V", "comes down to V".
      if (phrasal && toks[i - 2]?.tag === 'N') before.tag = 'X'
      if (before.tag === 'X' || isParticiple(before)) tok.tag = 'A'
    } else if ((tok.lower === 'far' && before.lower === 'so') || (tok.lower === 'date' && before.lower === 'to')) tok.tag = 'A'
    else if (tok.lower === 'worth' && next?.tag === 'V') tok.tag = 'P'
    else if (INCLINED.has(tok.lower) && next?.lower === 'to' && FORMS_VERBS.has(toks[i - 1]!.lower)) tok.tag = 'A'
    else if (INCLINED.has(tok.lower) && next?.lower === 'to' && /^(?:most|very|not|now)$/.test(before.lower)) tok.tag = 'A'
  }
}

const PRONOUNS = new Set('we they i he she you'.split(' '))

/** "we count", "to deposit 3.8 t", "account for", "amount to": what looks like a noun is a verb by where it stands. */
function verbsByPlace(toks: Tok[]): void {
  for (let i = 1; i < toks.length; i++) {
    const tok = toks[i]!
    if (tok.tag !== 'N' || tok.gap !== '' || !/^[a-z]+$/.test(tok.text)) continue
    const before = toks[i - 1]!
    const next = toks[i + 1]
    // "goes to outfall 2" is no infinitive, "to deposit 3.8 t" is.
    const numbered = next?.tag === 'V' && /^\d{1,3}$/.test(next.text) && next.end - next.start === next.text.length
    const infinitive = before.lower === 'to' && next?.gap === '' && ((next.tag === 'V' && !numbered) || next.tag === 'D')
    const accounts = (next?.lower === 'for' && ACCOUNTS.test(tok.lower)) || (next?.lower === 'to' && tok.lower === 'amount')
    const said = BASE_VERBS.has(tok.lower) && before.tag === 'N' && PLURAL.test(before.lower)
    // "The dredging will cost NOK 48 million"
    const willDo = MODALS.has(before.lower) && next !== undefined && /[VDAP]/.test(next.tag)
    const acts = ACTS.has(tok.lower) && (before.tag === 'N' || before.tag === 'T') && next !== undefined && /[VDNA]/.test(next.tag)
    const leans = before.tag === 'N' && LEANS.test(`${tok.lower} ${next?.lower ?? ''}`)
    if (infinitive || accounts || said || willDo || leans || acts || PRONOUNS.has(before.lower)) tok.tag = 'X'
  }
}

/** "Five crews take part", "patients wait": what looks like a noun behind several of a kind. */
const BASE_VERBS = new Set(
  'take come go need want wait live work use run belong exist suffer receive attend participate meet comply carry own lack fall rise cost last earn pay serve support oppose await'.split(
    ' ',
  ),
)
const PLURAL = /(?:[^s]s|people|men|women|children|staff|persons)$/

/** "The buyer withheld 10%", "the plaintiff seeks damages": verbs that are hardly ever anything else. */
export const ACTS = new Set(
  'seeks sought says said needs needed wants wanted offered demanded asks asked draws drew withholds withheld withdrew imposes imposed brings brought keeps kept uses hires hired sees saw gets got wrote writes sends sent faces faced reserved lent won'.split(
    ' ',
  ),
)

/** "The appraisal rests on a yield of V": verbs known by their preposition. */
const LEANS =
  /^(?:rests? on|rested on|rel(?:y|ies|ied) on|depends? on|depended on|leads? to|points? to|refers? to|relates? to|appl(?:y|ies) to|belongs? to|guides? (?:to|for)|results? in|arises? from|stems? from|insists? on|settled on|calls? for|asks? for|corresponds? to|compares? with|starts? from|aims? (?:at|for|to))$/

const MODALS = new Set('cannot will would shall should can could may might must'.split(' '))

const ACCOUNTS = /^account(?:s|ed)?$/

export const FORMS_VERBS = new Set('is are was were be been being has have had'.split(' '))

const MOVES = new Set('changes shifts improves worsens'.split(' '))

/** "adjusted ARR", "the revised forecast": a participle that opens a noun phrase belongs to it. */
function asAdjectives(toks: Tok[]): Tok[] {
  for (let i = 0; i < toks.length - 1; i++) {
    const tok = toks[i]!
    const next = toks[i + 1]!
    if (
      tok.tag !== 'X' ||
      !/(?:ed|ing|shown|set|lost|paid|sold|held|spent|built|bought)$/.test(tok.lower) ||
      next.tag !== 'N' ||
      (next.gap !== '' && BREAK.test(next.gap))
    )
      continue
    const previous = toks[i - 1]
    if (
      !previous ||
      (tok.gap !== '' && BREAK.test(tok.gap)) ||
      previous.tag === 'D' ||
      previous.tag === 'P' ||
      previous.tag === 'C' ||
      previous.tag === 'V' ||
      (previous.tag === 'X' && !AUXILIARIES.has(previous.lower))
    )
      tok.tag = 'N'
  }
  return toks
}

export const BREAK = /[,;:()—–|"“”]|--|->/

/** Nouns and adjectives that end like a participle. */
const NO_PARTICIPLES = new Set(
  `need feed seed speed shed breed weed reed deed steed bleed hundred sacred naked wicked embed kitchen garden children women men oven token oxygen hydrogen nitrogen
   specimen citizen screen green chicken wooden golden linen burden warden siren pollen omen ten even open seven eleven keen queen dozen haven heaven raven
   maiden sudden brown crown town gown lawn dawn own down midtown downtown`.split(/\s+/),
)
const IRREGULAR_PAST =
  /^(?:found|made|paid|sold|held|kept|sent|built|bought|brought|left|lost|met|set|given|taken|laid|spent|cut|put|drawn|spilt|shut|read|won)$/
/** A participle, or one that is not formed with an ending. */
export const isPast = (tok: Tok): boolean => IRREGULAR_PAST.test(tok.lower) || isParticiple(tok)

const PARTICIPLE = pattern(/^[a-z]{2,}(?:ed|en|wn)$/)

export const isParticiple = (tok: Tok | undefined): tok is Tok =>
  tok !== undefined && PARTICIPLE.test(tok.lower) && (tok.tag === 'X' || tok.tag === 'N') && !NO_PARTICIPLES.has(tok.lower)
