import { describe, expect, it } from 'vitest'
import type { Client } from './client.js'
import { ProblemError } from './problem-error.js'
import { wholeBundle } from './whole-bundle.js'

interface Answer {
  etag: string
  /** What comes through; then the line breaks, unless it is all there is. */
  text: string
  breaks?: boolean
}

/** A service that gives the rest of what it gave before where the case is the same. */
function serving(...answers: (Answer | Error)[]) {
  const asked: string[] = []
  const bundle = async (_scopeId: string, { from = 0, etag = null }: { from?: number; etag?: string | null } = {}) => {
    asked.push(`${from} ${etag}`)
    const answer = answers.shift()
    if (answer === undefined || answer instanceof Error) throw answer ?? new Error('asked too often')
    const stream = new ReadableStream({
      start(out) {
        for (const sign of answer.text) out.enqueue(new TextEncoder().encode(sign))
        if (!answer.breaks) out.close()
      },
      pull(out) {
        if (answer.breaks) out.error(new Error('the line broke'))
      },
    })
    return { stream, etag: answer.etag, isRest: from > 0 && etag === answer.etag }
  }
  return { asked, client: { bundle } as unknown as Client }
}

async function textOf(client: Client): Promise<string> {
  let text = ''
  for await (const { at, bytes } of wholeBundle(client, 'case')) {
    if (at === 0) text = ''
    expect(at).toBe(text.length)
    text += new TextDecoder().decode(bytes)
  }
  return text
}

describe('a bundle to its end', () => {
  it('goes on where the line broke', async () => {
    const { asked, client } = serving({ etag: 'x', text: 'abc', breaks: true }, new Error('no line'), { etag: 'x', text: 'de' })
    expect([await textOf(client), asked]).toEqual(['abcde', ['0 null', '3 x', '3 x']])
  })

  it('begins anew when the case changed meanwhile', async () => {
    const { asked, client } = serving({ etag: 'x', text: 'abc', breaks: true }, { etag: 'y', text: 'ABCDE' })
    expect([await textOf(client), asked]).toEqual(['ABCDE', ['0 null', '3 x']])
  })

  it('is given up after five breaks without a byte, and at once where the service refuses', async () => {
    const dead = serving(...Array.from({ length: 9 }, () => new Error('no line')))
    await expect(textOf(dead.client)).rejects.toThrow('no line')
    expect(dead.asked).toHaveLength(5)
    const refused = new ProblemError({ type: 'about:blank', title: 'Gone', status: 404, code: 'SCOPE_NOT_FOUND' } as never)
    const gone = serving({ etag: 'x', text: 'abc', breaks: true }, refused)
    await expect(textOf(gone.client)).rejects.toBe(refused)
  })
})
