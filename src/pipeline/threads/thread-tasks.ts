/**
 * What a thread does: one task at a time, each a pure function. Whatever a task
 * does to its thread, throw, hang or die, `threads.ts` gives the document's attempt the blame and goes on.
 */

import { parentPort } from 'node:worker_threads'
import { cutDocument } from '../../models/passages.js'
import { extract } from '../../reading/document/extract.js'
import { holdsText } from '../../reading/normalize/normalize.js'
import type { DocumentInput } from '../../reading/types.js'
import { place, plan, warm } from '../planning/plan-task.js'
import { injectFault } from './read-faults.js'
import type { TaskMessage } from './threads.js'

export interface ReadTask {
  document: DocumentInput
  /** Faults injected on purpose, for tests of recovery; empty outside them. */
  faults: string
  /** Whether it is cut into passages too, for a model. */
  passages: boolean
}

export interface ReadAnswer {
  /** The extraction as JSON: planning is in a thread too, and nothing in between parses it. */
  packed: string
  /** Its passages as JSON; null where nobody asked for them. */
  passages: string | null
  /** There is nothing in it to read. */
  isEmpty: boolean
  extractMs: number
}

function read({ document, faults, passages }: ReadTask): ReadAnswer {
  if (faults !== '') injectFault(document.text, faults)
  const started = performance.now()
  const reading = extract(document)
  const packed = JSON.stringify(reading)
  const cut = passages ? JSON.stringify(cutDocument(document)) : null
  const isEmpty = reading.claims.length === 0 && !holdsText(document.text, document.type)
  return { packed, passages: cut, isEmpty, extractMs: performance.now() - started }
}

const tasks = { place, plan, read, warm }

parentPort?.on('message', ({ name, task }: { name: keyof typeof tasks; task: never }) => parentPort?.postMessage(messageOf(name, task)))
parentPort?.postMessage('ready')

function messageOf(name: keyof typeof tasks, task: never): TaskMessage {
  try {
    return { answer: tasks[name](task) }
  } catch (error) {
    return { error }
  }
}
