/** What tools take: schemas of the contract as agents are shown them, and the check against them. */

import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv'
import type { TProperties } from 'typebox'
import { closed } from '../contract/common.js'
import { Type } from '../platform/schema.js'

export interface InputSchema {
  type: 'object'
  [keyword: string]: unknown
}

/** Compiles each schema once, whoever asks. */
export const validator = new AjvJsonSchemaValidator()

/** Without the names schemas have in the contract: each stands for one place there, and would be repeated here. */
export function inputOf(properties: TProperties): InputSchema {
  return JSON.parse(JSON.stringify(Type.Object(properties, closed)), (key, value) => (key === '$id' ? undefined : value))
}

export function checkInput(schema: InputSchema, given: Record<string, unknown>): void {
  const { valid, errorMessage } = validator.getValidator(schema)(given)
  if (!valid) throw new McpError(ErrorCode.InvalidParams, errorMessage ?? 'The input does not fit the tool.')
}
