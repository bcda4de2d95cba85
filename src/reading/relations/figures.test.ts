import { describe, expect, it } from 'vitest'
import { analyseFolder } from '../../../test/support/score-corpus.js'

const read = (...texts: string[]) => analyseFolder(texts.map((text, at) => ({ name: `${at}.txt`, text })))
const shown = (...texts: string[]) => read(...texts).findings.map(finding => `${finding.verdict} ${finding.reason.split('.')[0]}`)

describe('figures of two documents', () => {
  it('differ by one', () => {
    expect(shown('Two cranes of the Marwell yard were damaged.', 'Three cranes of the Marwell yard were damaged.')).toEqual([
      'contradiction The figures differ: Two / Three',
    ])
  })

  it('are compared clause by clause', () => {
    expect(
      shown(
        'The Tolva basin is 25 m long, and its feed pump delivers 410 m3/h.',
        'The Tolva basin is 25 m long. The feed pump of the Tolva basin delivers 340 m3/h.',
      ),
    ).toEqual(['contradiction The figures differ: 410 m3/h / 340 m3/h'])
  })

  it('have the role their own clause gives them', () => {
    expect(
      shown(
        'The Orsk mill sold 4,120 t of flour, although the plan had been to sell more.',
        'The Orsk mill sold 3,870 t of flour, and it expects a good autumn.',
      ),
    ).toHaveLength(1)
  })

  it('stay apart under headings that tell one label apart', () => {
    const first =
      'Stress test, Orel Bank\n\nScenario: rates\nLoss of capital: EUR 14 million\n\nScenario: storm\nLoss of capital: EUR 31 million'
    const second = 'Capital note, Orel Bank\n\nSale of shares\nLoss of capital: EUR 4 million'
    expect(shown(first, second)).toEqual([])
  })

  it('stay apart when one is of some of the things', () => {
    expect(shown('The Orla carried 640 crates in May 2021.', 'In May 2021 the Orla carried 45 frozen crates.')).toEqual([])
  })

  it('stay apart when each clause names what the other does not, although a title names both', () => {
    const order = 'Order for the refit of Marna and Osten\n\nThe lump sum for Marna is GBP 412,500, excluding VAT.'
    const minutes = 'Minutes on the refit of Marna and Osten\n\nThe lump sum for Osten is GBP 383,000, excluding VAT.'
    expect(shown(order, minutes)).toEqual([])
    expect(shown(order, minutes.replaceAll('Osten is', 'Marna is'))).toHaveLength(1)
  })

  it('stay apart when one clause has several and nothing says which', () => {
    expect(shown('The ratio of 128 % at Orel is above the 100 % that count there.', 'The ratio at Orel is 131 %.')).toEqual([])
  })

  it('stay apart when one is of a month and the other of a quarter', () => {
    const quarter =
      'Fleet report, Q1 2025\n\n| Aircraft | Flight hours | Landings | Delays | Faults |\n|---|---|---|---|---|\n| VX-ARN | 541 | 612 | 4 | 2 |\n| VX-OLM | 488 | 530 | 6 | 1 |'
    expect(shown(quarter, 'In January VX-ARN had 166 flight hours.')).toEqual([])
  })

  const lease = (rest = '') =>
    `Lease summary OY-KVA\n\nSecurity deposit: EUR 350,000\nMonthly rent: EUR 41,200\nInsurance premium: EUR 9,340\nTyres: EUR 3,115\nCrew seats: 4\nCabin seats: 50\nLandings: 6,120\nEngine hours: 8,812\nPropeller hours: 2,310\nFire bottles: 3\nLife vests: 54\n${rest}`
  const minutes = 'The lease of OY-KVA goes on. The security deposit of EUR 310,000 lies with Corvin Leasing and bears no interest.'

  it('are rivals where one sentence of long documents is the same but for the figure, however short', () => {
    const long = (title: string, figure: string) =>
      `${title}\n\n${Array.from({ length: 30 }, (_, n) => `${title.split(' ')[0]} paragraph ${n} tells nothing of money.`).join('\n')}\n\nRevenue for FY2025 was EUR ${figure}M.`
    expect(shown(long('Report of Aurelia Holding', '41.2'), long('Memo on Aurelia Holding', '33.9'))).toEqual([
      'contradiction The figures differ: EUR 41',
    ])
  })

  it('are perhaps of one thing where a sentence says much more than the label and neither says when', () => {
    const { findings, unsure } = read(lease(), minutes)
    expect(findings).toEqual([])
    expect(unsure.map(({ reason }) => reason.split('.')[0])).toEqual(['The figures differ: EUR 350,000 / EUR 310,000'])
  })

  it('are rivals where both give the same day', () => {
    const dated = 'The lease of OY-KVA goes on. On 3 May 2024 the security deposit of EUR 310,000 lay with Corvin Leasing.'
    expect(shown(lease().replace('deposit:', 'deposit on 3 May 2024:'), dated)).toEqual([
      'contradiction The figures differ: EUR 350,000 / EUR 310,000',
    ])
  })

  it('are perhaps of one time where one side alone gives a day', () => {
    const counted = (text: string) => lease(`The hangar at Vinje holds 14 crates of spare rotor blades${text}.`)
    const notes = lease('The hangar at Vinje holds 9 crates of spare rotor blades.').replace('Lease summary', 'Notes on')
    expect(shown(counted(''), notes)).toEqual(['contradiction The figures differ: 14 / 9'])
    expect(shown(counted(' since 4 May 2023'), notes)).toEqual([])
  })

  it('are perhaps one after the other where one side alone tells of a change', () => {
    const budget = (text: string) => `The budget of the Varde pumping station ${text}.`
    expect(shown(budget('is EUR 640,000'), budget('is EUR 715,000'))).toHaveLength(1)
    expect(shown(budget('is EUR 640,000'), budget('is raised to EUR 715,000'))).toEqual([])
  })

  it('are no rivals where the document gives the same figure as well', () => {
    expect(shown(lease('Security deposit paid: EUR 310,000'), minutes)).toEqual([])
  })
})
