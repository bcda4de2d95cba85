/** Convergence over rounds as an inline SVG line, with the same figures as a table for those who do not see it. */

import { words } from '../../contract/field-words.js'
import { type ConvergencePoint, resample } from '../convergence-history.js'
import { type Html, html } from './html.js'
import { moment } from './wording.js'

const size = { width: 760, height: 260, left: 44, right: 14, top: 14, bottom: 40 }
const mostPoints = 400

export function convergenceFigure(history: readonly ConvergencePoint[]): Html {
  if (history.length === 0) return html`<p>No step yet: nothing has been decided in this case.</p>`
  const points = resample(history, mostPoints)
  const first = points[0] as ConvergencePoint
  const last = points.at(-1) as ConvergencePoint
  return html`<figure>
<svg viewBox="0 0 ${size.width} ${size.height}" role="img" aria-labelledby="convergence-title convergence-description">
<title id="convergence-title">Goal score by step</title>
<desc id="convergence-description">The goal score goes from ${first.score.toFixed(3)} in step ${first.round} to ${last.score.toFixed(3)} in step ${last.round}; 1 is the goal.</desc>
${[0, 0.25, 0.5, 0.75, 1].map(level => gridLine(level))}
${pathOf(points)}
${points.length <= 60 && points.map(point => dot(point, points))}
<text class="axis" x="${size.left}" y="${size.height - 14}">step ${first.round}</text>
<text class="axis" x="${size.width - size.right}" y="${size.height - 14}" text-anchor="end">step ${last.round}</text>
</svg>
<figcaption>Goal score after each step, from ${moment(first.time)} to ${moment(last.time)}. 1 is the goal: every dimension at its target.</figcaption>
</figure>
<details><summary>The same as a table</summary>
<div class="scroll" role="region" aria-label="Convergence by step" tabindex="0"><table>
<caption>Convergence by step</caption>
<thead><tr><th scope="col">step</th><th scope="col">time</th><th scope="col" class="number">goal score</th><th scope="col" class="number">distance</th>${Object.keys(last.scores).map(name => html`<th scope="col" class="number">${words(name)}</th>`)}</tr></thead>
<tbody>${points.map(rowOf)}</tbody></table></div></details>`
}

function x(round: number, points: readonly ConvergencePoint[]): number {
  const [from, to] = [points[0]?.round ?? 0, points.at(-1)?.round ?? 0]
  const share = to === from ? 1 : (round - from) / (to - from)
  return Math.round((size.left + share * (size.width - size.left - size.right)) * 10) / 10
}

function y(score: number): number {
  const share = Math.max(0, Math.min(1, score))
  return Math.round((size.top + (1 - share) * (size.height - size.top - size.bottom)) * 10) / 10
}

function gridLine(level: number): Html {
  return html`<line class="grid" x1="${size.left}" x2="${size.width - size.right}" y1="${y(level)}" y2="${y(level)}"/><text class="axis" x="${size.left - 8}" y="${y(level) + 4}" text-anchor="end">${level}</text>`
}

function pathOf(points: readonly ConvergencePoint[]): Html {
  const commands = points.map((point, index) => `${index === 0 ? 'M' : 'L'}${x(point.round, points)} ${y(point.score)}`)
  return html`<path class="line" d="${commands.join(' ')}"/>`
}

function dot(point: ConvergencePoint, points: readonly ConvergencePoint[]): Html {
  return html`<circle class="dot" cx="${x(point.round, points)}" cy="${y(point.score)}" r="3.5"><title>step ${point.round}: ${point.score.toFixed(3)}</title></circle>`
}

function rowOf(point: ConvergencePoint): Html {
  return html`<tr><td>${point.round}</td><td>${moment(point.time)}</td><td class="number">${point.score.toFixed(3)}</td><td class="number">${point.value.toFixed(3)}</td>${Object.values(point.scores).map(score => html`<td class="number">${score.toFixed(2)}</td>`)}</tr>`
}
