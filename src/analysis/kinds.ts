/**
 * Of which kind a thing is, where it is of one kind only: raft or piled foundations, a revocable or an irrevocable trust, a
 * freehold or a leased site. Read from "the rate is variable", "a variable rate" and "Rate: variable" alike.
 */
import type { Named } from './aspects.js'
import { pattern } from './pattern.js'

/** What it is, the words that name it, and its kinds: each a wording and the name of the kind. */
const SETS: [of: string, nouns: string, kinds: [words: string, kind: string][]][] = [
  [
    'footing',
    'foundations?',
    [
      ['mono-?piles?', 'monopile'],
      ['jackets?', 'jacket'],
      ['gravity[- ]base[d]?', 'gravity'],
      ['rafts?', 'raft'],
      ['piled?', 'pile'],
      ['strip', 'strip'],
    ],
  ],
  [
    'contract price',
    'contracts?|pricing|price basis|remuneration|fees?',
    [
      ['lump[- ]sum|fixed[- ]price', 'lump'],
      ['(?:cost[- ])?reimbursable|cost[- ]plus', 'reimbursable'],
      ['target[- ]cost', 'target'],
      ['time[- ]and[- ]materials?', 'time'],
    ],
  ],
  [
    'tenure',
    'tenure|sites?|propert(?:y|ies)|premises|land|buildings?|title|offices?|warehouses?|plants?|depots?|stores?',
    [
      ['freehold', 'freehold'],
      ['leasehold|leased|rented', 'leasehold'],
    ],
  ],
  [
    'trust',
    'trusts?|settlements?|mandate|offer|credit|guarantee|nomination',
    [
      ['revocable', 'revocable'],
      ['irrevocable', 'irrevocable'],
    ],
  ],
  [
    'anastomosis',
    'anastomos[ie]s',
    [
      ['hand-?sewn|sutured|hand-sutured', 'sewn'],
      ['stapled', 'stapled'],
    ],
  ],
  [
    'anaesthesia',
    'anaesthe(?:sia|tic)|anesthe(?:sia|tic)',
    [
      ['general', 'general'],
      ['spinal', 'spinal'],
      ['epidural', 'epidural'],
      ['local', 'local'],
      ['regional', 'regional'],
    ],
  ],
  [
    'surgery',
    'operations?|surgery|resection|cholecystectomy|appendicectomy|colectomy|hysterectomy|nephrectomy',
    [
      ['open', 'open'],
      ['laparoscopic(?:ally)?|keyhole', 'laparoscopic'],
      ['robotic(?:ally)?|robot-assisted', 'robotic'],
    ],
  ],
  [
    'interest rate',
    'rates?|interest',
    [
      ['fixed', 'fixed'],
      ['variable|floating', 'variable'],
    ],
  ],
  [
    'employment',
    'posts?|positions?|employment|employees?|appointment',
    [
      ['permanent', 'permanent'],
      ['temporary|fixed-term', 'temporary'],
    ],
  ],
  [
    'heating',
    'heating|heated',
    [
      ['gas boilers?|natural gas|gas-fired|gas', 'gas'],
      ['oil boilers?|oil-fired|heating oil', 'oil'],
      ['district heating|district', 'district'],
      ['heat pumps?', 'pump'],
    ],
  ],
  [
    'fuel',
    'fuels?|runs on|run on|powered by|fuelled (?:by|with)',
    [
      ['diesel', 'diesel'],
      ['petrol|gasoline', 'petrol'],
      ['methanol', 'methanol'],
      ['hydrogen', 'hydrogen'],
      ['LNG|liquefied natural gas', 'lng'],
    ],
  ],
  [
    'blinding',
    'trials?|stud(?:y|ies)|design',
    [
      ['open-label', 'open'],
      ['double-blind', 'double'],
      ['single-blind', 'single'],
    ],
  ],
  [
    'delivery',
    'delivery|birth|delivered|born',
    [
      ['vaginal(?:ly)?', 'vaginal'],
      ['c(?:a)?esarean', 'caesarean'],
    ],
  ],
  [
    'cover',
    'polic(?:y|ies)|cover|basis|insurance',
    [
      ['claims[- ]made', 'claims'],
      ['occurrence', 'occurrence'],
    ],
  ],
  [
    'frame',
    'frames?',
    [
      ['steel', 'steel'],
      ['timber|wooden', 'timber'],
      ['(?:reinforced )?concrete', 'concrete'],
    ],
  ],
  [
    'roof',
    'roofs?',
    [
      ['flat', 'flat'],
      ['pitched', 'pitched'],
    ],
  ],
  [
    'audit opinion',
    '(?:audit )?opinion',
    [
      ['unqualified|unmodified|clean', 'unqualified'],
      ['qualified|modified', 'qualified'],
      ['adverse', 'adverse'],
    ],
  ],
]

interface Kind {
  of: string
  nouns: RegExp
  kinds: { kind: string; form: RegExp }[]
}

const whole = (words: string): string => `(?<![\\p{L}-])(?:${words})(?![\\p{L}-])`
const compiled: Kind[] = SETS.map(([of, nouns, kinds]) => ({
  of,
  nouns: new RegExp(whole(nouns), 'iu'),
  kinds: kinds.map(([words, kind]) => ({ kind, form: new RegExp(whole(words), 'iu') })),
}))
const ANY = pattern(new RegExp(whole(SETS.flatMap(([, , kinds]) => kinds.map(([words]) => words)).join('|')), 'iu'))

/** What it is not, or no longer: "in place of the piled foundations". */
const INSTEAD = /,?\s(?:instead of|in place of|rather than|and not|as opposed to)\s[^,;.]{3,60}/gi
const OPEN = pattern(
  /\b(?:not|never|no longer|may|might|could|would|should|if|whether|or|either|both|partly|some|other|another|formerly|previously|until|converted?|former|new|option|proposed?|planned)\b|\?/i,
)
const LINKED = /^\s(?:[^\s,;.:]+\s){0,4}?(?:is|are|was|were|has been|have been|remains?|by|with|on|under)\s(?:[^\s,;.:]+\s){0,2}$/i
const BESIDE = /^\s(?:[\p{L}-]+\s){0,1}$/u
const SAME = /^\s?$/
/** "has a raft foundation", not "damage to leased land". */
const GIVEN = /(?:^|\b(?:an?|on|under|with|has|have|by)\s)(?:[\p{L}-]+\s){0,1}$/iu
/** "The rate was fixed by the court" tells what was done. */
const DONE = /^\s(?:by|at|upon|against)\b/
/** What there are many of beside each other is told apart by its kind. */
const MANY = new Set(['tenure', 'employment'])

interface Place {
  kind: string
  start: number
  end: number
}

function kindOf(text: string, { kinds }: Kind): Place | null {
  let found: Place | null = null
  for (const { kind, form } of kinds) {
    const match = form.exec(text)
    if (!match) continue
    // Two kinds in one sentence compare.
    if (found) return null
    found = { kind, start: match.index, end: match.index + match[0].length }
  }
  return found
}

/** "the rate of the loan is variable", "runs on diesel". */
function isSaid(text: string, noun: string, end: number, found: Place): boolean {
  const between = text.slice(end, found.start)
  return (LINKED.test(between) && !DONE.test(text.slice(found.end))) || (noun.includes(' ') && SAME.test(between))
}

/** "on piled foundations". */
function isBeside(text: string, noun: number, found: Place): boolean {
  return BESIDE.test(text.slice(found.end, noun)) && GIVEN.test(text.slice(Math.max(0, found.start - 40), found.start))
}

/** Of which kind a sentence says that something is. */
export function kindIn(written: string): Named | null {
  if (!ANY.test(written)) return null
  const text = written.replace(INSTEAD, '')
  if (OPEN.test(text)) return null
  for (const set of compiled) {
    const noun = set.nouns.exec(text)
    const found = noun ? kindOf(text, set) : null
    if (!noun || !found) continue
    const end = noun.index + noun[0].length
    if (found.start >= end ? isSaid(text, noun[0], end, found) : !MANY.has(set.of) && isBeside(text, noun.index, found))
      return { aspect: '@kind', of: set.of, value: found.kind, negated: false }
  }
  return null
}

/** "Foundation type: piled", "Tenure: freehold". */
export function kindAsked(label: string, body: string): Named | null {
  if (!ANY.test(body) || OPEN.test(body)) return null
  for (const set of compiled) {
    if (!set.nouns.test(label)) continue
    const found = kindOf(body.slice(0, 80), set)
    if (found && found.start <= 40) return { aspect: '@kind', of: set.of, value: found.kind, negated: false }
  }
  return null
}
