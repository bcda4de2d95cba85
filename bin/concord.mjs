#!/usr/bin/env node
/**
 * The command. In a working copy it first translates what is newer in `src/` than in `dist/`; an installed package has
 * no `src/` and runs as it is. The declarations of the client are made while the service starts. The program runs in
 * this process, so that signals reach it.
 */

import { existsSync } from 'node:fs'

// Before anything is translated: whoever started this may be gone by then.
const parent = process.ppid

if (existsSync(new URL('../src/main.ts', import.meta.url))) {
  const { refresh } = await import('../scripts/build.mjs')
  await refresh()
  if (process.argv.includes('serve')) {
    const { declareClientMeanwhile } = await import('../scripts/client-declarations.mjs')
    declareClientMeanwhile()
  }
}
const { main } = await import('../dist/main.js')
process.exitCode = await main({ parent })
