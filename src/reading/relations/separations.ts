/**
 * What shows that two statements of the same words speak of two things. Only what a statement says itself, in its heading, in
 * the title of its document or what its submitter said of it: another name, number, part, role, rate, period. Who issued a
 * paper, its kind and its date of issue say nothing of what it is about.
 */
import { CLOSE, OF, PLACE, type SaidNumber, type SaidWord } from '../document/says.js'
import type { Period } from '../types.js'
import { meets, overlaps, samePeriod, yearless } from '../values/compare-values.js'
import { isContrast } from '../words/stems.js'
import { type Difference, isOtherLimit, type Overlap } from './differences.js'
import { isNamed, type Said, type SaidIn } from './said.js'

/** Two statements, the words that each has alone besides what is told, and what differs. */
interface Pair {
  s: Said
  t: Said
  left: readonly SaidWord[]
  right: readonly SaidWord[]
  difference: Difference
}

/** Apart: two things. Doubtful: perhaps. */
type Apart = 'apart' | 'doubtful' | null

export interface Separation {
  kind: 'apart' | 'doubtful'
  because: string
}

/** What nobody would take for the same thing, not even for a possible conflict. */
const BY_NAME: readonly (readonly [because: string, rule: (pair: Pair) => Apart])[] = [
  ['another name', otherNames],
  ['another number', otherNumber],
  ['one word against its opposite', ({ left, right }) => (left.some(a => right.some(b => isContrast(a[0], b[0]))) ? 'apart' : null)],
  ['another time', otherTime],
  ['another question of its paper', otherQuestion],
]
const RULES: typeof BY_NAME = [
  ...BY_NAME,
  ['another figure in the label', otherLabelFigure],
  ['meant otherwise', otherRoles],
  ['another figure differs as well', otherFigure],
  [
    'a part of it',
    ({ s, t, left, right, difference }) => (isOfFigures(difference) && (narrows(s, t, left) || narrows(t, s, right)) ? 'doubtful' : null),
  ],
  ['an estimate', ({ s, t }) => (s.says.roles.includes('estimate') !== t.says.roles.includes('estimate') ? 'doubtful' : null)],
]

/** The first rule that sets them apart, else the first that leaves a doubt; `byName` asks only what sets a possible conflict apart. */
export function separationOf(s: Said, t: Said, overlap: Overlap, difference: Difference, byName = false): Separation | null {
  const pair = { s, t, left: besides(overlap.left, difference.left), right: besides(overlap.right, difference.right), difference }
  let doubt: Separation | null = null
  for (const [because, rule] of byName ? BY_NAME : RULES) {
    const kind = rule(pair)
    if (kind === 'apart') return { kind, because }
    if (kind === 'doubtful') doubt ??= { kind, because }
  }
  return doubt
}

/** Without the words that are told. */
const besides = (words: readonly SaidWord[], told: readonly SaidWord[]): SaidWord[] =>
  words.filter(([stem]) => !told.some(([own]) => own === stem))

const isOfFigures = ({ kind }: Difference): boolean => kind === 'numeric'

/** "refrigerated containers", "the notice period", "at its mill in Portugal": one side alone says that it speaks of a part. */
function narrows(own: Said, other: Said, words: readonly SaidWord[]): boolean {
  const next = (word: SaidWord): string | undefined => own.says.words[own.says.words.indexOf(word) + 1]?.[0]
  return words.some(word =>
    isNamed(word)
      ? (word[1] & PLACE) !== 0 && !other.document.named.has(word[0])
      : (word[1] & (CLOSE | OF)) !== 0 && other.stems.has(next(word) ?? ''),
  )
}

/** Each names what the other's document does not speak of. */
function otherNames({ s, t, left, right }: Pair): Apart {
  return (left.some(isNamed) && right.some(isNamed)) || headsDiffer(s, t) ? 'apart' : null
}

/** Two columns of one table, two lines of one form: where a paper answers the same label itself, it means something else by another. */
function otherQuestion({ s, t }: Pair): Apart {
  if (!s.isLabel || !t.isLabel || s.labelKey === t.labelKey || s.document === t.document) return null
  return t.document.answersTo(s.labelKey) || s.document.answersTo(t.labelKey) ? 'apart' : null
}

/** Under two headings that each name something else. */
function headsDiffer(s: Said, t: Said): boolean {
  const [x, y] = [s.says.above.heads, t.says.above.heads]
  const covers = (side: Said, name: string): boolean => side.stems.has(name) || side.around.has(name)
  return x.length > 0 && y.length > 0 && !x.some(name => covers(t, name)) && !y.some(name => covers(s, name))
}

/** "Unit 4" and "Unit 5", "W-17" and "W-18"; a code behind a label is what is told. */
function otherNumber({ s, t, difference: { kind, left, right } }: Pair): Apart {
  const isValue = kind === 'categorical' && left.length === 0 && right.length === 0
  const isAnswer = !isValue && kind === 'categorical' && s.isLabel && t.isLabel && s.labelKey === t.labelKey && isTold(s) && isTold(t)
  const all = (side: Said): string[] => [...side.says.ids, ...side.says.above.ids, ...side.document.topic.identifiers]
  const free = (own: Said, other: Said): string[] => own.says.ids.filter(id => !all(other).includes(id))
  const [x, y] = [free(s, t), free(t, s)]
  const [p, q] = [s.says.ids.filter(id => !t.says.ids.includes(id)), t.says.ids.filter(id => !s.says.ids.includes(id))]
  if (!isAnswer && ((x.length > 0 && y.length > 0) || haveOneShape(p, q))) return isValue ? null : 'apart'
  // A number of its own against another document about another number.
  const topic = (own: Said, other: Said): string[] =>
    [...headingIds(own), ...own.document.topic.identifiers].filter(id => !all(other).includes(id))
  const [over, under] = [headingIds(s).filter(id => !all(t).includes(id)), headingIds(t).filter(id => !all(s).includes(id))]
  if (!isAnswer && (haveOneShape(x, topic(t, s)) || haveOneShape(y, topic(s, t)))) return 'apart'
  return haveOneShape(over, under) ? 'apart' : null
}

/** "EC1A 1BB", "L-1536": its codes all stand in the answer. */
const isTold = ({ says: { ids, toldIds } }: Said): boolean => ids.length > 0 && ids.every(id => toldIds.includes(id))

const haveOneShape = (x: readonly string[], y: readonly string[]): boolean => x.some(id => y.some(other => shapeOf(id) === shapeOf(other)))

/** Numbers of headings, without that of the paper itself. */
const headingIds = ({ says, document: { topic } }: Said): string[] => says.above.ids.filter(id => !topic.references.includes(id))

/** "atlas-01" and "atlas-02" are two of a kind. */
const shapeOf = (id: string): string => id.replace(/\d+/g, '9').replace(/(?<=9)[a-z]$/, '')

const FIRM = new Set(['target', 'plan', 'forecast', 'condition', 'hearsay', 'prior'])
/** Of figures alone. */
const FIRM_OF_FIGURES = new Set([...FIRM, 'limit', 'request', 'part', 'average', 'with'])

function otherRoles({ s, t, difference: { kind } }: Pair): Apart {
  const [a, b] = [s.says, t.says]
  if (kind === 'numeric' && (a.rates.length > 0 || b.rates.length > 0) && a.rates.join() !== b.rates.join()) return 'apart'
  // Where one says that it is included and the other that it is not, that is what they differ in.
  if (kind !== 'negation' && a.bases.some(basis => b.bases.some(other => basis.slice(1) === other.slice(1) && basis !== other)))
    return 'apart'
  const roles = kind === 'numeric' ? FIRM_OF_FIGURES : FIRM
  const firm = ({ says }: Said): string[] => says.roles.filter(role => roles.has(role))
  const [x, y] = [firm(s), firm(t)]
  const alone = [...x.filter(role => !y.includes(role)), ...y.filter(role => !x.includes(role))]
  if (alone.length === 0) return null
  // "Fuel remaining", "fuel left": that a part is meant may be what both say.
  return alone.every(role => role === 'part') && s.isLabel && t.isLabel ? 'doubtful' : 'apart'
}

/** By the words themselves, then by the headings, then by what the documents are about. */
function otherTime({ s, t, difference: { kind } }: Pair): Apart {
  if (kind === 'date') return s.says.labelDates + t.says.labelDates > 0 && otherPeriods(labelled(s), labelled(t)) ? 'apart' : null
  const [x, y] = [timesBeside(t, s), timesBeside(s, t)]
  if (x.length > 0 && y.length > 0) {
    if (x.some(a => y.some(b => samePeriod(a, b)))) return null
    if (!x.some(a => y.some(b => overlaps(a, b)))) return 'apart'
    // A year against one of its quarters measures something else; what happened then may be told by either.
    if (kind === 'numeric') return [...x, ...y].some(yearless) ? 'doubtful' : 'apart'
    return null
  }
  const [wide, other] = [periodsAround(s), periodsAround(t)]
  if (wide.length > 0 && other.length > 0) {
    if (wide.some(a => other.some(b => samePeriod(a, b) || overlaps(a, b)))) return null
    return 'apart'
  }
  if (kind !== 'numeric' || x.length + y.length === 0) return null
  const [dated, undated] = x.length > 0 ? [x, t] : [y, s]
  return isOfItsDay(dated, undated.document) ? null : 'doubtful'
}

/** Its own dates, else those above it. Where both papers answer when something happened, that is no time of what stands below. */
function timesBeside({ says: { above: other } }: Said, { says: { dates, above } }: Said): readonly Period[] {
  if (dates.length > 0) return dates
  const { asked } = above
  return asked === undefined ? above.periods : above.periods.filter((_, at) => asked[at] === '' || !other.asked?.includes(asked[at]!))
}

const labelled = ({ says }: Said): Period[] => says.dates.slice(0, says.labelDates)

/** Its own dates, else those of its headings, else the period its document is about. */
function periodsAround({ says, document: { topic, facts } }: Said): Period[] {
  if (says.dates.length > 0) return says.dates
  const wide = [
    ...says.above.periods.filter(period => period.grain !== 'day' || yearless(period)),
    ...topic.periods.filter(({ grain }) => grain !== 'day'),
  ]
  return wide.length > 0 ? wide : facts.period && facts.period.grain !== 'day' ? [facts.period] : []
}

const otherPeriods = (x: readonly Period[], y: readonly Period[]): boolean =>
  x.length > 0 && y.length > 0 && !x.some(a => y.some(b => samePeriod(a, b) || overlaps(a, b)))

/** What is said without a date in a paper is said of its day or year. */
function isOfItsDay(dates: readonly Period[], { facts, topic }: SaidIn): boolean {
  if (facts.issuedOn === null && topic.periods.length === 0) return true
  const days =
    facts.issuedOn === null
      ? topic.periods
      : [...topic.periods, { from: facts.issuedOn, to: `${facts.issuedOn}~`, label: '', grain: 'day' as const }]
  return dates.some(date => days.some(day => overlaps(date, day)))
}

/** "The 30 ml bottle sells for 80 euros", "the 100 ml bottle for 140": another figure of theirs differs as well. */
function otherFigure({ s, t, difference: { figures } }: Pair): Apart {
  if (!figures) return null
  const unit = s.says.numbers[figures[0]]!.unit
  const units = new Set(s.says.numbers.map(number => number.unit).filter(each => each !== unit))
  const isOther = [...units].some(each => {
    const [x, y] = [s, t].map(({ says }) => says.numbers.filter(number => number.unit === each))
    return y!.length > 0 && !x!.some(a => y!.some(b => meets(a, b)))
  })
  return isOther ? 'apart' : null
}

/** "Performance over 1 year", "over 3 years": the label itself gives another figure. */
function otherLabelFigure({ s, t }: Pair): Apart {
  const [x, y] = [s, t].map(({ says }) => says.numbers.filter(({ label }) => label)) as [SaidNumber[], SaidNumber[]]
  const isOther = x.some(a => y.some(b => a.unit === b.unit) && !y.some(b => a.unit === b.unit && meets(a, b) && !isOtherLimit(a, b)))
  return isOther ? 'apart' : null
}

/** However it is written: case, and how it is spaced, say nothing. */
function plainly(about: string): string {
  return about.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase()
}

/** Documents that are each about something else by a title, a label or what their submitter said: the same words, another name. */
export function areOfTwo(a: SaidIn, b: SaidIn): boolean {
  const [about, other] = [a.facts.about ?? null, b.facts.about ?? null]
  if (about !== null && other !== null) return plainly(about) !== plainly(other)
  const speaks = ({ named, words }: SaidIn, name: string): boolean => named.has(name) || words.has(name)
  const parallel = a.topic.things.some(([words, names]) =>
    b.topic.things.some(
      ([same, others]) =>
        words === same &&
        names.some(name => !others.includes(name) && !speaks(b, name)) &&
        others.some(name => !names.includes(name) && !speaks(a, name)),
    ),
  )
  if (parallel) return true
  const codes = (own: SaidIn, against: SaidIn): string[] => own.topic.identifiers.filter(id => !against.named.has(id))
  return codes(a, b).some(id => codes(b, a).some(against => shapeOf(id) === shapeOf(against)))
}
