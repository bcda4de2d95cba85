/** Times as people read them. UTC, to the minute. */
export function moment(time: string | null): string {
  return time === null ? '–' : `${time.slice(0, 10)} ${time.slice(11, 16)} UTC`
}
