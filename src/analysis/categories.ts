/**
 * Sets of values that exclude each other: levels, progress, compliance, adequacy, outcomes, frequencies, ratings. A word
 * belongs to a set only where the label or the sentence makes it a value, which the callers check.
 */
import { type Pattern, pattern } from './pattern.js'

export interface Category {
  set: string
  value: string
  rank: number | null
  start: number
  end: number
  /** The words make sense as a value only after a label that asks for it. */
  needsLabel: boolean
}

type Entry = readonly [pattern: string, value: string, rank: number | null]

/** The value is what is written. */
const AS_READ = ''

const SETS: { set: string; needsLabel: boolean; entries: Entry[] }[] = [
  {
    set: 'compliance',
    needsLabel: false,
    entries: [
      ['(?:fully |materially )?compliant|in (?:full )?compliance|conforms?|conforming', 'compliant', 2],
      ['partially compliant|partial compliance', 'partially compliant', 1],
      [
        'non-?compliant|not (?:fully )?compliant|(?:does|do|did) not (?:comply|conform)|not in (?:compliance|conformity)|fail(?:s|ed)? to (?:comply|conform)|out of compliance|non-?conform(?:ing|ity|ities)?|in breach',
        'non-compliant',
        0,
      ],
    ],
  },
  {
    set: 'schedule',
    needsLabel: false,
    entries: [
      ['not (?:on track|on schedule)|behind schedule|off track|off schedule|running late', 'behind schedule', 0],
      ['on track|on schedule|on course|ahead of schedule', 'on schedule', 1],
    ],
  },
  {
    set: 'progress',
    needsLabel: false,
    entries: [
      [
        'not (?:yet )?(?:been )?(?:fully )?(?:complete(?:d)?|closed|resolved|implemented|signed|approved|finali[sz]ed|started|begun|delivered|remediated|renewed|concluded|obtained|received|initiated|identified|disbursed)|incomplete|unsigned|unresolved|outstanding|open|pending|in progress|under (?:review|evaluation|investigation|negotiation|consideration|development|construction|discussion|way)|underway|ongoing|awaiting|overdue|on hold|blocked|delayed|partially (?:complete|implemented|remediated|resolved|delivered)|conflicting|contested|disputed',
        'open',
        0,
      ],
      [
        'complete(?:d)?|closed|resolved|remediated|implemented|signed|finali[sz]ed|settled|delivered|concluded|mitigated|addressed|fixed|lifted|executed|renewed|withdrawn|rescinded|harmoni[sz]ed|reconciled|moot|satisfied|hired|onboarded|renegotiated|reinstated|reactivated|no longer (?:applied|applicable|required|valid)',
        'done',
        1,
      ],
      ['suspended|cancelled|canceled|terminated|abandoned|revoked', 'ended', 1],
    ],
  },
  {
    set: 'approval',
    needsLabel: false,
    entries: [
      ['not (?:yet )?(?:been )?(?:approved|authori[sz]ed|granted|permitted|accepted)|unapproved', 'not approved', 0],
      ['(?:conditionally )?approved|authori[sz]ed|granted|accepted', 'approved', 1],
      ['rejected|refused|declined|denied', 'rejected', 0],
    ],
  },
  {
    set: 'adequacy',
    needsLabel: false,
    entries: [
      ['inadequate|insufficient|inappropriate|unsatisfactory|ineffective|unreliable|deficient', 'inadequate', 0],
      ['needs? (?:major )?improvement|partially (?:satisfactory|effective|adequate)', 'partly adequate', 0.5],
      ['adequate|sufficient|appropriate|satisfactory|effective|reliable|robust', 'adequate', 1],
    ],
  },
  {
    set: 'outcome',
    needsLabel: true,
    entries: [
      ['fail(?:ed|s|ure)?', 'fail', 0],
      ['pass(?:ed|es)?', 'pass', 1],
    ],
  },
  {
    set: 'level',
    needsLabel: true,
    entries: [
      ['low[- ](?:to[- ])?medium', 'low-medium', 1.5],
      ['medium[- ](?:to[- ])?high', 'medium-high', 2.5],
      ['very low|negligible', 'very low', 0],
      ['very high|critical|severe|extreme', 'critical', 4],
      ['low', 'low', 1],
      ['medium|moderate', 'medium', 2],
      ['high', 'high', 3],
    ],
  },
  {
    set: 'finding',
    needsLabel: true,
    entries: [
      ['immaterial|minor', 'minor', 1],
      ['significant', 'significant', 2],
      ['material|major', 'material', 3],
      ['critical', 'critical', 4],
    ],
  },
  {
    set: 'frequency',
    needsLabel: true,
    entries: [
      ['(?:semi|bi)-?annual(?:ly)?|(?:twice|two times) (?:a|per|each|every) year|half-?yearly|every (?:6|six) months', 'half-yearly', 2],
      ['annual(?:ly)?|yearly|every (?:12|twelve) months|once (?:a|per|each|every) year|(?:every|each) year', 'yearly', 1],
      ['quarterly|every (?:3|three) months|once (?:a|per|each|every) quarter|(?:every|each) quarter', 'quarterly', 4],
      ['monthly|once (?:a|per|each|every) month|(?:every|each) month', 'monthly', 12],
      ['fortnightly|every (?:2|two) weeks|every 14 days|every other week', 'fortnightly', 26],
      ['weekly|once (?:a|per|each|every) week|(?:every|each) week', 'weekly', 52],
      ['(?:twice|two times) (?:a|per|each|every) day', 'twice a day', 730],
      ['(?:twice|two times) (?:a|per|each|every) week', 'twice a week', 104],
      ['(?:twice|two times) (?:a|per|each|every) month', 'twice a month', 24],
      ['daily|once (?:a|per|each|every) day|(?:every|each) day', 'daily', 365],
      ['hourly|once (?:a|per|each|every) hour|(?:every|each) hour', 'hourly', 8760],
      ['every (?:24|twenty-four) months|biennial(?:ly)?|every (?:2|two) years', 'every two years', 0.5],
      ['every (?:3|three) years', 'every three years', 0.33],
      ['every (?:5|five) years', 'every five years', 0.2],
    ],
  },
  {
    set: 'outlook',
    needsLabel: true,
    entries: [
      ['positive', 'positive', 2],
      ['stable', 'stable', 1],
      ['negative', 'negative', 0],
    ],
  },
  {
    set: 'loan standing',
    needsLabel: true,
    entries: [
      ['non-?performing|defaulted|in default', 'non-performing', 0],
      ['watch-?list', 'watchlist', 1],
      ['performing', 'performing', 2],
    ],
  },
  {
    set: 'credit rating',
    needsLabel: true,
    entries: [
      ['AAA', 'AAA', 21],
      ['AA\\+', 'AA+', 20],
      ['AA-', 'AA-', 18],
      ['AA', 'AA', 19],
      ['A\\+', 'A+', 17],
      ['A-', 'A-', 15],
      ['BBB\\+', 'BBB+', 14],
      ['BBB-', 'BBB-', 12],
      ['BBB', 'BBB', 13],
      ['BB\\+', 'BB+', 11],
      ['BB-', 'BB-', 9],
      ['BB', 'BB', 10],
      ['B\\+', 'B+', 8],
      ['B-', 'B-', 7],
      ['CCC[+-]?', 'CCC', 6],
    ],
  },
  {
    set: 'numbered rating',
    needsLabel: true,
    entries: [['Aaa|(?:Aa|A|Baa|Ba|B|Caa)[1-3]', AS_READ, null]],
  },
  {
    set: 'light',
    needsLabel: true,
    entries: [
      ['RED|Red', 'red', 0],
      ['AMBER|Amber|YELLOW|Yellow', 'amber', 1],
      ['GREEN|Green', 'green', 2],
    ],
  },
  {
    set: 'grade',
    needsLabel: true,
    entries: [['(?:grade|GRADE|Grade) [A-F]', AS_READ, null]],
  },
  ...['class', 'category', 'tier', 'stage', 'level', 'band'].map(noun => ({
    set: `numbered ${noun}`,
    needsLabel: true,
    entries: [[`${noun} (?:\\d{1,2}[a-c]?|[ivx]{1,4}[ab]?|[a-e])`, AS_READ, null] as Entry],
  })),
  {
    set: 'consequence',
    needsLabel: true,
    entries: [
      ['very high', 'very high', 3],
      ['low', 'low', 0],
      ['significant', 'significant', 1],
      ['high', 'high', 2],
      ['extreme', 'extreme', 4],
    ],
  },
  {
    set: 'tumour response',
    needsLabel: true,
    entries: [
      ['[Cc]omplete [Rr]esponse|COMPLETE RESPONSE|CR', 'complete response', 4],
      ['[Pp]artial [Rr]esponse|PARTIAL RESPONSE|PR', 'partial response', 3],
      ['[Ss]table [Dd]isease|STABLE DISEASE|SD', 'stable disease', 2],
      ['[Pp]rogressive [Dd]isease|PROGRESSIVE DISEASE|PD', 'progressive disease', 1],
      ['[Nn]ot [Ee]valuable|NOT EVALUABLE|NE', 'not evaluable', 0],
    ],
  },
  {
    set: 'answer',
    needsLabel: true,
    entries: [
      ['yes', 'yes', 1],
      ['no', 'no', 0],
    ],
  },
  {
    set: 'treatment',
    needsLabel: true,
    entries: [
      ['equity', 'equity', null],
      ['(?:inter-?company )?(?:loan|debt)', 'debt', null],
      ['capex|capitali[sz]ed', 'capitalised', null],
      ['opex|expensed|operating expense', 'expensed', null],
      ['contingent', 'contingent', null],
    ],
  },
]

/** Sets whose values are words of another kind when written in another case. */
const AS_WRITTEN = new Set(['credit rating', 'numbered rating', 'tumour response', 'light', 'grade'])

const compiled = SETS.map(({ set, needsLabel, entries }) => ({
  set,
  needsLabel,
  entries: entries.map(([source, value, rank]) => ({
    value,
    rank,
    form: pattern(new RegExp(`(?<![\\p{L}\\p{N}-])(?:${source})(?![\\p{L}\\p{N}-]|\\+)`, AS_WRITTEN.has(set) ? 'u' : 'iu')),
  })),
}))

/** The first category of each set in the text; longer and negated forms are listed first and win. */
export function categoriesIn(text: string, labelled: boolean): Category[] {
  const bounded = text.slice(0, 600)
  const found: Category[] = []
  for (const { set, needsLabel, entries } of compiled) {
    if (needsLabel && !labelled) continue
    let best: Category | null = null
    for (const entry of entries) {
      const match = entry.form.exec(bounded)
      if (!match) continue
      const value = entry.value || (set === 'numbered rating' ? match[0] : match[0].toLowerCase())
      const candidate = { set, value, rank: entry.rank, start: match.index, end: match.index + match[0].length, needsLabel }
      if (!best || candidate.start < best.start || (candidate.start === best.start && candidate.end > best.end)) {
        if (!best || candidate.start < best.start - 0 || candidate.end > best.end) best = candidate
      }
    }
    // "not completed" covers the "completed" inside it.
    if (best) found.push(best)
  }
  return found
}

const ASKS: [Pattern, string[]][] = [
  [pattern(/\b(?:risk|severity|priority|likelihood|probability|impact|level|confidence|exposure|criticality)\b/i), ['level', 'finding']],
  [pattern(/\b(?:rating|observation|finding|classification|materiality)\b/i), ['finding', 'level', 'credit rating']],
  [pattern(/\b(?:result|outcome|test|check|verdict|inspection)\b/i), ['outcome']],
  [
    pattern(
      /\b(?:frequency|refresh|review|interval|recalculation|reporting|monitoring|cycle|schedule|submission|audit|verification|sdv)\b/i,
    ),
    ['frequency'],
  ],
  [pattern(/\b(?:rating|downgrad|upgrad|outlook)/i), ['credit rating', 'numbered rating']],
  [pattern(/\b(?:status|rag|rating|traffic light|alert|alarm|warning)\b/i), ['light']],
  [
    pattern(/\b(?:class|classification|category|tier|stage|severity|level|band)\b/i),
    ['numbered class', 'numbered category', 'numbered tier', 'numbered stage', 'numbered level', 'numbered band'],
  ],
  [pattern(/\b(?:quality|classification|rating|grade|assessment)\b/i), ['grade']],
  [pattern(/\b(?:consequence|hazard) (?:category|class|classification|rating|potential)\b/i), ['consequence']],
  [pattern(/\boutlook\b/i), ['outlook']],
  [pattern(/\b(?:loan|facility|exposure|credit|status|standing)\b/i), ['loan standing']],
  [pattern(/\b(?:response|determination|assessment|call|recist|decision|resolved|disease)\b/i), ['tumour response']],
  [pattern(/\b(?:treat|classif|record|account|book|recogni[sz])/i), ['treatment']],
  [pattern(/\?\s*$|\b(?:breach|required|applicable|met|exceeded)\b/i), ['answer']],
]

/** Sets whose values a label or sentence asks for. */
export function setsAskedBy(text: string): Set<string> {
  const sets = new Set<string>()
  for (const [form, names] of ASKS) if (form.test(text)) for (const name of names) sets.add(name)
  return sets
}
