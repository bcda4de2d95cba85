/** A time as the reader's own locale writes it, with the exact one to be seen on hover. */

import { exactMoment, moment } from './wording'

export function Moment({ time, class: className = '' }: { time: string | null | undefined; class?: string }) {
  if (time === null || time === undefined) return <span class={className}>–</span>
  return (
    <time class={className} dateTime={time} title={exactMoment(time)}>
      {moment(time)}
    </time>
  )
}
