/** What a thread can be asked to do, with the word table it shares with the others. */

import { workerData } from 'piscina'
import { useWordTable } from '../reading/words/dictionary.js'

export { place, plan, warm } from './plan-task.js'
export { read } from './read-task.js'

const { wordTable } = (workerData ?? {}) as { wordTable?: SharedArrayBuffer }
if (wordTable !== undefined) useWordTable(wordTable)
