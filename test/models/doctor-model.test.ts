/** What `concord doctor` says of the model that is set up, against servers that answer, refuse and are not there. */
import { afterEach, describe, expect, it } from 'vitest'
import { examineModel } from '../../src/cli/doctor-model.js'
import { loadConfig } from '../../src/platform/config.js'
import { type Behaviour, completion, type ModelServer, startModelServer, status } from './model-server.js'
import { says } from './scripted-model.js'

const found = [
  { a: 'forty lorries', b: 'closed all day' },
  { a: 'EUR 61,500', b: 'EUR 48,000', verdict: 'replaces' as const, newer: 'EUR 61,500' },
  { a: 'bis Ende des Jahres', b: '30. Juni' },
]
const answer = (pairs: typeof found | []) => says(...pairs)
const error = (code: number, body: object) => status(code, {}, JSON.stringify(body))

let server: ModelServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

async function examined(behaviours: readonly Behaviour[], env: Record<string, string> = {}) {
  server = await startModelServer(behaviours)
  return examineAt(server.url, env)
}

async function examineAt(url: string, env: Record<string, string> = {}) {
  const loaded = loadConfig({ MODEL_URL: url, MODEL_NAME: 'reader-1', MODEL_TIMEOUT_MS: '5000', ...env }, { readFile: () => undefined })
  if (!loaded.ok) throw new Error('the settings of the test are wrong')
  const [finding] = await examineModel(loaded.config)
  return finding
}

describe('the doctor on a model', () => {
  it('is content with one that finds a plain contradiction, and says what it took', async () => {
    const finding = await examined([answer(found)])
    expect(finding).toMatchObject({ check: 'model', status: 'ok' })
    expect(finding?.detail).toMatch(
      /^reader-1 answers by a strict schema in \d+\.\d s for both questions, 200 tokens asked, 40 answered; named 3 of 3 planted pairs and judged 3 right$/,
    )
  })

  it('says so where the server takes no strict schema, and where the model misses it', async () => {
    const refusal = {
      error: { message: "Invalid parameter: 'response_format' of type 'json_schema' is not supported", param: 'response_format' },
    }
    expect(await examined([error(400, refusal), answer(found)])).toMatchObject({
      status: 'ok',
      detail: expect.stringContaining('without a strict schema'),
    })
    expect(server?.requests.map(({ body }) => (body['response_format'] as { type: string }).type)).toEqual([
      'json_schema',
      'json_object',
      'json_object',
    ])
    await server?.close()
    expect(await examined([answer([])])).toMatchObject({ status: 'warning', next: 'try a larger model' })
  })

  it.each([
    ['a wrong key', error(401, { error: { message: 'Incorrect API key provided', code: 'invalid_api_key' } }), 'refused', /MODEL_API_KEY/],
    ['a model that is not there', error(404, { error: "model 'reader-1' not found" }), 'refused', /MODEL_NAME/],
    ['an account without credit', error(429, { error: { message: 'no', code: 'insufficient_quota' } }), 'quota', /credit/],
    ['an answer cut off', completion('{"links":[', 'length'), 'truncated', /MODEL_MAX_TOKENS/],
    ['an answer that is none', completion('I am sorry, I cannot help with that.'), 'invalid_answer', /larger/],
  ] as const)('says what to do about %s', async (_, behaviour, reason, next) => {
    expect(await examined([behaviour])).toMatchObject({
      status: 'fault',
      detail: `reader-1 gave no answer: ${reason}`,
      next: expect.stringMatching(next),
    })
  })

  it('says what to do about a server that is down', async () => {
    const gone = await startModelServer([])
    await gone.close()
    expect(await examineAt(gone.url)).toMatchObject({
      status: 'fault',
      detail: 'reader-1 gave no answer: network',
      next: expect.stringContaining('MODEL_URL'),
    })
  })
})
