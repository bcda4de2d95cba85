/** Currencies, magnitudes, units and number words as people write them. */

/** Looked up by words of documents, which may be `constructor`: nothing is inherited. */
function table<T>(entries: Record<string, T>): Readonly<Record<string, T>> {
  return Object.assign(Object.create(null) as Record<string, T>, entries)
}

/** "EUR € euro euros, USD $": what the words behind each first one stand for. */
function named<T>(lines: string, read: (first: string) => T): Readonly<Record<string, T>> {
  const entries = lines.split(', ').flatMap(line => {
    const [first = '', ...words] = line.split(' ')
    return words.map(word => [word, read(first)] as const)
  })
  return table(Object.fromEntries(entries))
}

export const CURRENCY_WORDS = named('EUR € euro euros, USD $ us$ dollar dollars, GBP £ pounds sterling, JPY ¥, INR ₹, CHF francs', String)
export const CODES = new Set(
  'EUR USD GBP CHF JPY CNY SEK NOK DKK PLN CZK HUF CAD AUD NZD INR BRL ZAR SGD HKD AED SAR TRY MXN KRW'.split(' '),
)

export const MAGNITUDES = named(
  '12 dozen, 100 hundred, 1e3 k thousand tsd, 1e6 m mn mm mio million millions mln, 1e9 b bn billion billions mrd, 1e12 trn trillion',
  Number,
)

/** dimension ← of each unit: canonical, size in the dimension's base, ways to write it. A size of 0 compares with itself alone. */
const DIMENSIONS: Record<string, string> = {
  time: `
    millisecond 0.001 ms millisecond milliseconds msec, second 1 s second seconds sec secs, minute 60 minute minutes min mins,
    hour 3600 h hour hours hr hrs, day 86400 day days, week 604800 week weeks, month 2626560 month months,
    year 31557600 year years yr yrs`,
  mass: `
    ng 1e-12 ng nanogram nanograms, µg 1e-9 µg μg ug mcg microgram micrograms, mg 1e-6 mg milligram milligrams, g 0.001 g gram grams,
    kg 1 kg kilo kilos kilogram kilograms, tonne 1000 t tonne tonnes ton tons, kilotonne 1e6 kt kilotonnes,
    megatonne 1e9 megatonne megatonnes, Gt 1e12 gigatonne gigatonnes, lb 0.45359237 lb lbs`,
  length: `
    µm 1e-6 µm μm micron microns, mm 0.001 mm millimetre millimetres millimeter millimeters,
    cm 0.01 cm centimetre centimetres centimeter centimeters, metre 1 metre metres meter meters,
    km 1000 km kilometre kilometres kilometer kilometers, mile 1609.344 mile miles, nmi 1852 nmi, ft 0.3048 ft feet`,
  area: `
    cm2 0.0001 cm2 cm², m2 1 m2 m² sqm, ha 10000 ha hectare hectares, km2 1e6 km2 km²`,
  volume: `
    µl 1e-6 µl μl ul, ml 0.001 ml millilitre millilitres milliliter milliliters, dl 0.1 dl, hl 100 hl hectolitre hectolitres,
    litre 1 l litre litres liter liters, kl 1000 kl kilolitre kilolitres, megalitre 1e6 megalitre megalitres megaliter megaliters,
    m3 1000 m3 m³, bbl 158.987 bbl barrel barrels`,
  power: 'mW 0.001 milliwatt milliwatts, W 1 w watt watts, kW 1e3 kw, MW 1e6 mw megawatt megawatts, GW 1e9 gw gigawatt gigawatts',
  energy: 'kWh 1e3 kwh, MWh 1e6 mwh, GWh 1e9 gwh, TWh 1e12 twh, kJ 0.277778 kj, MJ 277.778 mj, GJ 277778 gj, TJ 2.77778e8 tj',
  apparent: 'kVA 1e3 kva, MVA 1e6 mva',
  voltage: 'mV 0.001 mv, V 1 volt volts, kV 1e3 kv',
  current: 'mA 0.001 ma, A 1 amp amps ampere amperes',
  pressure: 'Pa 1 pa, hPa 100 hpa mbar, kPa 1e3 kpa, bar 1e5 bar bars, MPa 1e6 mpa, mmHg 133.322 mmhg, psi 6894.76 psi',
  force: 'N 1 newton newtons, kN 1e3 kn',
  torque: 'Nm 1 nm',
  speed: 'knot 0 knot knots kts',
  frequency: 'Hz 1 hz, kHz 1e3 khz, MHz 1e6 mhz, GHz 1e9 ghz, rpm 0 rpm',
  data: 'kB 1e3 kb, MB 1e6 mb, GB 1e9 gb, TB 1e12 tb, PB 1e15 pb',
  bandwidth: 'Mbps 1e6 mbps, Gbps 1e9 gbps',
  share: 'ppm 1e-6 ppm, ppb 1e-9 ppb',
  dose: 'µSv 1e-6 µsv μsv, mSv 0.001 msv, Sv 1 sv',
  amount: 'nmol 1e-9 nmol, µmol 1e-6 µmol μmol umol, mmol 0.001 mmol, mol 1 mol',
  activity: 'IU 1 iu, U 1 u',
  sound: 'dB 0 db dba',
  temperature: '°C 0 °c, °F 0 °f',
  slope: '° 0 ° degrees',
  people: 'FTE 0 fte ftes wte wtes',
}

interface Scale {
  dimension: string
  /** In the dimension's base; 0 when it converts to nothing else. */
  size: number
}

const SCALES = new Map<string, Scale>()
const FORMS: Record<string, string> = {}
for (const [dimension, lines] of Object.entries(DIMENSIONS))
  for (const entry of lines.split(',')) {
    const [unit = '', size = '0', ...forms] = entry.trim().split(' ')
    SCALES.set(unit, { dimension, size: Number(size) })
    for (const form of forms) FORMS[form] = unit
  }

/** Lower-cased forms → canonical unit. */
const UNITS = table<string>(FORMS)

/** Single letters are units only as they are properly written, and then also apart from the number. */
export const LETTER_UNITS = named('second s, g g, metre m, litre l L, V V, W W, A A, N N, tonne t, hour h, U U', String)

/** Where a capital tells a million from a thousandth. */
const EXACT_UNITS = named('megalitre Ml ML, megatonne Mt, Gt Gt, mW mW, knot kn, nmi nm NM, Nm Nm', String)

/** A unit as written: known, or one over another ("mL/h", "µg/m3"). */
export function unitOf(written: string): string | null {
  const lower = written.toLowerCase()
  const known = EXACT_UNITS[written] ?? UNITS[lower]
  if (known) return known
  const slash = lower.indexOf('/')
  if (slash <= 0) return null
  const over = partOf(written.slice(0, slash))
  const below = written.slice(slash + 1)
  const under = PER_TIME[below] ?? partOf(below)
  return over && under ? `${over}/${under}` : null
}

const partOf = (part: string): string | undefined =>
  LETTER_UNITS[part] ?? EXACT_UNITS[part] ?? (part.length > 1 ? UNITS[part.toLowerCase()] : undefined)

const PER_TIME = named('day d, year a y yr, week wk, month mo', String)

/** What a unit measures and how much of it one is; null for units that stand for themselves. */
export function scaleOf(unit: string): Scale | null {
  const known = SCALES.get(unit)
  if (known) return known.size > 0 ? known : null
  const slash = unit.indexOf('/')
  if (slash < 0) return null
  const over = SCALES.get(unit.slice(0, slash))
  const under = SCALES.get(unit.slice(slash + 1))
  return over?.size && under?.size ? { dimension: `${over.dimension}/${under.dimension}`, size: over.size / under.size } : null
}

const ONES = 'one two three four five six seven eight nine'.split(' ')
const TEENS = 'ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(' ')
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')

export const NUMBER_WORDS = table<number>({
  ...Object.fromEntries([...ONES, ...TEENS].map((word, i) => [word, i + 1])),
  ...Object.fromEntries(TENS.map((word, i) => [word, 20 + 10 * i])),
  ...Object.fromEntries(TENS.flatMap((ten, i) => ONES.map((one, k) => [`${ten}-${one}`, 21 + 10 * i + k]))),
})

/** Source of an expression for a number word; longer ones first, so that "sixty-four" is not sixty. */
export const NUMBER_WORD = `(?:${TENS.join('|')})(?:-(?:${ONES.join('|')}))?|${TEENS.join('|')}|${ONES.join('|')}`
