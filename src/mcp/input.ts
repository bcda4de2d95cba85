/** Input schemas of tools, taken from the contract, and validation against them. */

import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { Ajv, AjvJsonSchemaValidator, addFormats } from '@modelcontextprotocol/server/validators/ajv'
import type { TProperties } from 'typebox'
import { closed } from '../contract/common.js'
import { Type } from '../platform/schema.js'

export interface InputSchema {
  type: 'object'
  [keyword: string]: unknown
}

/** Compiles each schema once. */
export const validator = new AjvJsonSchemaValidator(createAjv())

function createAjv(): InstanceType<typeof Ajv> {
  const ajv = new Ajv({ strict: false, validateFormats: true, validateSchema: false, allErrors: true })
  addFormats(ajv)
  // Ours, which the service checks. One that is not known is written to standard error at every call.
  for (const format of ['person-name', 'visible-text']) ajv.addFormat(format, true)
  return ajv
}

/** Removes `$id`: in the contract each id occurs once, here the same schema is used by several tools. */
export function inputOf(properties: TProperties): InputSchema {
  return JSON.parse(JSON.stringify(Type.Object(properties, closed)), (key, value) => (key === '$id' ? undefined : value))
}

export function checkInput(schema: InputSchema, given: Record<string, unknown>): void {
  const { valid, errorMessage } = validator.getValidator(schema)(given)
  if (!valid) throw new ProtocolError(ProtocolErrorCode.InvalidParams, errorMessage ?? 'The input does not match the schema of the tool.')
}
