import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { DEFAULT_POLICIES } from '../../src/kernel/policies/default.js'
import { requestFor } from '../../src/kernel/policy-request.js'
import { documentProposal, scopeState } from './builders.js'

/** Asks until the code is optimized, then has it thrown away while the engine is asked: the engine calls JSON.stringify. */
const script = `
  const { ask } = await import(process.env.ASK)
  const { compilePolicySet } = await import(process.env.COMPILE)
  const { set } = compilePolicySet(process.env.POLICIES);
  const request = JSON.parse(process.env.REQUEST);
  const stringify = JSON.stringify;
  let isArmed = false;
  JSON.stringify = value => {
    if (isArmed) { isArmed = false; %DeoptimizeFunction(ask); }
    return stringify(value);
  };
  %PrepareFunctionForOptimization(ask);
  for (let n = 0; n < 2000; n++) ask(request, set);
  %OptimizeFunctionOnNextCall(ask);
  ask(request, set);
  isArmed = true;
  console.log(typeof ask(request, set).allowed, isArmed);
`

it('a decision survives that its code is thrown away while the engine is asked', () => {
  const compiledFile = (name: string) => new URL(`../../dist/kernel/${name}.js`, import.meta.url).href
  const env = {
    ASK: compiledFile('policy-ask'),
    COMPILE: compiledFile('policy-text'),
    POLICIES: DEFAULT_POLICIES,
    REQUEST: JSON.stringify(requestFor(documentProposal(), scopeState())),
  }
  const args = ['--allow-natives-syntax', '--input-type=module', '-e', script]
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { env, encoding: 'utf8' })
  expect([status, stdout.trim()], stderr).toEqual([0, 'boolean false'])
})
