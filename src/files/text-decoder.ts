/**
 * Decodes bytes as browsers do. Node.js takes Windows-1252 for Latin-1 when it is given all bytes at once, so that €, dashes and
 * curly quotes become control characters; in parts it decodes them rightly (nodejs/node#56542, from 20.18.3 on).
 */

export class WholeTextDecoder extends TextDecoder {
  override decode(input?: Parameters<TextDecoder['decode']>[0], options?: Parameters<TextDecoder['decode']>[1]): string {
    if (options?.stream === true) return super.decode(input, options)
    return super.decode(input, { stream: true }) + super.decode()
  }
}
