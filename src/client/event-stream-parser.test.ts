import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { EventStreamParser, type Frame } from './event-stream-parser.js'
import { followEvents } from './follow-events.js'
import { ConnectionError } from './problem-error.js'

const parse = (...chunks: string[]): Frame[] => {
  const parser = new EventStreamParser()
  return chunks.flatMap(chunk => parser.push(chunk))
}

describe('the parser of event streams', () => {
  it('reads id, event, data and retry of a frame', () => {
    expect(parse('id: 7\nevent: document.queued\nretry: 1000\ndata: {"a":1}\n\n')).toEqual([
      { id: '7', event: 'document.queued', data: '{"a":1}', retryMs: 1000 },
    ])
  })

  it('joins lines of data and leaves comments and unknown fields out', () => {
    expect(parse(': open\n\n: keep-alive\nfoo: bar\ndata: one\ndata:two\ndata\n\n')).toEqual([
      { id: undefined, event: 'message', data: 'one\ntwo\n', retryMs: undefined },
    ])
  })

  it('gives a frame that moves the cursor or sets the pause without data', () => {
    expect(parse('id: 4\n\nretry: 20\n\n')).toEqual([
      { id: '4', event: 'message', data: undefined, retryMs: undefined },
      { id: undefined, event: 'message', data: undefined, retryMs: 20 },
    ])
  })

  it('gives nothing for a frame that is not complete, and refuses ids with NUL and retries that are no number', () => {
    expect(parse('id: 1\ndata: lost\n')).toEqual([])
    expect(parse('id: a\0b\nretry: soon\ndata: x\n\n')).toEqual([{ id: undefined, event: 'message', data: 'x', retryMs: undefined }])
  })

  it('reads the same frames whatever the line ends and the division into chunks', () => {
    const lines = ['id: 0', 'data: {"a":"ä€😀"}', '', ': c', 'id: 1', 'event: x', 'data: 1', 'data: 2', '', '']
    const expected = parse(lines.join('\n'))
    expect(expected).toHaveLength(2)
    fc.assert(
      fc.property(fc.constantFrom('\n', '\r', '\r\n'), fc.array(fc.nat(80), { maxLength: 12 }), (lineEnd, cuts) => {
        const text = lines.join(lineEnd)
        const places = [0, ...cuts.map(cut => cut % text.length).sort((a, b) => a - b), text.length]
        const chunks = places.slice(1).map((to, index) => text.slice(places[index], to))
        expect(parse(...chunks)).toEqual(expected)
      }),
    )
  })
})

describe('following a stream', () => {
  it('is given up when no connection can be made for so long, and not because nothing happened on one', async () => {
    vi.useFakeTimers()
    try {
      let opened = 0
      const open = async () => {
        if (++opened > 2) throw new ConnectionError('here', new Error('refused'))
        return new ReadableStream<Uint8Array>({
          async start(controller) {
            for (let minute = 0; minute < 5; minute++) {
              controller.enqueue(new TextEncoder().encode(': keep-alive\n\n'))
              await new Promise(resolve => setTimeout(resolve, 40_000))
            }
            controller.error(new Error('reset'))
          },
        })
      }
      const lost: unknown[] = []
      const following = followEvents(open, { giveUpAfterMs: 60_000, onReconnect: ({ failure }) => lost.push(failure) }).next()
      const ended = expect(following).rejects.toThrow('refused')
      await vi.advanceTimersByTimeAsync(600_000)
      await ended
      expect(lost.length).toBeGreaterThan(5)
    } finally {
      vi.useRealTimers()
    }
  })
})
