/** Documents of about four kilobytes for measuring: reports with a table, figures in prose, a goal and a risk. Repeatable by number. */

const subjects = [
  'Revenue',
  'Operating cost',
  'Gross margin',
  'Headcount',
  'Cash',
  'Order intake',
  'Net debt',
  'Churn',
  'Output',
  'Energy use',
]
const sites = ['Aldenhof', 'Brimley', 'Castor', 'Dunmore', 'Elswick', 'Farrow', 'Garth', 'Holmby']
const filler =
  'The committee noted the report, thanked those who prepared it and asked for the next one in the usual form and at the usual time. '

export function caseText(n: number): string {
  const year = 2005 + (n % 20)
  const site = sites[n % sites.length]
  const lines = [
    `Report ${n} of the ${site} works`,
    '',
    `Issuer: Office of ${site}`,
    `Date: ${1 + (n % 27)} March ${year}`,
    '',
    `| Figure | FY${year} | Q${1 + (n % 4)} ${year} |`,
    '|---|---|---|',
    ...subjects.map((name, place) => `| ${name} ${site} ${(n + place) % 40} | EUR ${value(n, place)}M | EUR ${value(n, place + 10)}M |`),
    '',
    ...subjects.map(
      (name, place) =>
        `The ${name.toLowerCase()} of unit ${(n * 7 + place) % 60} in ${site} was EUR ${value(n, place + 20)}M in FY${year}.`,
    ),
    '',
    `The works shall finish the audit of line ${n % 9} by 1 June ${year + 1}.`,
    `Risk: high. Supply of part ${n % 50} may be late.`,
    '',
  ].join('\n')
  return lines + filler.repeat(Math.max(0, Math.ceil((4096 - lines.length) / filler.length)))
}

function value(n: number, place: number): string {
  return `${10 + ((n * 31 + place * 17) % 90)}.${(n + place) % 10}`
}
