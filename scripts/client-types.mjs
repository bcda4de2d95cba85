/**
 * Makes the client's types (`src/client/api-types.ts`) from openapi.json. They are not kept: whatever needs them asks for
 * them here first, and they are made where they are missing or of another document. Records may gain members in later
 * versions, but the types name today's alone, so that a mistyped member does not compile.
 */

import { createHash } from 'node:crypto'
import { existsSync, readFileSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'

const document = fileURLToPath(new URL('../openapi.json', import.meta.url))
const target = fileURLToPath(new URL('../src/client/api-types.ts', import.meta.url))

/** @returns {Promise<boolean>} whether they had to be made */
export async function ensureClientTypes({ openapi = document, types = target } = {}) {
  const text = readFileSync(openapi, 'utf8')
  const heading = `/** The API as types, made from openapi.json ${createHash('sha256').update(text).digest('hex').slice(0, 16)}. Not edited, not kept. */\n`
  if (existsSync(types) && readFileSync(types, 'utf8').startsWith(heading)) return false
  const { default: openapiTypescript, astToString } = await import('openapi-typescript')
  const described = JSON.parse(text, withoutOpenEnds)
  const made = astToString(await openapiTypescript(JSON.stringify(described), { alphabetize: true, defaultNonNullable: false }))
  const temporary = `${types}.${process.pid}.tmp`
  writeFileSync(temporary, `${heading}\n${made}`)
  // As old as what they say: nothing that was made since is out of date because of them.
  const since = Math.floor(statSync(openapi).mtimeMs) / 1000
  utimesSync(temporary, since, since)
  renameSync(temporary, types)
  return true
}

function withoutOpenEnds(_key, value) {
  if (typeof value !== 'object' || value === null || !('properties' in value) || !('additionalProperties' in value)) return value
  const { additionalProperties, ...rest } = value
  const named = Object.keys(value.properties).length > 0
  return additionalProperties === true && named ? rest : value
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) await ensureClientTypes()
