/**
 * Reads the text of a server-sent event stream as the standard describes it, in any division into chunks. A frame with an
 * id or a retry alone is given too: it moves the cursor or sets the pause without being an event.
 */

export interface Frame {
  /** Of this frame, not of an earlier one. */
  id: string | undefined
  event: string
  /** Undefined when the frame has none and therefore is no event. */
  data: string | undefined
  retryMs: number | undefined
}

const emptyFrame: Frame = { id: undefined, event: 'message', data: undefined, retryMs: undefined }

export class EventStreamParser {
  private rest = ''
  private afterCarriageReturn = false
  private frame: Frame = { ...emptyFrame }

  push(chunk: string): Frame[] {
    const frames: Frame[] = []
    let text = chunk
    if (this.afterCarriageReturn && text.startsWith('\n')) text = text.slice(1)
    if (chunk !== '') this.afterCarriageReturn = chunk.endsWith('\r')
    const lines = (this.rest + text).split(/\r\n|\r|\n/)
    this.rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line !== '') this.take(line)
      else if (this.complete()) frames.push(this.frame)
      if (line === '') this.frame = { ...emptyFrame }
    }
    return frames
  }

  private complete(): boolean {
    const { id, data, retryMs } = this.frame
    return id !== undefined || data !== undefined || retryMs !== undefined
  }

  private take(line: string): void {
    const colon = line.indexOf(':')
    if (colon === 0) return
    const name = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + (line[colon + 1] === ' ' ? 2 : 1))
    if (name === 'data') this.frame.data = this.frame.data === undefined ? value : `${this.frame.data}\n${value}`
    else if (name === 'event') this.frame.event = value
    else if (name === 'id' && !value.includes('\0')) this.frame.id = value
    else if (name === 'retry' && /^\d+$/.test(value)) this.frame.retryMs = Number(value)
  }
}
