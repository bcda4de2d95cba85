/** What is wrong with the service now: what, since when, for how many tenants, and what to do next. */

import { useEffect } from 'preact/hooks'
import { countOf } from '../src/contract/field-words.js'
import { Failure, Loading } from './parts'
import { client } from './session'
import { isBeingRead, listRestMs, useLoaded } from './use-loaded'
import { Moment } from './when'

/** Of what sends no event: a node that is gone, a disk that fills. */
const lookEveryMs = 30_000

export function Troubles() {
  const list = useLoaded(() => client.value.internals.troubles(), [client.value], /./, listRestMs)
  useEffect(() => {
    const timer = window.setInterval(() => document.hidden || void list.reload(), lookEveryMs)
    return () => window.clearInterval(timer)
  }, [client.value])
  return (
    <section aria-labelledby="troubles">
      <h2 id="troubles">What is wrong</h2>
      <Failure text={list.failure} />
      {isBeingRead(list) && <Loading what="what is wrong" />}
      {list.data?.items.length === 0 && <p>Nothing.</p>}
      <ul class="rows">
        {list.data?.items.map(({ kind, what, since, tenants, tenant_ids: ids, next }) => (
          <li key={`${kind} ${since}`} class="row trouble-row">
            <strong>{what}</strong>
            <span class="muted small">
              since <Moment time={since} />
            </span>
            <span class="muted small">
              {countOf(tenants, 'tenant')}
              {ids.length > 0 && `: ${ids.join(', ')}${tenants > ids.length ? ', …' : ''}`}
            </span>
            <span class="wide">
              <Commands text={next} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Text whose commands stand in backticks. */
function Commands({ text }: { text: string }) {
  return <>{text.split('`').map((part, index) => (index % 2 === 0 ? part : <code key={index}>{part}</code>))}</>
}
