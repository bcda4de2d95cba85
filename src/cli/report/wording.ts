/** Names and times as people read them. */

export function words(name: string): string {
  return name.replaceAll('_', ' ').replace(/\binverse\b/, '(inverse)')
}

/** UTC, to the minute. */
export function moment(time: string | null): string {
  return time === null ? '–' : `${time.slice(0, 10)} ${time.slice(11, 16)} UTC`
}
