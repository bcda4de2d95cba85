/**
 * Recorded answers: what a model said to a question, kept in a file named by the question's hash. The player answers from
 * them and fails, naming the question, where there is none; the recorder writes the questions that wait for an answer.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Question } from '../../src/models/question.js'

/** What a model wrote, as text. */
export type Player = (question: Question) => string

export class MissingRecording extends Error {
  readonly hash: string

  constructor(hash: string, about: string) {
    super(`No recorded answer for question ${hash} (${about}): the question has changed, or was never recorded.`)
    this.name = 'MissingRecording'
    this.hash = hash
  }
}

export function playRecordings(folder: string): Player {
  return question => {
    const path = join(folder, `${question.hash.slice(0, 16)}.json`)
    if (!existsSync(path)) throw new MissingRecording(question.hash, firstLine(question))
    return readFileSync(path, 'utf8')
  }
}

/** Writes the question beside the recordings, for whoever answers it. Returns where. */
export function writeQuestion(folder: string, question: Question): string {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `${question.hash.slice(0, 16)}.question.txt`)
  writeFileSync(path, question.messages.map(({ role, content }) => `=== ${role} ===\n${content}\n`).join('\n'))
  return path
}

function firstLine({ messages }: Question): string {
  const lines = messages.at(-1)?.content.split('\n') ?? []
  return lines.find(line => line.startsWith('DOCUMENT ')) ?? lines[0] ?? ''
}
