/**
 * Who holds a post, said by a change of it or by the holder: "N took over as site manager", "N1 was replaced by N2 as valuer",
 * "We are appointed as auditor". The post is the label, whoever holds it now the answer.
 */
import { pattern } from './pattern.js'

export interface Holder {
  label: string
  value: string
}

const NAME =
  "(?:(?:Dr|Mr|Ms|Mrs|Miss|Prof|Capt|Sir)\\.?\\s)?\\p{Lu}[\\p{L}\\p{M}'’&-]*(?:\\.(?=\\s\\p{Lu}))?(?:\\s(?:(?:of|and|de|van|von|&)\\s)?\\p{Lu}[\\p{L}\\p{M}'’&-]*\\.?(?=[\\s.,;]|$)){0,5}"
const POST =
  '(?:[Dd]irector|[Mm]anager|[Hh]ead|[Cc]hair|[Cc]hairman|[Cc]hairwoman|[Cc]hairperson|[Oo]fficer|[Ee]ngineer|[Ii]nvestigator|[Vv]aluer|[Aa]uditor|[Cc]ontractor|[Ss]ubcontractor|[Oo]perator|[Ss]upplier|[Aa]dvisers?|[Aa]dvisors?|[Cc]ounsel|[Tt]rustee|[Aa]dministrator|[Cc]ustodian|[Dd]epositary|[Aa]gent|[Ss]ecretary|[Pp]resident|[Oo]wner|[Ll]ead|[Ll]eader|[Cc]ontroller|[Ss]upervisor|[Ii]nspector|[Rr]epresentative|[Cc]onsultant|[Ee]xpert|[Aa]rbitrator|[Cc]oordinator|[Ss]ponsor|[Ii]nsurer|[Bb]roker|[Ll]ender|[Cc]arrier|[Ll]aboratory|[Rr]egistrar|[Aa]ctuary|[Tt]reasurer|[Cc]ommissioner|[Ss]urveyor|[Aa]rchitect|[Pp]hysician|[Pp]harmacist|[Cc]aptain|[Mm]aster|[Kk]eeper|[Gg]uardian|[Ee]xecutor|[Ll]iquidator|[Rr]eceiver|[Pp]rotector|[Ss]ettlor|[Hh]eadteacher|[Ss]urgeon|[Aa]naesthetist|[Rr]ector|[Dd]ean|[Mm]ayor|[Nn]otary|[Mm]atron|[Ee]ditor|[Ss]uperintendent|[Oo]mbudsman)'
const ROLE = `(?:the\\s|our\\s|its\\s|an?\\s|new\\s)*((?:[\\p{L}][\\p{L}'’-]*\\s){0,4}?${POST}(?:\\sof\\s(?:the\\s)?[\\p{L}'’-]+(?:\\s[\\p{Ll}][\\p{L}'’-]+)?)?)(?=[.,;()]|\\s(?:since|from|until|with|for|on|in|at|as|and|to|under)\\s|$)`

const TAKEN_OVER = pattern(
  new RegExp(
    `(${NAME}),?\\s(?:who\\s)?(?:took over|takes over|has taken over|had taken over|stepped in|was installed|took office)\\s(?:the\\s(?:post|role|position|office)\\sof\\s|as\\s)${ROLE}`,
    'u',
  ),
)
const REPLACED = pattern(
  new RegExp(
    `(${NAME})\\s(?:has been|was|is|had been|will be)\\s(?:replaced|succeeded)\\sby\\s(${NAME})\\s(?:as|in the role of|in the post of)\\s${ROLE}`,
    'u',
  ),
)
const SUCCEEDS = pattern(
  new RegExp(
    `(${NAME})\\s(?:replaces|replaced|succeeds|succeeded|has replaced|has succeeded|took over from|takes over from)\\s(${NAME})\\s(?:as|in the role of|in the post of)\\s${ROLE}`,
    'u',
  ),
)
const APPOINTED = pattern(
  new RegExp(
    `(${NAME})\\s(?:was|is|has been|had been)\\s(?:appointed|elected|named|designated|engaged|hired|retained|selected)\\s(?:as\\s|to be\\s)?${ROLE}`,
    'u',
  ),
)
/** "Since May the external valuer has been Norland LLP". */
const NOW = pattern(
  new RegExp(
    `\\b[Tt]he\\s(?:new\\s)?((?:[\\p{Ll}][\\p{L}'’-]*\\s){0,4}?${POST})\\s(?:has been|is now|is|was)\\s(?:now\\s)?(${NAME})(?=[.,;()]|\\s(?:since|from|until|with|who)\\s|$)`,
    'u',
  ),
)
const SELF = pattern(
  new RegExp(
    `\\b(?:I|We|we)\\s(?:am|are|have been|was|were)\\s(?:now\\s|also\\s|again\\s)?(?:appointed\\s|engaged\\s|retained\\s|acting\\s|instructed\\s)?(?:as\\s)?${ROLE}`,
    'u',
  ),
)

/** "The post of yard manager has been vacant since May". */
const UNHELD = pattern(
  new RegExp(
    `\\b(?:[Pp]osition|[Pp]ost|[Rr]ole|[Oo]ffice|[Ss]eat)\\sof\\s(?:the\\s)?((?:[\\p{Ll}][\\p{L}'’-]*\\s){0,4}?${POST}(?:\\s(?:of|for)\\s(?:the\\s)?(?:[\\p{Ll}-]+\\s){0,2}?[\\p{Ll}-]+)?)\\s(?:is|was|has been|had been|remains|remained|stands)\\s(?:still\\s|currently\\s|again\\s)?(?:vacant|unfilled|empty|not filled)\\b`,
    'u',
  ),
)
/** What stands for nobody. */
export const NOBODY = 'vacant'

const holds = (label: string, value: string): Holder => ({ label, value: value.replace(/[.,]$/, '') })

/** The post a sentence gives to somebody; `writer` is who says "we". */
export function holderIn(text: string, writer: string | null): Holder | null {
  const unheld = UNHELD.exec(text)
  if (unheld) return holds(unheld[1]!, NOBODY)
  const taken = TAKEN_OVER.exec(text)
  if (taken) return holds(taken[2]!, taken[1]!)
  const replaced = REPLACED.exec(text)
  if (replaced) return holds(replaced[3]!, replaced[2]!)
  const succeeds = SUCCEEDS.exec(text)
  if (succeeds) return holds(succeeds[3]!, succeeds[1]!)
  const appointed = APPOINTED.exec(text)
  if (appointed) return holds(appointed[2]!, appointed[1]!)
  const now = NOW.exec(text)
  if (now) return holds(now[1]!, now[2]!)
  const self = writer ? SELF.exec(text) : null
  return self ? holds(self[1]!, writer!) : null
}
