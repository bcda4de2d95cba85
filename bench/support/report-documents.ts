/**
 * Reports of about four kilobytes as offices write them, for measuring: a header, a summary, sections of prose, a table,
 * labelled figures, findings with a status, actions and risks. Drawn from a fixed stock by number, so that every run reads
 * the same documents; figures wander a little from one report to the next, so that those of one case agree, move on and
 * sometimes disagree. All names are invented.
 */

const ISSUERS = ['Harbour Audit LLP', 'Finance Department', 'Lindqvist Engineering', 'Regional Inspectorate', 'Board Office', 'Risk Office']
const KINDS = ['Quarterly Report', 'Audit Letter', 'Technical Assessment', 'Inspection Report', 'Board Minutes', 'Risk Review']
const OWNERS = ['Norvik Energy', 'Aldenhof Works', 'Brimley Terminal', 'Castor Logistics', 'Dunmore Plant', 'Elswick Depot']
const PEOPLE = ['Ms Halden', 'Dr Okafor', 'Mr Lindgren', 'Ms Peralta', 'Mr Varga']

/** Name, unit before, unit after, usual size. */
const MEASURES: [string, string, string, number][] = [
  ['Revenue', 'EUR ', ' million', 48],
  ['Operating profit', 'EUR ', ' million', 7],
  ['Net debt', 'EUR ', ' million', 31],
  ['Capital expenditure', 'EUR ', ' million', 12],
  ['Order backlog', 'EUR ', ' million', 85],
  ['Maintenance cost', 'EUR ', ' million', 4],
  ['Provision for claims', 'EUR ', ' million', 3],
  ['Cash at bank', 'EUR ', ' million', 16],
  ['Gross margin', '', '%', 34],
  ['Capacity utilisation', '', '%', 81],
  ['Staff turnover', '', '%', 9],
  ['Overdue receivables', '', '%', 12],
  ['On-time delivery', '', '%', 92],
  ['System availability', '', '%', 98],
  ['Water consumption', '', ' m3', 5400],
  ['Electricity consumption', '', ' MWh', 7300],
  ['Installed capacity', '', ' MW', 120],
  ['Exported energy', '', ' GWh', 310],
  ['Headcount', '', ' employees', 412],
  ['Lost time injuries', '', ' cases', 3],
  ['Open audit findings', '', ' items', 14],
  ['Customer complaints', '', ' complaints', 27],
  ['Spare parts stock', '', ' units', 640],
  ['Notice period', '', ' months', 6],
]

const STATEMENTS = [
  'The fire protection concept has been approved by the authority.',
  'The supply agreement with the port operator has not been signed.',
  'No leakage was detected at the storage tanks during the inspection.',
  'The insurance policy covers business interruption at all sites.',
  'The backup generator failed the load test and was not repaired.',
  'The data centre migration is complete and was accepted by the users.',
  'The environmental permit expires in November and renewal is pending.',
  'Three of the five bridges require structural repair before winter.',
  'The internal controls over payments are adequate.',
  'The pension scheme was closed to new members, but existing claims remain insured.',
  'The contractor disputes the measured quantities and has filed a claim.',
  'The licence fee was recorded as an asset rather than as an expense.',
  'Emission values remain below the permitted limit.',
  'The calibration of the flow meters was not documented.',
  'Management does not agree with the valuation of the spare parts.',
  'The works council has consented to the new shift model.',
]
/** What reports say without claiming much. */
const NARRATIVE = [
  'This section follows the outline agreed with the audit committee and should be read together with the notes of the previous reports.',
  'The team visited the premises twice, spoke with those in charge of operations and looked at a sample of work orders and delivery notes.',
  'Where figures are given, they come from the ledgers as they stood at the time of writing, before any later entries of the group.',
  'Weather and the usual holidays made planning harder than in other years, and several deliveries had to be moved between the yards.',
  'Those who prepared the underlying records were helpful throughout, and questions were answered within the time that had been promised.',
  'Further detail is kept with the working papers and can be shown on request to anyone with a proper interest in the matter.',
]
const FINDINGS = ['Access control', 'Spill containment', 'Invoice approval', 'Crane certification', 'Backup restore', 'Supplier onboarding']
const STATUSES = ['open', 'closed', 'in progress', 'overdue', 'resolved', 'pending']
const LEVELS = ['low', 'medium', 'high', 'critical']
const RISKS = ['Supply of transformers', 'Currency exposure', 'Loss of key staff', 'Permit delay', 'Cyber attack']
const ACTIONS = [
  'submit the revised drainage plan',
  'complete the stock count',
  'renew the crane certificates',
  'test the emergency shutdown',
]

/** Small repeatable numbers; good enough to draw from lists. */
class Draw {
  private state: number

  constructor(seed: number) {
    this.state = (seed * 2_654_435_761 + 97) >>> 0
  }

  below(limit: number): number {
    this.state = (Math.imul(this.state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((this.state / 0x1_0000_0000) * limit)
  }

  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!
  }

  /** Different ones, in the order of the list. */
  some<T>(list: readonly T[], count: number): T[] {
    const left = [...list]
    while (left.length > count) left.splice(this.below(left.length), 1)
    return left
  }
}

function figure([, before, after, size]: (typeof MEASURES)[number], draw: Draw): string {
  // Mostly what the others say too, sometimes a little or much off.
  const factor = [1, 1, 1, 1.02, 0.97, 1.1, 0.85][draw.below(7)]!
  const value = size * factor
  return `${before}${size >= 1_000 ? Math.round(value).toLocaleString('en-US') : size >= 100 || !before ? Math.round(value) : value.toFixed(1)}${after}`
}

function section(draw: Draw, owner: string, year: number, statements: string[]): string[] {
  const measures = draw.some(MEASURES, 4)
  const [first, second, third, fourth] = measures as [(typeof MEASURES)[0], ...typeof MEASURES]
  const lower = (name: string): string => name[0]!.toLowerCase() + name.slice(1)
  return [
    `${owner} reported ${lower(first[0])} of ${figure(first, draw)} for FY${year}. ${second![0]} was ${figure(second!, draw)}, compared with ${figure(second!, draw)} in FY${year - 1}. ${draw.of(NARRATIVE)}`,
    '',
    `${third![0]}: ${figure(third!, draw)}`,
    `${fourth![0]} (target): ${figure(fourth!, draw)}`,
    '',
    `${statements.splice(0, 2).join(' ')} ${draw.of(NARRATIVE)}`,
    '',
  ]
}

function table(draw: Draw, year: number): string[] {
  return [
    `| Measure | FY${year - 1} | FY${year} |`,
    '|---|---|---|',
    ...draw.some(MEASURES, 7).map(measure => `| ${measure[0]} | ${figure(measure, draw)} | ${figure(measure, draw)} |`),
    '',
  ]
}

const size = 4_096

/** The report with this number; numbers of one case follow each other. */
export function reportDocument(number: number): string {
  const draw = new Draw(number)
  const year = 2023 + (number % 3)
  const at = number % ISSUERS.length
  const main = OWNERS[0]!
  const statements = draw.some(STATEMENTS, 12)
  const lines = [
    `${main}: ${KINDS[at]} ${1 + (number % 4)}/${year}`,
    '',
    `Prepared by: ${ISSUERS[at]}`,
    `Date: ${year + 1}-0${1 + (number % 9)}-1${number % 9}`,
    `Reporting period: FY${year}`,
    `Reference: NE-${year}-${100 + number}`,
    '',
    '1. SUMMARY',
    '',
    ...section(draw, main, year, statements),
    '2. KEY FIGURES',
    '',
    ...table(draw, year),
  ]
  for (let part = 3; lines.join('\n').length < size - 950; part++) {
    const owner = OWNERS[part % OWNERS.length]!
    lines.push(`${part}. ${owner.toUpperCase()}`, '', ...section(draw, owner, year, statements))
    lines.push(`- ${draw.of(FINDINGS)} at ${owner}: ${draw.of(STATUSES)}`, '')
  }
  lines.push(
    'ACTIONS AND RISKS',
    '',
    ...draw.some(ACTIONS, 2).map(action => `- ${draw.of(PEOPLE)} shall ${action} by ${1 + draw.below(28)} June ${year + 1}.`),
    ...draw.some(RISKS, 2).map(risk => `- ${risk}: ${draw.of(LEVELS)} risk. The exposure was assessed in the third quarter.`),
    '',
  )
  let text = lines.join('\n')
  while (text.length < size) text += `${draw.of(NARRATIVE)} `
  return text.slice(0, size)
}
