/**
 * How a thing is classed where only one class can hold: equity or debt, capitalised or expensed, controller or processor.
 * Read after "classified as", "treated as" and the like, and from "X rather than Y".
 */
import type { Category } from './categories.js'
import { pattern } from './pattern.js'

/** Each line is a set of its own; two values of one set exclude each other. */
const SETS: [set: string, classes: [pattern: string, value: string][]][] = [
  [
    'equity or debt',
    [
      ['equity|capital contribution', 'equity'],
      ['(?:inter-?company |shareholder |subordinated )?(?:loan|debt|borrowing|liability)', 'debt'],
    ],
  ],
  [
    'capitalised or expensed',
    [
      ['capex|capitali[sz]ed|capital expenditure|an asset', 'capitalised'],
      ['opex|expensed|operating (?:expense|expenditure|cost)', 'expensed'],
    ],
  ],
  [
    'contingent or confirmed',
    [
      ['contingent|conditional|unconfirmed|doubtful', 'contingent'],
      ['confirmed|unconditional|certain|firm', 'confirmed'],
    ],
  ],
  [
    'lease',
    [
      ['operating lease', 'operating lease'],
      ['finance lease', 'finance lease'],
    ],
  ],
  [
    'term',
    [
      ['non-?current|long-term', 'long-term'],
      ['current|short-term', 'short-term'],
    ],
  ],
  [
    'recurring',
    [
      ['non-?recurring|one-?off|exceptional|extraordinary', 'one-off'],
      ['recurring', 'recurring'],
    ],
  ],
  [
    'employment',
    [
      ['(?:independent )?contractors?|self-employed|freelancers?', 'contractor'],
      ['employees?', 'employee'],
    ],
  ],
  [
    'data role',
    [
      ['(?:joint )?controllers?', 'controller'],
      ['processors?', 'processor'],
    ],
  ],
  [
    'agency',
    [
      ['agents?', 'agent'],
      ['principals?', 'principal'],
    ],
  ],
  [
    'residence',
    [
      ['non-?residents?', 'non-resident'],
      ['residents?', 'resident'],
    ],
  ],
  [
    'party',
    [
      ['related part(?:y|ies)', 'related party'],
      ['(?:independent|third|unrelated) part(?:y|ies)', 'third party'],
    ],
  ],
  [
    'hazard',
    [
      ['non-?hazardous|harmless', 'non-hazardous'],
      ['hazardous|dangerous', 'hazardous'],
    ],
  ],
  [
    'security',
    [
      ['unsecured', 'unsecured'],
      ['secured', 'secured'],
    ],
  ],
  [
    'restriction',
    [
      ['unrestricted', 'unrestricted'],
      ['restricted', 'restricted'],
    ],
  ],
  [
    'tax',
    [
      ['exempt|tax-free|non-?taxable', 'exempt'],
      ['taxable', 'taxable'],
    ],
  ],
  [
    'seriousness',
    [
      ['non-?serious', 'non-serious'],
      ['serious', 'serious'],
    ],
  ],
  [
    'relatedness',
    [
      ['unrelated|not related', 'unrelated'],
      ['(?:possibly |probably |definitely )?related', 'related'],
    ],
  ],
  [
    'commonness',
    [
      ['very rare|rare|uncommon|unusual', 'uncommon'],
      ['very common|common|frequent', 'common'],
    ],
  ],
]
const compiled = SETS.map(([set, classes]) => ({
  set,
  classes: classes.map(([source, value]) => ({ value, form: pattern(new RegExp(`(?<![\\p{L}-])(?:${source})(?![\\p{L}-])`, 'iu')) })),
}))

const CLASSED = pattern(
  /\b(?:record(?:ed|s)?|(?:re)?classif(?:ied|ies|y)|treat(?:ed|s)?|account(?:ed)? for|book(?:ed)?|recogni[sz](?:ed|es?)|designat(?:ed|es)|categori[sz]ed|regard(?:ed|s)?|consider(?:ed|s)?|present(?:ed|s)?|deemed|assessed|view(?:ed|s)?)\b[^.;]{0,60}?\b(?:as|to be)\s(?:an?\s|the\s)?([^.,;()]{3,60})/i,
)
const RATHER = pattern(
  /\b(?:is|are|was|were|as)\b[^.;]{0,50}?\s((?:[\p{L}-]+\s){1,3}?)(?:rather than|and not|instead of|as opposed to)\s((?:[\p{L}-]+\s?){1,3})/iu,
)
const PLAIN = pattern(/\b(?:is|are)\s(?:an?\s|now\s|now an?\s)?((?:very\s)?(?:common|uncommon|rare|frequent))\b/i)

function classIn(text: string): { set: string; value: string } | null {
  for (const { set, classes } of compiled) {
    for (const { value, form } of classes) {
      const match = form.exec(text)
      if (match && match.index <= 24) return { set, value }
    }
  }
  return null
}

/** How the text classes its subject; null when it classes nothing. */
export function treatmentIn(text: string): Category | null {
  const bounded = text.slice(0, 400)
  const make = (found: { set: string; value: string }, at: number): Category => ({
    ...found,
    rank: null,
    start: at,
    end: at,
    needsLabel: false,
  })
  const rather = RATHER.exec(bounded)
  if (rather) {
    const [chosen, other] = [classIn(rather[1]!), classIn(rather[2]!)]
    if (chosen && other && chosen.set === other.set && chosen.value !== other.value) return make(chosen, rather.index)
  }
  const classed = CLASSED.exec(bounded) ?? PLAIN.exec(bounded)
  const found = classed ? classIn(classed[1]!) : null
  return found && !/\b(?:not|never)\b/i.test(bounded.slice(Math.max(0, classed!.index - 12), classed!.index) + classed![0])
    ? make(found, classed!.index)
    : null
}
