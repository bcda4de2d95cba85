/** JSON given on the command line: itself, a file that holds it, or standard input as `-`. */

import { readFileSync } from 'node:fs'
import { messageOf } from '../platform/errors.js'
import { CommandError, exitCodes } from './command-error.js'
import { readIfThere } from './local-config.js'

/** An object, or a usage error that shows what it should look like. */
export function jsonValue(given: string, { what, shape }: { what: string; shape: string }): Record<string, never> {
  const wrong = (why: string) =>
    new CommandError(`${what} is not a JSON object: ${why}`, { next: `write it like ${shape}`, exitCode: exitCodes.usage })
  const isItself = given.trimStart().startsWith('{')
  const text = isItself ? given : given === '-' ? readFileSync(0, 'utf8') : readIfThere(given)
  if (text === undefined) throw wrong(`there is no file ${given}`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw wrong(messageOf(error))
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw wrong('it is something else')
  return value as Record<string, never>
}
