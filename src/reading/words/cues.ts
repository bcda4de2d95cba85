/**
 * Cues: which expressions can find anything in a text at all. Every cue lists words of which one must stand in a text for
 * its expressions to match; the words of a text are looked up anyway, and most expressions then need not be tried. A cue
 * may list too much, never too little.
 */

/** A star stands for any ending. */
const WORDS = {
  target: 'target* aim* goal* quota* objectives ambition* aspir* want* wish* set hop* needs calls benchmark bargain*',
  to: 'to',
  plan: 'plan* budget* schedul* intend* intention due reckon* count* promis* propos* foreseen envisage*',
  forecast: 'forecast* project* predict* outlook expect* anticipat* will would',
  estimate: 'estimat* preliminary provisional indicative flash interim draft guess* early first initial unaudited',
  limit: `limit* max* min* cap* ceiling threshold permi* allow* restricted licensed built designed made meant intended approved certified registered
   booked reserved catered law legal tolerance rated nominal must shall exceed can may lets entitles`,
  condition: 'had would if unless case event provided assum* scenario hypothetical* should were stress*',
  request: 'ask* request* demand* seek* sought claim* offer* bid* quot* suggest* recommend*',
  hearsay: `accus* maintain* insist* contend* claim* seriously said suggested rumo* put reported internet social whether alleg* critics reportedly
   supposedly purported* accept* unfounded nonsense wrongly mistaken* incorrectly`,
  prior: 'formerly last ago earlier prior used until up after before later',
  partial: 'aged age which these them those whom part partly including thereof only rest remainder other others among',
  rate: 'per each every apiece one month* day* year* week* head* piece* person* unit* night* hour* dail*',
  article: 'a an per',
  of: 'of',
  in: 'in out',
  basis: 'before after since excl* without net less incl* with plus added deducted extra',
  month: 'jan* feb* mar* apr* may* jun* jul* aug* sep* oct* nov* dec*',
  when: 'mon* tues* wednes* thurs* fri* satur* sun* spring summer autumn winter year month week season term',
  partOfDay: 'morning afternoon evening night',
  clock: 'am pm m clock noon midday midnight',
  average: 'averag* mean median typical*',
  negation: 'no nos not never none nobody nothing neither nor without cannot nil zero failed fails unable lack* absence free yet t non',
  refuted: `false wrong untrue incorrect unfounded nonsense invented mistake* not refute* reject* deni* deny disprove* rubbish error disput* contradict*
   accept* dismiss* baseless believe lie`,
  correction: `correct* erratum errata corrigendum supersed* replac* restate* revis* amend* withdrawn rectif* read place lieu instead misprint* misstated
   typing typo`,
  fraction: 'half halves third* quarter* fifth* sixth* eighth* tenth* dozen pair couple',
  hundred: 'hundred thousand million',
  grade: 'rating* rated grade* band* class* category tier level stage severity priority mark* score* assessed',
  number: `one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty
   forty fifty sixty seventy eighty ninety`,
  /** A single capital letter. */
  letter: '',
}

export const CUE = Object.fromEntries(Object.keys(WORDS).map((name, bit) => [name, 1 << bit])) as Record<keyof typeof WORDS, number>

const exact = new Map<string, number>()
/** By their first three letters, which every beginning has. */
const beginnings = new Map<string, [beginning: string, cue: number][]>()
for (const [bit, words] of Object.values(WORDS).entries())
  for (const word of words.split(/\s+/).filter(Boolean)) {
    if (!word.endsWith('*')) exact.set(word, (exact.get(word) ?? 0) | (1 << bit))
    else beginnings.set(word.slice(0, 3), [...(beginnings.get(word.slice(0, 3)) ?? []), [word.slice(0, -1), 1 << bit]])
  }

/** Expressions see a word wherever plain letters end, so every stretch of them counts. */
export function cuesIn(lower: string): number {
  let cues = 0
  for (const part of /[^a-z]/.test(lower) ? lower.split(/[^a-z]+/) : [lower]) {
    cues |= exact.get(part) ?? 0
    for (const [beginning, cue] of beginnings.get(part.slice(0, 3)) ?? []) if (part.startsWith(beginning)) cues |= cue
  }
  return cues
}
