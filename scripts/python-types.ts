/** Schemas of the OpenAPI document as Python types: dictionaries with names where they have members, plain types else. */

export interface Schema {
  $ref?: string
  type?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  description?: string
}

const plain: Record<string, string> = { string: 'str', integer: 'int', number: 'float', boolean: 'bool', null: 'None' }
const keywords = new Set(['from', 'in', 'is', 'not', 'class', 'def', 'global', 'import', 'pass', 'lambda', 'with', 'as', 'if', 'or', 'and'])

export interface PythonTypes {
  /** `hint` names the dictionary made for an object without a name of its own. */
  typeOf(schema: Schema, hint: string): string
  /** The module that defines everything that was asked for. */
  module(): string
}

export function createPythonTypes(components: Record<string, Schema>): PythonTypes {
  const made = new Map<string, string>()

  const typeOf = (schema: Schema, hint: string): string => {
    if (schema.$ref !== undefined) return named(schema.$ref.split('/').at(-1) as string)
    if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`
    if (schema.enum !== undefined) return `Literal[${schema.enum.map(literal).join(', ')}]`
    if (schema.anyOf !== undefined && schema.type === undefined)
      return union(schema.anyOf.map((each, at) => typeOf(each, `${hint}${at || ''}`)))
    if (schema.type === 'array') return `List[${typeOf(schema.items ?? {}, `${hint}Item`)}]`
    if (schema.type !== 'object') return plain[schema.type ?? ''] ?? 'Any'
    if (Object.keys(schema.properties ?? {}).length > 0) return define(hint, schema)
    const value = schema.additionalProperties
    return `Dict[str, ${typeof value === 'object' ? typeOf(value, `${hint}Value`) : 'Any'}]`
  }

  const named = (name: string): string => {
    const schema = components[name] as Schema
    const isRecord = schema.type === 'object' && Object.keys(schema.properties ?? {}).length > 0
    if (isRecord) return define(name, schema)
    if (!made.has(name)) {
      made.set(name, '')
      made.set(name, `${name} = ${typeOf(schema, name)}\n`)
    }
    return name
  }

  const define = (name: string, schema: Schema): string => {
    if (made.has(name)) return name
    // Taken before its members are looked at: they may lead back to it.
    made.set(name, '')
    const members = Object.entries(schema.properties ?? {}).map(([member, each]) => ({
      member,
      type: typeOf(each, `${name}${pascal(member)}`),
      isRequired: schema.required?.includes(member) ?? false,
    }))
    made.set(name, definition(name, members))
    return name
  }

  return { typeOf, module: () => moduleOf(made) }
}

interface Member {
  member: string
  type: string
  isRequired: boolean
}

/** Members that may be missing are in a class of their own: Python 3.9 has no other way to say it. */
function definition(name: string, members: Member[]): string {
  const required = members.filter(({ isRequired }) => isRequired)
  const optional = members.filter(({ isRequired }) => !isRequired)
  if (required.length === 0 || optional.length === 0) return record(name, 'TypedDict', members, required.length === 0)
  return `${record(`_${name}`, 'TypedDict', required, false)}\n\n${record(name, `_${name}`, optional, true)}`
}

function record(name: string, base: string, members: Member[], mayMiss: boolean): string {
  if (members.some(({ member }) => !/^[a-z_]\w*$/i.test(member) || keywords.has(member))) {
    const entries = members.map(({ member, type }) => `${JSON.stringify(member)}: ${JSON.stringify(type)}`)
    return `${name} = TypedDict("${name}", {${entries.join(', ')}}, total=${mayMiss ? 'False' : 'True'})\n`
  }
  const lines = members.map(({ member, type }) => `    ${member}: ${type}\n`)
  return `class ${name}(${base}${mayMiss ? ', total=False' : ''}):\n${lines.join('')}`
}

/** Aliases are values and come after the classes they name. */
function moduleOf(made: Map<string, string>): string {
  const all = [...made].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text)
  const isAlias = (text: string) => !text.startsWith('class ') && !text.includes('TypedDict(')
  return `"""The records of the API, made from openapi.json by \`npm run client-types\`. Not edited by hand."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, TypedDict, Union

${[...all.filter(isAlias).sort(), ...all.filter(text => !isAlias(text))].join('\n\n')}`
}

function union(types: string[]): string {
  const distinct = [...new Set(types)]
  const some = distinct.filter(type => type !== 'None')
  const whole = some.length === 1 ? (some[0] as string) : `Union[${some.join(', ')}]`
  return distinct.includes('None') ? `Optional[${whole}]` : whole
}

function literal(value: unknown): string {
  return typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value)
}

function pascal(name: string): string {
  return name.replaceAll(/(?:^|[^a-zA-Z0-9])([a-zA-Z0-9])/g, (_all, letter: string) => letter.toUpperCase())
}
