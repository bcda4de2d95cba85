/**
 * Makes the Python client's calls and types from openapi.json; they are not kept. A call takes path, query and body of
 * its operation by name; what it does with them is written by hand beside it.
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { createPythonTypes, type Schema } from './python-types.js'

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  schema: Schema
}

interface Operation {
  operationId: string
  summary: string
  description: string
  parameters: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

/** A value of the call: where it goes, and whether it must be given. */
interface Argument {
  name: string
  sent: string
  type: string
  isRequired: boolean
  isNullable: boolean
}

const rootOf = (path: string) => new URL(`../${path}`, import.meta.url)
const document = JSON.parse(readFileSync(rootOf('openapi.json'), 'utf8')) as Document
const { version } = JSON.parse(readFileSync(rootOf('package.json'), 'utf8')) as { version: string }
const types = createPythonTypes(document.components.schemas)

const calls = Object.entries(document.paths)
  .filter(([path]) => path.startsWith('/api/') || path.startsWith('/.well-known/'))
  .flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })))
  // The others of their name take every id by query as well.
  .filter(({ operation }) => !operation.operationId.endsWith('ByQuery'))
  .map(each => ({ name: nameOf(each.operation), text: callOf(each.path, each.method, each.operation) }))
  .sort((a, b) => (a.name < b.name ? -1 : 1))
const repeated = calls.filter(({ name }, at) => calls[at + 1]?.name === name)
if (repeated.length > 0) throw new Error(`two operations would be called ${repeated.map(({ name }) => name).join(', ')}`)

const header = `"""The calls of the public tier, made from openapi.json by \`npm run client-types\`. Not edited, not kept."""

from __future__ import annotations

import json
import threading
from typing import Any, Dict, Iterator, List, Literal, Optional, Union

from . import types
from ._base import UNSET, Base, given, keyed, segment
from ._multipart import FileLike
from ._pages import Listing

VERSION = "${version}"


class Calls(Base):
`
writeFileSync(rootOf('clients/python/src/concord_client/_calls.py'), `${header}${calls.map(({ text }) => text).join('\n')}`)
writeFileSync(rootOf('clients/python/src/concord_client/types.py'), types.module())

/** `listOwnScopes` is `list_scopes`: here all are the tenant's own. */
function nameOf({ operationId }: Operation): string {
  return snake(operationId.replace(/Own(?=[A-Z])/, ''))
}

function snake(name: string): string {
  return name.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
}

function pascal(name: string): string {
  return (name[0] as string).toUpperCase() + name.slice(1)
}

function callOf(path: string, method: string, operation: Operation): string {
  const { mediaType } = returnedBy(operation)
  const shape = shapeOf(path, operation)
  const target = targetOf(path, shape)
  const signature = ['self', ...signatureOf(shape)].join(', ')
  return `    def ${nameOf(operation)}(${signature}) -> ${answerOf(operation)}:
        """${(operation.description || operation.summary).replaceAll('\\', '\\\\')}"""
        return ${expressionOf(operation, { target, method, mediaType, shape })}
`
}

/** What a call takes, and how it is sent. */
interface Shape {
  positional: Argument[]
  inPath: Argument[]
  query: Argument[]
  body: Body | undefined
  isKeyed: boolean
  isStream: boolean
}

/** `json` by its members or, where it has none, as a whole. */
type Body = { kind: 'json' | 'form'; members: Argument[] } | { kind: 'whole'; type: string } | { kind: 'raw'; contentType: string }

function shapeOf(path: string, operation: Operation): Shape {
  const named = argumentsIn(operation, 'path')
  const given = argumentsIn(operation, 'query')
  // A document may have an id that no path can hold, so it goes by query.
  const isByQuery = path.startsWith('/api/documents/{documentId}')
  const query = given.map(each => (isByQuery && each.name === 'document_id' ? { ...each, isRequired: true } : each))
  return {
    positional: isByQuery ? query.filter(({ isRequired }) => isRequired) : named,
    inPath: isByQuery ? [] : named,
    query,
    body: bodyOf(operation),
    isKeyed: operation.parameters.some(({ name }) => name === 'Idempotency-Key'),
    isStream: returnedBy(operation).mediaType === 'text/event-stream',
  }
}

function targetOf(path: string, { inPath }: Shape): string {
  if (!path.includes('{')) return JSON.stringify(path)
  const written = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => (inPath.length > 0 ? `{segment(${snake(name)})}` : '-'))
  return `${inPath.length > 0 ? 'f' : ''}"${written}"`
}

function signatureOf({ positional, query, body, isKeyed, isStream }: Shape): string[] {
  const rest = isStream ? [] : query.filter(each => !positional.includes(each))
  const members = body !== undefined && 'members' in body ? body.members.filter(each => !(isKeyed && each.name === 'idempotency_key')) : []
  return [
    ...positional.map(({ name, type }) => `${name}: ${type}`),
    ...(body?.kind === 'form' ? ['file: FileLike'] : []),
    ...(body?.kind === 'raw' ? ['content: bytes'] : []),
    ...(body?.kind === 'whole' ? [`body: ${body.type}`] : []),
    ...keywordOnly([...rest, ...members], isKeyed, isStream ? streamArguments(query) : []),
  ]
}

/** Whether a stream can go on after an event. */
function hasCursor(query: Argument[]): boolean {
  return query.some(({ name }) => name === 'after')
}

function streamArguments(query: Argument[]): string[] {
  return [...(hasCursor(query) ? ['after: Union[int, str, None] = None'] : []), 'stop: Optional[threading.Event] = None']
}

function answerOf(operation: Operation): string {
  const { type, mediaType } = returnedBy(operation)
  if (mediaType === 'text/event-stream') return `Iterator[${type}]`
  return isList(operation) ? `Listing[${itemOf(operation)}]` : type
}

interface Asked {
  target: string
  method: string
  mediaType: string
  shape: Shape
}

function expressionOf(operation: Operation, { target, method, mediaType, shape }: Asked): string {
  const { query, body, isKeyed, isStream } = shape
  if (isStream && !hasCursor(query)) return `self._stream_live(${target}, stop)`
  if (isStream) return `self._stream(${target}, after, stop, ${target.replace(/\/events"$/, '/summary"')})`
  if (isList(operation)) return `self._list(${target}, ${dictionary(query)})`
  if (operation.operationId === 'getHealth') return `self._health(${target})`
  const headers = isKeyed ? 'keyed(idempotency_key)' : '{}'
  if (body?.kind === 'form') return `self._upload(${target}, file, ${saidBy(body.members, isKeyed)}, ${headers})`
  const parts = [`"${method}"`, target, dictionary(query)]
  if (body !== undefined || isKeyed) parts.push(headers)
  if (body?.kind === 'raw') parts.push('content', JSON.stringify(body.contentType))
  if (body?.kind === 'whole') parts.push('body')
  if (body?.kind === 'json') parts.push(saidBy(body.members, isKeyed))
  const isJson = mediaType === 'application/json' || mediaType === ''
  if (isJson && body?.kind !== 'raw') return `self._json(${parts.join(', ')})`
  const bytes = `self._bytes(${parts.join(', ')})`
  if (isJson) return `json.loads(${bytes})`
  return mediaType.startsWith('text/plain') ? `${bytes}.decode()` : bytes
}

/** The key goes by header alone. */
function saidBy(members: Argument[], isKeyed: boolean): string {
  const fields = members.filter(({ name }) => !(isKeyed && name === 'idempotency_key'))
  const mayBeNull = (each: Argument) => each.isNullable && !each.isRequired
  const nullable = fields.filter(mayBeNull)
  return `given(${dictionary(fields.filter(each => !mayBeNull(each)))}${nullable.length === 0 ? '' : `, ${dictionary(nullable)}`})`
}

function dictionary(values: Argument[]): string {
  return `{${values.map(({ name, sent }) => `"${sent}": ${name}`).join(', ')}}`
}

function keywordOnly(values: Argument[], isKeyed: boolean, more: string[]): string[] {
  const written = [
    ...values.filter(({ isRequired }) => isRequired).map(({ name, type }) => `${name}: ${type}`),
    ...values.filter(({ isRequired }) => !isRequired).map(optional),
    ...(isKeyed ? ['idempotency_key: Optional[str] = None'] : []),
    ...more,
  ]
  return written.length === 0 ? [] : ['*', ...written]
}

function optional({ name, type, isNullable }: Argument): string {
  return isNullable ? `${name}: ${type} = UNSET` : `${name}: Optional[${type}] = None`
}

function argumentsIn(operation: Operation, place: Parameter['in']): Argument[] {
  return operation.parameters
    .filter(each => each.in === place)
    .map(({ name, required, schema }) => ({
      name: snake(name),
      sent: name,
      type: typed(schema, `${pascal(operation.operationId)}${pascal(name)}`),
      isRequired: required,
      isNullable: false,
    }))
}

function bodyOf(operation: Operation): Body | undefined {
  const [contentType, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
  if (contentType === undefined || content === undefined) return undefined
  const isForm = contentType === 'multipart/form-data'
  if (!isForm && contentType !== 'application/json') return { kind: 'raw', contentType }
  const name = content.schema.$ref?.split('/').at(-1)
  const whole = name === undefined ? content.schema : (document.components.schemas[name] as Schema)
  const hint = pascal(operation.operationId)
  if (whole.properties === undefined) return { kind: 'whole', type: typed(content.schema, `${hint}Body`) }
  const members = Object.entries(whole.properties)
    .filter(([member]) => !(isForm && member === 'file'))
    .map(([member, each]) => {
      const type = typed(each, `${hint}${pascal(member)}`)
      const isRequired = whole.required?.includes(member) ?? false
      return { name: member, sent: member, type, isRequired, isNullable: type.startsWith('Optional[') }
    })
  return { kind: isForm ? 'form' : 'json', members }
}

function returnedBy(operation: Operation): { type: string; mediaType: string } {
  const [, answer] = Object.entries(operation.responses).find(([status]) => status.startsWith('2')) ?? []
  const [mediaType, content] = Object.entries(answer?.content ?? {})[0] ?? ['', undefined]
  if (content === undefined) return { type: 'None', mediaType }
  if (mediaType.startsWith('text/plain')) return { type: 'str', mediaType }
  if (mediaType !== 'application/json' && mediaType !== 'text/event-stream') return { type: 'bytes', mediaType }
  return { type: typed(content.schema, `${pascal(operation.operationId)}Answer`), mediaType }
}

function pageOf(operation: Operation): Schema | undefined {
  const name = operation.responses['200']?.content?.['application/json']?.schema.$ref?.split('/').at(-1)
  const page = name === undefined ? undefined : document.components.schemas[name]
  const isPaged = operation.parameters.some(each => each.name === 'cursor')
  return isPaged && Object.keys(page?.properties ?? {}).join() === 'items,next' ? page : undefined
}

function isList(operation: Operation): boolean {
  return pageOf(operation) !== undefined
}

function itemOf(operation: Operation): string {
  return typed(pageOf(operation)?.properties?.['items']?.items ?? {}, `${pascal(operation.operationId)}Item`)
}

/** Names of records are those of the module `types`. */
function typed(schema: Schema, hint: string): string {
  return qualified(types.typeOf(schema, hint))
}

function qualified(type: string): string {
  const own = new Set(['Any', 'Dict', 'List', 'Literal', 'Optional', 'Union', 'None'])
  return type.replaceAll(/"[^"]*"|\b[A-Z]\w*/g, word => (word.startsWith('"') || own.has(word) ? word : `types.${word}`))
}
