/** How the figures of a case went, step by step: for operators, who set targets and weights. */

import { ConvergenceChart } from './convergence-chart'
import { Failure, Loading } from './parts'
import { client } from './session'
import { isBeingRead, useLoaded } from './use-loaded'

export function Convergence({ scopeId }: { scopeId: string }) {
  const convergence = useLoaded(() => client.value.convergence(scopeId, { limit: 200 }), [scopeId, client.value], /^(convergence|scope)\./)
  return (
    <div class="page">
      <h2>Convergence</h2>
      <Failure text={convergence.failure} />
      {isBeingRead(convergence) && <Loading what="the convergence" />}
      {convergence.data && <ConvergenceChart convergence={convergence.data} />}
    </div>
  )
}
