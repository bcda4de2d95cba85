/**
 * JSON schemas with static types. The types are TypeBox's; the objects are made here, because loading TypeBox takes a
 * process a third of a second for the thirteen builders that are used.
 */

import type * as TypeBox from 'typebox'

type Schema = Record<string, unknown>

const optional = Symbol('optional')
const of = (type: string) => (options?: Schema) => ({ type, ...options })

const builders = {
  Array: (items: Schema, options?: Schema) => ({ type: 'array', items, ...options }),
  Boolean: of('boolean'),
  Enum: (values: readonly unknown[], options?: Schema) => ({ enum: values, ...options }),
  Integer: of('integer'),
  Literal: (value: unknown, options?: Schema) => ({ type: typeof value, const: value, ...options }),
  Null: of('null'),
  Number: of('number'),
  Object: (properties: Record<string, Schema>, options?: Schema) => {
    const required = Object.keys(properties).filter(name => !(optional in properties[name]!))
    return { type: 'object', ...(required.length > 0 ? { required } : {}), properties, ...options }
  },
  // Not enumerable: schemas are compared and printed by their members.
  Optional: (schema: Schema) => Object.defineProperty({ ...schema }, optional, { value: true }),
  // Whatever its name: a pattern would have to match ends of lines too, and what it does not match is looked at by nobody.
  Record: (_key: Schema, value: Schema, options?: Schema) => ({ type: 'object', additionalProperties: value, ...options }),
  String: of('string'),
  Union: (anyOf: readonly Schema[], options?: Schema) => ({ anyOf, ...options }),
  Unknown: (options?: Schema) => ({ ...options }),
}

export const Type = builders as unknown as Pick<typeof TypeBox.Type, keyof typeof builders>
