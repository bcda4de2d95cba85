/** Scans and pictures: the words that were recognised in them, correcting one, and reading all again. */

import type { scanOperations } from '../../contract/scan-operations.js'
import { correctWord } from '../../scopes/documents/correct-word.js'
import { recogniseAgain, scanLanguages } from '../../scopes/documents/recognise-again.js'
import { listWords } from '../../scopes/documents/recognised-words.js'
import { documentNamed } from '../document-call.js'
import type { HandlersOf } from '../handler.js'
import type { Services } from '../services.js'

export function scanHandlers({ scopes }: Services): HandlersOf<typeof scanOperations> {
  return {
    listWords: async call => ({ body: await listWords(scopes, { ...call.query, ...documentNamed(call) }) }),
    correctWord: async call => ({ status: 202, body: await correctWord(scopes, { ...call.body, ...documentNamed(call) }) }),
    listScanLanguages: () => ({ body: scanLanguages(scopes) }),
    recogniseAgain: async call => ({ status: 202, body: await recogniseAgain(scopes, { ...call.body, ...documentNamed(call) }) }),
  }
}
