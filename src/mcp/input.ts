/** Input schemas of tools, taken from the contract, and validation against them. */

import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv'
import type { TProperties } from 'typebox'
import { closed } from '../contract/common.js'
import { Type } from '../platform/schema.js'

export interface InputSchema {
  type: 'object'
  [keyword: string]: unknown
}

/** Compiles each schema once. */
export const validator = new AjvJsonSchemaValidator()

/** Removes `$id`: in the contract each id occurs once, here the same schema is used by several tools. */
export function inputOf(properties: TProperties): InputSchema {
  return JSON.parse(JSON.stringify(Type.Object(properties, closed)), (key, value) => (key === '$id' ? undefined : value))
}

export function checkInput(schema: InputSchema, given: Record<string, unknown>): void {
  const { valid, errorMessage } = validator.getValidator(schema)(given)
  if (!valid) throw new ProtocolError(ProtocolErrorCode.InvalidParams, errorMessage ?? 'The input does not match the schema of the tool.')
}
