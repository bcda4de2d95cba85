import { describe, expect, it } from 'vitest'
import { formatNumber, readFormats, rounded } from './xlsx-formats.js'

const quoted = (code: string) => code.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** As a cell shows it: by a format of the file, or by the number of one that every program knows. */
function shown(format: string | number, value: number): string {
  const own = typeof format === 'string' ? `<numFmts><numFmt numFmtId="200" formatCode="${quoted(format)}"/></numFmts>` : ''
  const id = typeof format === 'string' ? 200 : format
  const [read] = readFormats(`<styleSheet>${own}<cellXfs><xf numFmtId="${id}"/></cellXfs></styleSheet>`)
  return formatNumber(value, String(value), read, false)
}

describe('a number in a cell', () => {
  it.each([
    ['0.0,," million"', 4_800_000, '4.8 million'],
    ['#,##0.0,," Mio. EUR"', 4_800_000_000, '4,800.0 Mio. EUR'],
    ['#,##0," TEUR"', 4_800_000, '4,800 TEUR'],
    ['0.0,,"M"', 1_234_567, '1.2M'],
    ['[$€-2] #,##0.0,,\\M', 4_800_000, '€ 4.8M'],
    ['#,##0,.0" k"', 1_250, '1.3 k'],
    ['#,##0,', 1_234_567, '1,235'],
    ['0.00,%', 125, '12.50%'],
  ])('that is shown in thousands or millions is read as shown: %s', (code, value, written) => {
    expect(shown(code, value)).toBe(written)
  })

  it.each([
    ['[$-10409]#,##0.00;\\(#,##0.00\\)', 1234.5, '1,234.50'],
    ['[$-407]#,##0.00', 1234.5, '1,234.50'],
    ['#,##0.00 [$€-407]', -1234.5, '-1,234.50 €'],
    ['#,##0.00 [$CHF-807]', 45, '45.00 CHF'],
    ['"EUR" #,##0.00" p.a."', 12, 'EUR 12.00 p.a.'],
    ['_-* #,##0.00\\ _€_-', 12, '12.00'],
    ['_-* #,##0.00\\ "€"_-;-* #,##0.00\\ "€"_-', -12, '-12.00 €'],
    ['$#,##0', 12, '$ 12'],
    ['0.00"€/m²"', 12, '12.00 €/m²'],
    ['0\\ \\k\\g', 5, '5 kg'],
    ['0" kg; net"', 5, '5 kg; net'],
    ['General" kg"', 0.125, '0.125 kg'],
    ['0"%"', 12, '12 %'],
    ['0.0 %', 0.5, '50.0%'],
    ['#\\ ##0.00\\ "€"', 13500.5, '13,500.50 €'],
    ["[$CHF-807]\\ #'##0.00", 13500.5, 'CHF 13,500.50'],
    ["#\\'##0", 13500, '13,500'],
    ['#\\ ###\\ ##0.00\\ "€"', 1_350_000.5, '1,350,000.50 €'],
    ['??\\ ??0', 13500, '13,500'],
    ['#\\ ##0.0,,\\ "Mio. €"', 4_800_000_000, '4,800.0 Mio. €'],
    ['0.00 €/kg', 5, '5.00 €'],
    ['0.0%', 1.7e307, '1.7e+307'],
    ['0.00%" p.a."', 0.0425, '4.25% p.a.'],
    ['\\(0\\)', 5, '5'],
    ['000-00-0000', 123_456_789, '123456789'],
    ['0" m "00" cm"', 512, '512'],
  ])('has the currency and the unit of its format, and no other: %s', (code, value, written) => {
    expect(shown(code, value)).toBe(written)
  })

  it.each([
    ['000\\ 000\\ 000', 552_100_554, '552100554'],
    ['"SIREN "000\\ 000\\ 000', 552_100_554, '552100554'],
    ['0#\\ ##\\ ##\\ ##\\ ##', 123_456_789, '123456789'],
    ['#\\ ##\\ ##\\ ##\\ ##', 123_456_789, '123456789'],
    ['#\\ ##\\ ##\\ ##\\ ###\\ ###', 1_850_578_006_084, '1850578006084'],
    ['00\\ 00', 1234, '1234'],
    ['#0\\ 00', 1234, '1234'],
    ["00000'000", 12_345_678, '12345678'],
    ['0.000\\ 000', 1234.5, '1234.500000'],
  ])('whose format does not set its thousands apart keeps its digits together: %s', (code, value, written) => {
    expect(shown(code, value)).toBe(written)
  })

  it.each([
    [4_800_000, '4.8M'],
    [1_000_000, '1.0M'],
    [48_000, '48.0K'],
    [-48_000, '-48000'],
    [5, '5'],
  ])('has the part of its format whose condition it meets: %d', (value, written) => {
    expect(shown('[>=1000000]0.0,,"M";[>=1000]0.0,"K";0', value)).toBe(written)
    expect(shown('[<>5][Red]0.0,;0', value)).toBe(value === 5 ? '5' : shown('0.0,', value))
  })

  it.each([
    ['0.00E+00', 0.00001234, '0.00001234'],
    ['# ?/?', 0.25, '0.25'],
    ['# ?/?" in"', 0.25, '0.25 in'],
    [12, 0.25, '0.25'],
  ])('whose format says less than it does is written out: %s', (code, value, written) => {
    expect(shown(code, value)).toBe(written)
  })

  it.each([
    ['0.00', 2.675, '2.68'],
    ['0.00', -1.005, '-1.01'],
    ['0.0%', 0.00445, '0.4%'],
    ['0.00%', 0.00445, '0.45%'],
    ['0.00%', 0.010_05, '1.01%'],
    ['0.00', 0.004_999_999_999_999_99, '0.00'],
    ['0', 0.5, '1'],
    ['#,##0', 123_456_789_012_345_680_000, '123,456,789,012,346,000,000'],
  ])('is rounded as its decimal digits are: %s of %d', (code, value, written) => {
    expect(shown(code, value)).toBe(written)
  })

  it.each([
    ['[h]:mm', 1.5, '36:00:00'],
    [46, 1.5, '36:00:00'],
    ['[hh]:mm:ss', 0.0625, '01:30:00'],
    ['[mm]:ss', 0.1, '02:24:00'],
    ['[h]:mm', -0.5, '-12:00:00'],
    ['h:mm', 0.5, '12:00:00'],
    ['"Stand: "dd.mm.yyyy', 45_000, '2023-03-15'],
    ['[$-F800]dddd, mmmm dd, yyyy', 45_000, '2023-03-15'],
    [22, 45_000.5, '2023-03-15 12:00'],
  ])('that is a moment or a duration is written as one: %s', (code, value, written) => {
    expect(shown(code, value)).toBe(written)
  })
})

it('rounds figures of every size without losing what is shown of them', () => {
  expect([rounded(1e-300, 2), rounded(0.1, 30), rounded(0, 0), rounded(5e20, 1), rounded(1.7e308, 0).length]).toEqual([
    '0.00',
    '0.10000000000000000000',
    '0',
    '500000000000000000000.0',
    309,
  ])
})
