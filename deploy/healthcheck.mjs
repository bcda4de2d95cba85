/** Asks the process beside it whether it can work: by the port of metrics, which every role has, else by the public port. */

const { METRICS_PORT, PORT = '3003' } = process.env
const url = METRICS_PORT ? `http://127.0.0.1:${METRICS_PORT}/health` : `http://127.0.0.1:${PORT}/api/health`
const { ok } = await fetch(url, { signal: AbortSignal.timeout(4000) }).catch(() => ({ ok: false }))
process.exitCode = ok ? 0 : 1
