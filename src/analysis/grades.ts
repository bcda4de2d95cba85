/**
 * Values of a scale said in sentences: "rates the risk of X as HIGH", "the rating is raised from LOW to MEDIUM", "category
 * **Very High**", "does not support a Grade A classification". A cited older value goes with the one that replaces it.
 */
import { type Category, categoriesIn } from './categories.js'
import { matchesOf, pattern } from './pattern.js'
import { remembered } from './remember.js'

export interface Grade {
  /** The words that say what is graded. */
  name: string
  found: Category
  /** The value it had before, or that the text refuses. */
  prior: string | null
  /** The text says that this is not its value. */
  denied: boolean
  /** "should have been rated RED": who says so disputes what others said. */
  disputes: boolean
  /** The text says that it moved to this value. */
  moved: boolean
  /** Who gives the value, where the text says so; empty otherwise. */
  rater: string
}

/** Nouns that say which kind of scale a value is of. */
const SCALE =
  'risk|rating|status|outlook|categor(?:y|ies)|classification|class|grade|severity|priority|likelihood|probability|impact|exposure|consequence|hazard|standing|confidence|criticality|score|watch|level of (?:harm|risk|care|concern|assurance|threat|damage)|(?:harm|threat|alert|assurance) level'
const LEVELS =
  '(?<!\\bfrom\\s["“*_]{0,2})(?:low[- ](?:to[- ])?medium|medium[- ](?:to[- ])?high)|(?:very\\s|extremely\\s)?(?:low|high)|medium|moderate|critical|severe|extreme|negligible|significant'
const RATINGS = 'AAA|AA[+-]?|A[+-]|BBB[+-]?|BB[+-]?|B[+-]|CCC[+-]?|Aaa|(?:Aa|Baa|Ba|Caa)[1-3]|[AB][1-3]'
const ADEQUACY = '(?:un)?satisfactory|(?:in)?adequate|(?:in)?effective|(?:in)?sufficient|deficient'
const NUMBERED = '(?:class|category|tier|stage|level|band)\\s(?:\\d{1,2}[a-c]?|[ivx]{1,4}[ab]?|[a-e])'
const VALUE = new RegExp(
  `(?<![\\p{L}\\p{N}-])(?:${LEVELS}|red|amber|yellow|green|positive|stable|negative|(?:non-?)?performing|watch-?list|defaulted|minor|major|material|immaterial|${ADEQUACY}|grade\\s[A-F][+-]?|${NUMBERED}|${RATINGS})(?![\\p{L}\\p{N}+-])`,
  'giu',
)
const SOME_VALUE = pattern(
  /\b(?:low|high|medium|moderate|critical|severe|extreme|negligible|significant|red|amber|yellow|green|positive|stable|negative|performing|watch-?list|defaulted|minor|major|material|immaterial|satisfactory|adequate|effective|sufficient|deficient|unsatisfactory|inadequate|ineffective|insufficient|class|category|tier|stage|level|band|grade [A-F]|AAA|AA|A[+-]|BBB|BB|B[+-]|CCC|Aaa|Aa[1-3]|Baa[1-3]|Ba[1-3]|Caa[1-3]|[AB][1-3])/i,
)
const SOME_SCALE = pattern(
  new RegExp(
    `\\b(?:${SCALE}|breach|(?:re-?)?(?:rate[sd]?|assess|grade[sd]|classif|categori|score[sd]|upgrad|downgrad|reported as|moved|raised|lowered|revised|changed|deem|treat|consider|regard|judge|view))`,
    'i',
  ),
)

const RATED =
  '(?:re-?)?(?:rated|assessed|classified|classed|graded|categori[sz]ed|reported|regarded|considered|scored|ranked|designated|judged|deemed|shown|recorded|maintained|kept|confirmed|affirmed|evaluated|placed|viewed|treated|set|put)'
const MOVED =
  '(?:raised|lowered|increased|reduced|upgraded|downgraded|moved|changed|revised|reclassified|re-?rated|cut|shifted|returned|restored|escalated|de-escalated|adjusted|improved|worsened)'
const RATES =
  '(?:re-?)?(?:rates?|rated|assess(?:es|ed)?|classif(?:y|ies|ied)|grades?|graded|regards?|regarded|considers?|considered|scores?|scored|ranks?|ranked|judges?|judged|deems?|deemed|puts?|sets?|sees?|views?|treats?|treated|keeps?|kept|maintains?|maintained|affirm(?:s|ed)?|confirm(?:s|ed)?|places?|placed)'
const MOVES =
  '(?:raises?|raised|lowers?|lowered|increases?|increased|reduces?|reduced|upgrades?|upgraded|downgrades?|downgraded|moves?|moved|changes?|changed|revises?|revised|reclassif(?:ies|ied)|cuts?|shifts?|shifted|returns?|returned|restores?|restored|escalates?|escalated|adjusts?|adjusted)'
const LINK = '(?:as\\s|at\\s|to be\\s|to\\s|in\\s|into\\s|back to\\s|of\\s)?(?:an?\\s|the\\s)?'

/** "The risk of the site has been raised (by us) to …" */
const PASSIVE = new RegExp(
  `\\s(?:is|was|are|were|been|be|remains?|remained|stands?|stood)\\s((?:not|no longer)\\s)?(?:now\\s|currently\\s|therefore\\s|still\\s|again\\s|only\\s)?(?:(?:(${RATED})|(${MOVED}))\\s(?:by\\s\\S+(?:\\s\\S+){0,3}?\\s)?)?${LINK}$`,
  'i',
)
/** "The Office rates the risk of the site as …" */
const ACTIVE = new RegExp(
  `^(.*\\s)?(?:${RATES}|(${MOVES}))\\s((?:\\S+\\s){1,12}?)(?:as|at|to be|to|in|into|back to)\\s(?:an?\\s|the\\s)?$`,
  'i',
)
/** "category Very High", "an outlook of stable". */
const NAMED = new RegExp(`\\b((?:[\\p{L}'’-]+\\s){0,4}(?:${SCALE}))(?:\\s?:|\\sof|\\sat)?\\s(?:an?\\s)?$`, 'iu')
const FROM =
  /\b(?:from|previously|formerly|originally|was|were|before|instead of|rather than|not|up from|down from)\s?:?\s?(?:an?\s|the\s)?["“'*_]{0,3}$/i
const DENIES = /\b(?:instead of|rather than|not)\s?(?:an?\s|the\s)?["“'*_]{0,3}$/i
const NOUNS = '(?:risk|rating|status|outlook|category|classification|class|grade|severity|priority|assessment|level)'
const BREACH = '(?:breach|finding|deficiency|weakness|non-?conformity|deviation|misstatement|shortcoming|infringement|violation)'
const AFTER = new RegExp(
  `^["”'*_]{0,3}(?:$|\\s?[.,;:()/—–|]|\\s(?:and|but|by|on|in|with|from|for|since|because|under|at|as|to|until|after|before|following|due|given|when|where|which|back|${NOUNS}|${BREACH})(?![\\p{L}]))`,
  'iu',
)
/** "do not support a Grade A classification", "the LOW rating cannot stand". */
const REFUSED = /\b(?:not|cannot|never|no longer)\s(?:\p{L}+\s){1,3}(?:an?|the|this|that|its|your|their|our)\s["“'*_]{0,3}$/iu
const REFUSED_AFTER = new RegExp(
  `^["”'*_]{0,3}\\s${NOUNS}\\s(?:\\S+\\s){0,6}?(?:cannot|can not|is not|was not|is no longer|are not|does not)\\s`,
  'i',
)
/** What is called minor, major or critical without a word for the scale. */
const THING = new RegExp(`\\b(?:${BREACH}|incident|defect|event|observation|error|fault|damage|omission)s?$`, 'i')
const OF_BREACH = new RegExp(`^\\s(${BREACH})\\b`, 'i')
const NOUN_AFTER = new RegExp(`^["”'*_]{0,3}\\s((?:\\p{L}+\\s)?${NOUNS})\\b`, 'iu')
const SCALE_NOUN = new RegExp(`\\b(?:${SCALE})\\b`, 'i')

/** The same few words are asked again and again. */
const valuesOf = remembered(256, (text): readonly Category[] => categoriesIn(text, true))

interface Spot {
  text: string
  start: number
  end: number
  /** Written as a value: in capitals, in bold or between quotes. */
  marked: boolean
}

function spotsIn(text: string): Spot[] {
  const spots: Spot[] = []
  for (const match of matchesOf(VALUE, text)) {
    const [start, end] = [match.index, match.index + match[0].length]
    const shouted = /[+\d]$|^\p{Lu}{1,3}-$/u.test(match[0]) || (match[0].length > 2 && match[0] === match[0].toUpperCase())
    const marked = shouted || /^[Gg]rade\s[A-F]/.test(match[0]) || /["“*_]$/.test(text.slice(0, start))
    if (AFTER.test(text.slice(end, end + 40)) || REFUSED_AFTER.test(text.slice(end, end + 80)))
      spots.push({ text: match[0], start, end, marked })
    if (spots.length >= 4) break
  }
  return spots
}

/** The value in the scale that the words around ask for. */
function scaledValue(spot: Spot, name: string, after: string, rated = false): Category | null {
  const found = valuesOf(spot.text).filter(item => item.start === 0)
  const of = (set: string): Category | null => found.find(item => item.set === set) ?? null
  if (OF_BREACH.test(after)) return of('finding')
  if (/\b(?:consequence|hazard)\b/i.test(name)) return of('consequence') ?? of('level')
  const numbered = found.find(item => item.set.startsWith('numbered ') && item.set !== 'numbered rating')
  if (numbered) return rated ? numbered : null
  const sure = spot.marked || SCALE_NOUN.test(name)
  if (!sure) return /^[- ]risk\b/i.test(after) ? of('level') : rated && THING.test(name) ? of('finding') : rated ? of('adequacy') : null
  if (/\b(?:outlook|trend|watch)\b/i.test(name)) return of('outlook')
  return (
    of('light') ??
    of('credit rating') ??
    of('numbered rating') ??
    of('loan standing') ??
    of('grade') ??
    of('level') ??
    (rated ? of('adequacy') : null) ??
    (rated && THING.test(name) ? of('finding') : null) ??
    (/\b(?:finding|rating|classification|severity|category|materiality)\b/i.test(name) ? of('finding') : null)
  )
}

const MODALS = /\s(should|must|ought to|would|could|may|might|will|shall|has|have|had|can)((?:\s(?:have|not|now|therefore|also))*)$/i
const OPENS = /[,;:()]\s|\s(?:that|and|but|because|while|whereas)\s/g

function phraseBefore(text: string): string {
  let from = 0
  for (const match of text.matchAll(OPENS)) from = match.index + match[0].length
  return text.slice(from).trim()
}

/** "Norland concluded its review: downgraded the bond": who stands first. */
const LEADING = /^(?:\p{Lu}[^\s,;:]*\s)+/u

type Named = Pick<Grade, 'name' | 'denied' | 'disputes' | 'moved' | 'rater'> & {
  /** A verb of rating or moving ties the value to its name. */
  rated: boolean
}

/** What the words before a value say it is of; null when they do not make it a value. */
function namedBefore(left: string): Named | null {
  const active = ACTIVE.exec(left)
  const passive = PASSIVE.exec(left)
  if (passive && !(active && /\bto be\s(?:an?\s|the\s)?$/i.test(left))) {
    let before = left.slice(0, passive.index)
    const modal = MODALS.exec(before)
    if (modal) before = before.slice(0, modal.index)
    const verb = modal?.[1]?.toLowerCase() ?? ''
    if (/^(?:would|could|may|might|will|shall|can)$/.test(verb)) return null
    return {
      name: phraseBefore(before),
      denied: passive[1] !== undefined || /\bnot\b/i.test(modal?.[2] ?? ''),
      disputes: /^(?:should|must|ought to)$/.test(verb),
      moved: passive[3] !== undefined,
      rater: '',
      rated: passive[2] !== undefined || passive[3] !== undefined,
    }
  }
  if (active) {
    const agent = active[1] ?? ''
    const denied = /\b(?:not|never|cannot)\s(?:\p{L}+\s)?$/iu.test(agent)
    return {
      name: active[3]!.trim(),
      denied,
      disputes: false,
      moved: active[2] !== undefined,
      rater: phraseBefore(agent) || (LEADING.exec(left)?.[0] ?? ''),
      rated: true,
    }
  }
  const named = NAMED.exec(left)
  return named
    ? {
        name: named[1]!.replace(/^.*\b(?:the|an?|its|our|their|this)\s/i, '').trim(),
        denied: false,
        disputes: false,
        moved: false,
        rater: '',
        rated: false,
      }
    : null
}

/** "Norland's Aa3 rating", "its HIGH classification": the noun behind the value, and whose it is. */
function ownedBy(left: string, spot: Spot, after: string): Named | null {
  const noun = spot.marked ? /^["”'*_]{0,3}\s(rating|classification|grade|status|category)\b/i.exec(after) : null
  const owner = noun ? /\b((?:\p{Lu}[\p{L}&-]*\s){0,3}\p{Lu}[\p{L}&-]*)['’]s?\s$|\b(?:its|their|the current)\s$/u.exec(left) : null
  return noun && owner
    ? { name: `${owner[1] ?? ''} ${noun[1]!}`.trim(), denied: false, disputes: false, moved: false, rater: '', rated: false }
    : null
}

const HAS =
  /(?:^|[,;]\s|\sthat\s)((?:the|this|its|our)\s(?:[\p{L}\p{N}'’-]+\s){1,5})(?:has|have|had|carries|carry|poses|bears|received|got|(?:is|was|were|are) (?:given|of))\s(?:an?\s|the\s)?$/iu

/** "The finding has high priority": the scale stands behind the value. */
function hasGrade(left: string, after: string): Named | null {
  const noun = NOUN_AFTER.exec(after)
  const of = noun ? HAS.exec(left) : null
  return of ? { name: `${of[1]!.trim()} ${noun![1]!}`, denied: false, disputes: false, moved: false, rater: '', rated: false } : null
}

/** A value the text refuses: its name is the noun behind it. */
function refused(text: string, spot: Spot): Grade | null {
  const after = text.slice(spot.end, spot.end + 80)
  const noun = NOUN_AFTER.exec(after)
  if (!noun || !(REFUSED.test(text.slice(0, spot.start)) || REFUSED_AFTER.test(after))) return null
  const found = scaledValue(spot, noun[1]!, after)
  return found && spot.marked ? { name: noun[1]!, found, prior: null, denied: true, disputes: true, moved: false, rater: '' } : null
}

/** "A- (negative outlook)", "BBB, stable": the outlook of what is rated before it. */
function outlookOf(text: string, spot: Spot, rated: Grade | null): Grade | null {
  if (!/^(?:positive|stable|negative)$/i.test(spot.text)) return null
  const said = /^\s(?:credit\s)?outlook\b/i.test(text.slice(spot.end, spot.end + 16))
  const beside = rated !== null && /^\s?[(,]\s?(?:with\s)?(?:an?\s)?$/.test(text.slice(rated.found.end, spot.start))
  if (!said && !beside) return null
  const found = valuesOf(spot.text).find(item => item.set === 'outlook')!
  return {
    name: `${rated?.name ?? ''} outlook`.trim(),
    found,
    prior: null,
    denied: false,
    disputes: false,
    moved: false,
    rater: rated?.rater ?? '',
  }
}

/** The values of a scale that a sentence gives; with what they were before. */
export function gradesIn(text: string, heading = ''): Grade[] {
  const bounded = text.slice(0, 400)
  if (!SOME_VALUE.test(bounded) || !SOME_SCALE.test(bounded)) return []
  const grades: Grade[] = []
  let cited: Spot | null = null
  let earlier: string | null = null
  for (const spot of spotsIn(bounded)) {
    const denied = refused(bounded, spot)
    if (denied) {
      grades.push(denied)
      continue
    }
    const before = bounded.slice(Math.max(0, spot.start - 200), spot.start)
    const last = grades.at(-1)
    if (FROM.test(before) && !(/\bwas\s?(?:an?\s|the\s)?["“'*_]{0,3}$/i.test(before) && !/\(\s?was/i.test(before))) {
      // "to A2 (from Aa3)", "RED, not GREEN": of the value before it; "from LOW to HIGH": of the one behind it.
      const prior = last && valuesOf(spot.text).find(item => item.set === last.found.set)?.value
      if (last && prior && !last.prior) Object.assign(last, { prior, disputes: last.disputes || DENIES.test(before) })
      else cited = spot
      continue
    }
    const outlook = outlookOf(bounded, spot, last ?? null)
    if (outlook) {
      // "from A+ (stable outlook) to A- (negative outlook)"
      if (cited) earlier = outlook.found.value
      else grades.push({ ...outlook, prior: earlier })
      continue
    }
    const left = cited
      ? before.replace(new RegExp(`\\bfrom\\s[^,;]{0,12}${escaped(cited.text)}\\S{0,3}(?:\\s\\([^()]{0,40}\\))?\\s`), '')
      : before
    const after = bounded.slice(spot.end, spot.end + 40)
    const named = namedBefore(left.replace(/["“'*_]{1,3}$/, '')) ?? ownedBy(before, spot, after) ?? hasGrade(left, after)
    const found = named
      ? scaledValue(spot, SCALE_ONLY.test(named.name) ? `${heading} ${named.name}` : named.name, after, named.rated)
      : null
    if (!named || !found) continue
    const prior = cited ? (valuesOf(cited.text).find(item => item.set === found.set)?.value ?? null) : null
    const breach = OF_BREACH.exec(after)
    const placed = { ...found, start: spot.start, end: spot.end }
    grades.push({
      ...named,
      name: breach ? `${named.name} ${breach[1]!}` : named.name,
      found: placed,
      prior,
      moved: named.moved || prior !== null,
    })
    cited = null
  }
  return grades
}

/** "falls into category": which one says the heading. */
const SCALE_ONLY = /\bcategory$/i

const escaped = (text: string): string => text.replace(/[+]/g, '\\+')

const PRIOR =
  /\b(?:previously|formerly|originally|before|prior|was|from|instead of)\s?:?\s?["“'*_]{0,3}([\p{L}][\p{L}+-]*(?:\s[\p{L}][\p{L}+-]*)?)/iu

/** "NEGATIVE (previously STABLE)": the older value behind a label's. */
export function priorIn(text: string, found: Category): string | null {
  const match = PRIOR.exec(text.slice(found.end, found.end + 60))
  const prior = match ? valuesOf(match[1]!).find(item => item.set === found.set && item.start === 0) : undefined
  return prior && prior.value !== found.value ? prior.value : null
}
