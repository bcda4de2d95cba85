/** What is stored of two statements and their difference: which claims, how grave, and why, in words made from the evidence alone. */
import { cut } from '../../platform/storable-text.js'
import type { ConflictKind, Evidence, Relation } from '../types.js'
import { isWeighty } from '../words/weight.js'
import type { Difference, Overlap } from './differences.js'
import { sameIssuer } from './replacing.js'
import { isNamed, type Said } from './said.js'

export function made(kind: Relation['kind'], a: Said, b: Said, overlap: Overlap, difference: Difference, share: number): Relation {
  const [one, two] = difference.figures
    ? [a.claimOf(difference.figures[0]), b.claimOf(difference.figures[1])]
    : [a.claimOf(null), b.claimOf(null)]
  const evidence = evidenceOf(a, b, overlap, difference)
  return {
    kind,
    a: one.claimId,
    b: two.claimId,
    conflict: difference.kind,
    severity: severityOf(a, b, difference),
    slotKey: one.slotKey,
    subject: one.subject || two.subject,
    attribute: one.attribute,
    ...groupsOf(a, b, difference),
    reason: reasonOf(difference.kind, evidence),
    evidence,
    score: Math.round(share * 1000) / 1000,
  }
}

/** What two sides say are two things, also where the figure both begin with, or the most that is kept of an answer, is the same. */
function groupsOf(a: Said, b: Said, difference: Difference): Pick<Relation, 'groupA' | 'groupB'> {
  const [groupA, groupB] = [groupOf(a, difference, 0), groupOf(b, difference, 1)]
  if (groupA !== groupB) return { groupA, groupB }
  const told = (text: string): string => cut(`${cut(groupA, 60)} | ${text.toLowerCase()}`, 120)
  return { groupA: told(difference.a), groupB: told(difference.b) }
}

/** What a side says, as far as two sides can say the same. */
function groupOf(side: Said, { kind, figures, whole }: Difference, at: 0 | 1): string {
  if (whole) return cut(`answer ${whole[at]}`, 120)
  if (figures) {
    const { unit, low, high } = side.says.numbers[figures[at]]!
    return `${unit} ${Number(low.toPrecision(6))} ${Number(high.toPrecision(6))}`
  }
  const { value, valueText, attributeKey } = side.claims[0]!
  if (value.type === 'date') return `date ${value.from} ${value.to}`
  if (kind === 'negation') return cut(`said ${!side.says.negated} ${attributeKey}`, 120)
  return cut(`text ${(value.type === 'name' || value.type === 'category' ? value.value : valueText).toLowerCase()}`, 120)
}

function severityOf(a: Said, b: Said, { figures }: Difference): Relation['severity'] {
  const weighty = [a, b].some(({ claims }) => isWeighty(claims[0]!.attribute))
  if (!figures) return weighty ? 'high' : 'medium'
  const middle = ({ says }: Said, at: number): number =>
    says.numbers[at]!.exact ?? (Math.max(says.numbers[at]!.low, -1e15) + Math.min(says.numbers[at]!.high, 1e15)) / 2
  const [x, y] = [middle(a, figures[0]), middle(b, figures[1])]
  const away = Math.abs(x - y) / (Math.max(Math.abs(x), Math.abs(y)) || 1)
  if (away >= 0.5) return weighty ? 'critical' : 'high'
  return away >= 0.1 ? (weighty ? 'high' : 'medium') : weighty ? 'medium' : 'low'
}

function evidenceOf(a: Said, b: Said, { common }: Overlap, { a: said, b: other }: Difference): Evidence {
  const forms = new Map(a.says.words.map(([stem, , form]) => [stem, form]))
  const shared = [...common].map(stem => cut(forms.get(stem) ?? stem, 120)).slice(0, 12)
  const names = a.says.words.filter(word => isNamed(word) && common.has(word[0])).map(([, , form]) => form)
  const time = ({ says, document }: Said): string | null => (says.dates[0] ?? says.above.periods.at(-1))?.label ?? document.facts.issuedOn
  const issuer = ({ document: { facts } }: Said): string | null => facts.issuer && cut(facts.issuer, 120)
  return {
    subject: cut(names.slice(0, 4).join(' '), 120) || null,
    shared,
    differs: [{ a: cut(said, 120), b: cut(other, 120) }],
    times: { a: time(a), b: time(b) },
    issuers: { a: issuer(a), b: issuer(b) },
  }
}

const DIFFERS: Readonly<Record<ConflictKind, string>> = {
  numeric: 'The figures differ',
  date: 'The dates differ',
  negation: 'One affirms what the other denies',
  categorical: 'The answers differ',
}

/** Made from the evidence alone, so that it never says more than was shown. */
function reasonOf(kind: ConflictKind, { differs: [difference], shared, issuers }: Evidence): string {
  const what = difference ? `: ${difference.a} / ${difference.b}` : ''
  const who =
    issuers.a !== null && issuers.b !== null
      ? sameIssuer(issuers.a, issuers.b)
        ? ' Same author, earlier and later.'
        : ' Different issuers.'
      : ''
  const both = shared.length === 0 ? '' : ` Both speak of ${shared.slice(0, 6).join(', ')}.`
  return cut(`${DIFFERS[kind]}${what}.${both}${who}`, 400)
}
