/** The parts we use of packages that come without types. */

declare module 'cli-progress' {
  interface Options {
    stream?: NodeJS.WritableStream
    format?: string
    barCompleteChar?: string
    barIncompleteChar?: string
    hideCursor?: boolean
    clearOnComplete?: boolean
    stopOnComplete?: boolean
    etaBuffer?: number
  }
  class SingleBar {
    constructor(options: Options)
    start(total: number, value: number, payload: object): void
    update(value: number, payload: object): void
    setTotal(total: number): void
    stop(): void
  }
  const cliProgress: { SingleBar: typeof SingleBar }
  export = cliProgress
}

declare module 'asciichart' {
  interface Options {
    height?: number
    min?: number
    max?: number
    format?: (value: number) => string
  }
  export function plot(series: readonly number[], options?: Options): string
}
