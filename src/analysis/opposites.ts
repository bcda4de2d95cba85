/**
 * Words and phrases that deny each other: "intact" and "broken", "in service" and "out of order". One word stands for both
 * sides, so that the opposite counts as a denial.
 */
import { actOf } from './verbs.js'
import { PREPOSITIONS, type Token } from './words.js'

export interface Meaning {
  predicate: string
  negated: boolean
}

/** What both sides are called, what affirms it, what denies it. */
const OPPOSITES: [string, string, string][] = [
  ['complete', 'complete completed full', 'incomplete'],
  ['exist', 'exist exists existed present available', 'missing lacking absent unavailable abroad away'],
  ['intact', 'intact undamaged unbroken', 'broken damaged torn tampered'],
  ['valid', 'valid effective renewed', 'invalid expired lapsed void terminated revoked annulled'],
  [
    'approve',
    'approved approve approves granted grant grants accepted accept accepts authorised authorized',
    'denies deny rejected reject rejects refused refuse refuses denied declined unapproved',
  ],
  ['pass', 'passed pass passes successful', 'failed fail fails unsuccessful'],
  ['compliant', 'compliant conforming', 'noncompliant nonconforming'],
  ['adequate', 'adequate sufficient appropriate satisfactory', 'inadequate insufficient inappropriate unsatisfactory deficient'],
  ['correct', 'correct accurate', 'incorrect inaccurate wrong erroneous'],
  [
    'use',
    'active operational operating working functional functioning running unlocked',
    'inactive idle dormant defective faulty inoperative inoperable silent locked',
  ],
  ['limit', 'limited capped', 'unlimited uncapped'],
  ['safe', 'safe', 'unsafe dangerous'],
  ['known', 'known disclosed know knows knew', 'unknown undisclosed'],
  ['closed', 'closed resolved settled addressed remediated', 'open outstanding unresolved'],
  ['resume', 'resumed reinstated', 'suspended halted interrupted'],
  ['mandatory', 'mandatory compulsory obligatory', 'voluntary optional'],
  ['lawful', 'lawful legal', 'unlawful illegal'],
  ['solvent', 'solvent', 'insolvent bankrupt'],
  ['permanent', 'permanent', 'temporary provisional'],
  ['clean', 'clean uncontaminated', 'contaminated dirty polluted'],
  ['empty', 'empty', 'full loaded'],
  ['dry', 'dry', 'wet damp soaked'],
  ['sober', 'sober', 'drunk intoxicated'],
  ['conscious', 'conscious', 'unconscious'],
  ['alive', 'alive', 'dead deceased'],
  ['positive', 'positive', 'negative'],
  ['benign', 'benign', 'malignant'],
  ['stable', 'stable', 'unstable'],
  ['normal', 'normal', 'abnormal'],
  ['legible', 'legible readable', 'illegible unreadable'],
  ['consistent', 'consistent', 'inconsistent'],
  ['punctual', 'punctual timely', 'late belated overdue delayed'],
  ['possible', 'possible feasible', 'impossible infeasible'],
  ['likely', 'likely probable', 'unlikely improbable'],
  ['support', 'supported supports', 'opposed opposes'],
  ['reversible', 'reversible', 'irreversible'],
  ['occupied', 'occupied inhabited', 'vacant unoccupied uninhabited'],
  ['confirm', 'confirmed confirm confirms proven proved demonstrated substantiated', 'refuted refute refutes disproved disproven'],
  ['cover', 'covered cover covers insured', 'uninsured uncovered excluded exclude excludes'],
  ['include', 'included include includes part', 'omitted omits'],
  ['staff', 'staffed manned', 'unstaffed unmanned unattended'],
  ['eligible', 'eligible', 'ineligible'],
  ['allow', 'allowed permitted permissible', 'prohibited forbidden banned'],
  ['fit', 'fit suitable', 'unfit unsuitable'],
  ['fixed', 'fixed', 'variable floating'],
  ['genuine', 'genuine authentic', 'forged counterfeit fake falsified'],
  ['current', 'up-to-date', 'outdated obsolete'],
  ['independent', 'independent', 'dependent affiliated'],
]
const NAMES = new Set(OPPOSITES.map(([name]) => name))
const BY_WORD = new Map<string, Meaning>()
for (const [predicate, yes, no] of OPPOSITES) {
  for (const word of yes.split(' ')) BY_WORD.set(word, { predicate, negated: false })
  for (const word of no.split(' ')) BY_WORD.set(word, { predicate, negated: true })
}

/** Whether a predicate is one of those that have an opposite word. */
export const isPolar = (predicate: string): boolean => NAMES.has(predicate)

export const hasOpposite = (lower: string): boolean => BY_WORD.has(lower)

export function meaningOf(lower: string): Meaning {
  const word = lower.replace(/^non-/, 'non')
  const known = BY_WORD.get(word)
  if (known) return known
  const bare =
    /^(?:un(?=[a-z]{4,}(?:ed|able|ible|al)$|paid$|sold$|known$|written$|read$|built$|sent$|[a-z]{3,}worthy$|clear$|equal$|even$|fair$|ready$|healthy$|sound$|certain$|usual$|true$)|ir(?=revocable)|non(?=[a-z]{5,}))/.exec(
      word,
    )
      ? word.replace(/^(?:un|ir|non)/, '')
      : null
  return bare ? { predicate: BY_WORD.get(bare)?.predicate ?? actOf(bare), negated: true } : { predicate: actOf(word), negated: false }
}

/** "in continuous operation", "out of order": how the phrase begins, what it ends with, what it says; "-" before what it denies. */
const PHRASES = `
in|use service operation|use
in|order|use
in|force effect|valid
in|place stock post|exist
on|site duty|exist
in|compliance accordance conformity line|compliant
in|breach violation|-compliant
in|arrears|-pay
in|progress|-complete
under|way construction|-complete
shut|down|-use
switched|off|-use
turned|off|-use
taken out of|service use operation|-use
put into|service use operation|use
out of|use service operation order action commission|-use
out of|date|-current
out of|stock|-exist
out of|force|-valid
on|file|exist
on|time schedule track plan course|punctual
on|hold|-resume
left|out|-include
within the|period deadline time limit timeframe term|punctual
behind|schedule plan|-punctual
under|negotiation discussion|-sign
up to|date|current
free of|charge|-invoice
at no|cost charge expense|-invoice
`
interface Phrase {
  begins: string[]
  ends: Set<string>
  meaning: Meaning
}
const BY_FIRST = new Map<string, Phrase[]>()
for (const line of PHRASES.trim().split('\n')) {
  const [begins, ends, said] = line.split('|') as [string, string, string]
  const word = said.replace('-', '')
  const meaning = { predicate: NAMES.has(word) ? word : actOf(word), negated: said.startsWith('-') }
  const words = begins.split(' ')
  BY_FIRST.set(words[0]!, [...(BY_FIRST.get(words[0]!) ?? []), { begins: words, ends: new Set(ends.split(' ')), meaning }])
}

/** How many words may stand inside: "in full working order". */
const INSIDE = 2

/** The phrase that begins at a word, and where it ends; null when none does. */
export function phraseAt(tokens: readonly Token[], at: number): (Meaning & { to: number }) | null {
  const phrases = BY_FIRST.get(tokens[at]?.lower ?? '')
  if (!phrases) return null
  for (const { begins, ends, meaning } of phrases) {
    if (!begins.every((word, i) => tokens[at + i]?.lower === word)) continue
    const from = at + begins.length
    for (let i = from; i <= from + INSIDE && i < tokens.length; i++) {
      if (ends.has(tokens[i]!.lower)) return { ...meaning, to: i + 1 }
      if (PREPOSITIONS.has(tokens[i]!.lower)) break
    }
  }
  return null
}
