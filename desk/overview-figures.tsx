/** How the papers of a case stand to each other: by issuer on a line of time with arcs, and as a matrix of papers against papers. */

import { countOf } from '../src/contract/field-words.js'
import type { Schema } from '../src/contract/types.js'
import { documentNames } from './document-text'
import { arcBetween, lanesOf, placesOf, titleOfGroup } from './overview-places'
import { hrefTo } from './route'
import { day } from './wording'

type Papers = Schema['CaseOverview']['papers']
type Group = Papers['groups'][number]

const lane = 34
const left = 170
const width = 900

export function TimeLine({ papers: { groups, links }, scopeId }: { papers: Papers; scopeId: string }) {
  const lanes = lanesOf(groups)
  const places = placesOf(groups, lanes, { left, width, lane })
  const height = lanes.length * lane + 40
  const [first = '', last = ''] = [
    groups.map(each => each.from).sort()[0],
    groups
      .map(each => each.to)
      .sort()
      .at(-1),
  ]
  return (
    <section class="part figure" aria-label="Papers by issuer and time">
      <h3>Papers by issuer and time</h3>
      <div class="scroll" tabIndex={0} role="region" aria-label="Line of time">
        <svg class="time-line" viewBox={`0 0 ${left + width + 20} ${height}`} role="group" aria-label="Line of time">
          {lanes.map((issuer, index) => (
            <g key={issuer ?? ''}>
              <text class="axis" x={left - 14} y={index * lane + lane / 2 + 4} text-anchor="end">
                {shortened(issuer ?? 'others', 24)}
              </text>
              <line class="grid" x1={left} x2={left + width} y1={index * lane + lane / 2} y2={index * lane + lane / 2} />
            </g>
          ))}
          <text class="axis" x={left} y={height - 8}>
            {first === '' ? '' : day(first)}
          </text>
          <text class="axis" x={left + width} y={height - 8} text-anchor="end">
            {last === first ? '' : day(last)}
          </text>
          <g>
            {links.map(link => (
              <path
                key={`${link.kind} ${link.a} ${link.b}`}
                class={`arc ${link.kind} ${link.open > 0 ? 'open' : ''}`}
                stroke-width={Math.min(5, 1 + Math.log2(link.count))}
                d={arcBetween(places[link.a], places[link.b])}
              />
            ))}
          </g>
          {groups.map((group, index) => (
            <Paper key={index} group={group} at={places[index]} scopeId={scopeId} />
          ))}
        </svg>
      </div>
      <p class="small muted legend">
        <span class="key contradicts open" /> contradict each other, undecided <span class="key contradicts" /> decided{' '}
        <span class="key replaces" /> replaced
      </p>
    </section>
  )
}

function Paper({ group, at, scopeId }: { group: Group; at: { x: number; y: number } | undefined; scopeId: string }) {
  const [only] = group.papers
  const to =
    group.count === 1 && only !== undefined
      ? hrefTo('cases', scopeId, 'documents', only.document_id)
      : hrefTo('cases', scopeId, 'documents')
  const title = titleOfGroup(group, documentNames.value)
  return (
    <a href={to} aria-label={title}>
      <circle class="paper" cx={at?.x} cy={at?.y} r={Math.min(14, 6 + Math.log2(group.count) * 2)}>
        <title>{title}</title>
      </circle>
    </a>
  )
}

export function PaperMatrix({ papers: { groups, links } }: { papers: Papers }) {
  const used = [...new Set(links.flatMap(({ a, b }) => [a, b]))].sort((x, y) => x - y)
  if (used.length === 0) return null
  const placeOf = new Map(used.map((group, place) => [group, place]))
  const cell = used.length > 30 ? 12 : 20
  const size = used.length * cell
  const head = 260
  const nameOf = (place: number) => shortened(groups[place] === undefined ? '' : titleOfGroup(groups[place], documentNames.value), 30)
  return (
    <section class="part figure" aria-label="Papers against papers">
      <h3>Papers against papers</h3>
      <div class="scroll" tabIndex={0} role="region" aria-label="Matrix">
        <svg
          class="matrix"
          width={head + size + 10}
          height={size + 10}
          viewBox={`0 0 ${head + size + 10} ${size + 10}`}
          role="img"
          aria-label={`${countOf(links.length, 'pair')} of papers that contradict or replace each other`}
        >
          {used.map((group, place) => (
            <text key={group} class="axis" x={head - 8} y={place * cell + cell * 0.75} text-anchor="end">
              {nameOf(group)}
            </text>
          ))}
          <path class="grid" d={used.map((_, place) => `M${head} ${place * cell}h${size}M${head + place * cell} 0v${size}`).join('')} />
          {links.flatMap(link => {
            const [x = 0, y = 0] = [placeOf.get(link.a), placeOf.get(link.b)]
            const what = `${nameOf(link.a)} and ${nameOf(link.b)}: ${link.count} ${link.kind === 'replaces' ? 'replaced' : `contested, ${link.open} open`}`
            // Above the diagonal what contradicts, below it what replaces.
            const [column, row] = (link.kind === 'contradicts') === y >= x ? [y, x] : [x, y]
            return (
              <rect
                key={`${link.kind} ${link.a} ${link.b}`}
                class={`cell ${link.kind} ${link.open > 0 ? 'open' : ''}`}
                x={head + column * cell + 1}
                y={row * cell + 1}
                width={cell - 2}
                height={cell - 2}
              >
                <title>{what}</title>
              </rect>
            )
          })}
        </svg>
      </div>
    </section>
  )
}

function shortened(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text
}
