/**
 * `fetch` that waits as long as the signal of its caller lets it. Node's own gives up five minutes after the question, whatever
 * MODEL_TIMEOUT_MS says, because a server that does not stream sends nothing before the whole answer.
 */

export function fetchWithoutLimit(): typeof fetch {
  const dispatcher = dispatcherWithoutLimit()
  return (input, init) => fetch(input, { ...init, dispatcher } as RequestInit)
}

/** Node does not export its client; a second one can be made from the class of the one that `fetch` uses. */
function dispatcherWithoutLimit(): object | undefined {
  // Loads it.
  void Response
  const used = (globalThis as Record<symbol, unknown>)[Symbol.for('undici.globalDispatcher.1')] as object | undefined
  const Agent = used?.constructor as (new (limits: object) => object) | undefined
  return Agent && new Agent({ headersTimeout: 0, bodyTimeout: 0 })
}
