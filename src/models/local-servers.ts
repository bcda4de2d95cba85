/**
 * Models that already run on this machine, at the ports their servers have by default. A look: the list of models is asked for,
 * nothing is sent. What is at another port, or does not answer at once, is not found.
 */
import { withDeadline } from '../platform/deadline.js'

export interface LocalModel {
  server: string
  url: string
  name: string
}

const servers = [
  { server: 'Ollama', url: 'http://127.0.0.1:11434', list: '/api/tags', of: 'models', name: 'name' },
  { server: 'LM Studio', url: 'http://127.0.0.1:1234/v1', list: '/models', of: 'data', name: 'id' },
  { server: 'llama.cpp', url: 'http://127.0.0.1:8080/v1', list: '/models', of: 'data', name: 'id' },
  { server: 'vLLM', url: 'http://127.0.0.1:8000/v1', list: '/models', of: 'data', name: 'id' },
] as const

/** One for each server that has a model, the first it names. */
export async function findLocalModels(get: typeof fetch = fetch, ms = 500): Promise<LocalModel[]> {
  const found = await Promise.all(
    servers.map(async ({ server, url, list, of, name }): Promise<LocalModel[]> => {
      try {
        const work = async (signal: AbortSignal): Promise<unknown> => {
          const response = await get(`${url}${list}`, { signal, redirect: 'error' })
          return response.ok ? await response.json() : null
        }
        const body = (await withDeadline(work, { ms, what: server })) as Record<string, unknown> | null
        const models = body?.[of]
        const first: unknown = Array.isArray(models) ? (models[0] as Record<string, unknown> | undefined)?.[name] : undefined
        return typeof first === 'string' && /^[\w.:/@+-]{1,200}$/.test(first) ? [{ server, url, name: first }] : []
      } catch {
        // Nobody there, or somebody else.
        return []
      }
    }),
  )
  return found.flat()
}

/** The line that says how to use one. */
export function useLocalModel({ server, url, name }: LocalModel): string {
  return `${server} runs here. With it the service also finds what is worded differently: MODEL_URL=${url} MODEL_NAME=${name} npm start`
}
