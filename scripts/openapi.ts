/** Writes openapi.json from the contract, or with --check fails when the committed one differs. */

import { readFileSync, writeFileSync } from 'node:fs'
import { openApiDocument } from '../src/contract/openapi.js'

const path = new URL('../openapi.json', import.meta.url)
const wanted = `${JSON.stringify(openApiDocument(), null, 2)}\n`
if (process.argv.includes('--check')) {
  if (readFileSync(path, 'utf8') !== wanted) {
    console.error('openapi.json differs from the contract: run `npm run openapi` and commit the result')
    process.exit(1)
  }
} else {
  writeFileSync(path, wanted)
}
