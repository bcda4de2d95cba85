/**
 * Writes the client's types from openapi.json, or with --check fails when the committed ones differ. Records may gain
 * members in later versions, but the types name today's alone, so that a mistyped member does not compile.
 */

import { readFileSync, writeFileSync } from 'node:fs'
import openapiTypescript, { astToString } from 'openapi-typescript'

const documentUrl = new URL('../openapi.json', import.meta.url)
const typesUrl = new URL('../src/client/api-types.ts', import.meta.url)

const document = JSON.parse(readFileSync(documentUrl, 'utf8'), withoutOpenEnds) as object
const types = astToString(await openapiTypescript(JSON.stringify(document), { alphabetize: true, defaultNonNullable: false }))
const wanted = `/** The API as types, made from openapi.json by \`npm run client-types\`. Not edited by hand. */\n\n${types}`

if (process.argv.includes('--check')) {
  if (readFileSync(typesUrl, 'utf8') !== wanted) {
    console.error('src/client/api-types.ts differs from openapi.json: run `npm run client-types` and commit the result')
    process.exit(1)
  }
} else {
  writeFileSync(typesUrl, wanted)
}

function withoutOpenEnds(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('properties' in value) || !('additionalProperties' in value)) return value
  const { additionalProperties, ...rest } = value
  const named = Object.keys(value.properties as object).length > 0
  return additionalProperties === true && named ? rest : value
}
