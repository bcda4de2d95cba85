/**
 * A request as a well-behaved client makes it: refused because the service is overloaded, it comes back when it is told to. A
 * machine that stands still for seconds makes the service shed load, whatever is tested.
 */

import { setTimeout as wait } from 'node:timers/promises'

const mostTries = 10

export async function patientFetch(url: string, init?: RequestInit): Promise<Response> {
  for (let tries = 1; ; tries++) {
    const response = await fetch(url, init)
    if (response.status !== 503 || tries === mostTries) return response
    const { code } = (await response.clone().json()) as { code?: string }
    if (code !== 'OVERLOADED') return response
    await wait(Number(response.headers.get('retry-after')) * 1000)
  }
}
