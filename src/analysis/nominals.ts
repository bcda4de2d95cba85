/**
 * Nouns for what is done, and the verb that says the same: "verification" and "verified". Nouns that name one thing count
 * as one where something is said of them.
 */
import { stem } from './words.js'

/** Noun → the participle of its verb. */
export const NOMINALS = new Map(
  `suspension:suspended termination:terminated extension:extended closure:closed approval:approved renewal:renewed replacement:replaced withdrawal:withdrawn
   disclosure:disclosed payment:paid delivery:delivered sale:sold purchase:purchased transfer:transferred repair:repaired repairs:repaired inspection:inspected inspections:inspected reduction:reduced
   dismissal:dismissed appointment:appointed cancellation:cancelled postponement:postponed recall:recalled audit:audited rejection:rejected removal:removed
   installation:installed calibration:calibrated verification:verified evacuation:evacuated notification:notified examination:examined test:tested tests:tested testing:tested
   training:trained review:reviewed revision:revised amendment:amended update:updated registration:registered validation:validated certification:certified
   documentation:documented measurement:measured analysis:analysed sampling:sampled assessment:assessed evaluation:evaluated monitoring:monitored supervision:supervised
   cleaning:cleaned maintenance:maintained disinfection:disinfected destruction:destroyed deletion:deleted collection:collected consultation:consulted
   reconciliation:reconciled restatement:restated publication:published submission:submitted modification:modified refund:refunded reimbursement:reimbursed
   encryption:encrypted translation:translated distribution:distributed acceptance:accepted interruption:interrupted interruptions:interrupted exceedance:exceeded exceedances:exceeded breach:breached breaches:breached violation:violated violations:violated
   injury:injured injuries:injured damage:damaged screening:screened check:checked checks:checked checking:checked vaccination:vaccinated`
    .split(/\s+/)
    .map(pair => pair.split(':') as [string, string]),
)

/** Stems of nouns for what takes place. */
export const EVENTS: ReadonlySet<string> = new Set(
  [
    ...NOMINALS.keys(),
    ...'exercise meeting hearing workshop survey trial visit election vote session conference briefing interview rehearsal ceremony'.split(
      ' ',
    ),
  ].map(word => stem(word)),
)

/** The first names the thing. */
const SAME = `
exercise drill
sale disposal
defect fault
`
const SAME_AS = new Map<string, string>()
for (const line of SAME.trim().split('\n')) {
  const words = line.split(' ')
  for (const word of words.slice(1)) SAME_AS.set(stem(word), stem(words[0]!))
}

/** One word for all nouns that name the thing. */
export const thingOf = (term: string): string => SAME_AS.get(term) ?? term
