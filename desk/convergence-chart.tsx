/** The goal score after each round as a line, with the same figures as a table for those who do not see it. */

import { useState } from 'preact/hooks'
import { stepWords, words } from '../src/contract/field-words.js'
import type { Schema } from '../src/contract/types.js'
import { Moment } from './when'

type Convergence = Schema['OwnConvergence']
const size = { width: 720, height: 220, left: 40, right: 16, top: 12, bottom: 34 }

export function ConvergenceChart({ convergence }: { convergence: Convergence }) {
  // Two hundred rows take longer to draw than everything else here.
  const [isTable, setTable] = useState(false)
  const points = [...convergence.history.items]
    .reverse()
    .map(point => ({ ...point, score: meanScore(point.scores, convergence.convergence) }))
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined) return <p>No step yet.</p>
  const x = (round: number) =>
    size.left +
    (last.round === first.round ? 1 : (round - first.round) / (last.round - first.round)) * (size.width - size.left - size.right)
  const y = (score: number) => size.top + (1 - Math.max(0, Math.min(1, score))) * (size.height - size.top - size.bottom)
  const line = points.map((point, index) => `${index === 0 ? 'M' : 'L'}${x(point.round).toFixed(1)} ${y(point.score).toFixed(1)}`).join('')
  return (
    <>
      <figure>
        <svg
          viewBox={`0 0 ${size.width} ${size.height}`}
          role="img"
          aria-label={`Goal score from ${first.score.toFixed(2)} in step ${first.round} to ${last.score.toFixed(2)} in step ${last.round}; 1 is the goal`}
        >
          {[0, 0.5, 1].map(level => (
            <g key={level}>
              <line class="grid" x1={size.left} x2={size.width - size.right} y1={y(level)} y2={y(level)} />
              <text class="axis" x={size.left - 8} y={y(level) + 4} text-anchor="end">
                {level}
              </text>
            </g>
          ))}
          <path class="line" d={line} />
          {points.length <= 60 &&
            points.map(point => <circle key={point.round} class="dot" cx={x(point.round)} cy={y(point.score)} r="3.5" />)}
          <text class="axis" x={size.left} y={size.height - 10}>
            step {first.round}
          </text>
          <text class="axis" x={size.width - size.right} y={size.height - 10} text-anchor="end">
            step {last.round}
          </text>
        </svg>
        <figcaption class="muted small">Goal score after each step; 1 is the goal.</figcaption>
      </figure>
      <details onToggle={event => setTable(event.currentTarget.open)}>
        <summary>The same as a table</summary>
        {isTable && (
          <div class="scroll" role="region" aria-label="Convergence by step" tabIndex={0}>
            <table>
              <thead>
                <tr>
                  <th scope="col">step</th>
                  <th scope="col">time</th>
                  <th scope="col">by</th>
                  <th scope="col" class="number">
                    goal score
                  </th>
                  {Object.keys(last.scores).map(name => (
                    <th key={name} scope="col" class="number">
                      {words(name)}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {[...points].reverse().map(point => (
                  <tr key={point.round}>
                    <th scope="row">{point.round}</th>
                    <td>
                      <Moment time={point.recorded_at} />
                    </td>
                    <td>{stepWords(point.kind)}</td>
                    <td class="number">{point.score.toFixed(2)}</td>
                    {Object.entries(point.scores).map(([name, score]) => (
                      <td key={name} class="number">
                        {score.toFixed(2)}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </details>
    </>
  )
}

/** As the service weighs: 1 less the weighted distance from the targets. */
function meanScore(scores: Record<string, number>, { dimensions }: Convergence['convergence']): number {
  const all = Object.entries(dimensions)
  const weights = all.reduce((sum, [, { weight }]) => sum + weight, 0)
  return all.reduce((sum, [name, { weight, target }]) => sum + (weight / weights) * (1 - Math.max(0, target - (scores[name] ?? 1))), 0)
}
