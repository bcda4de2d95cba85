/** What a thread does: one task at a time, each a pure function, with the word table it shares with the others. */

import { parentPort, workerData } from 'node:worker_threads'
import { useWordTable } from '../reading/words/dictionary.js'
import { place, plan, warm } from './plan-task.js'
import { read } from './read-task.js'
import type { TaskMessage } from './threads.js'

const tasks = { place, plan, read, warm }

const { wordTable } = workerData as { wordTable?: SharedArrayBuffer }
if (wordTable !== undefined) useWordTable(wordTable)

parentPort?.on('message', ({ name, task }: { name: keyof typeof tasks; task: never }) => parentPort?.postMessage(messageOf(name, task)))
parentPort?.postMessage('ready')

function messageOf(name: keyof typeof tasks, task: never): TaskMessage {
  try {
    return { answer: tasks[name](task) }
  } catch (error) {
    return { error }
  }
}
