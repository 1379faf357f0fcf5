import { useState } from 'preact/hooks'
import { number, plural } from '../format.ts'
import { chartOf, type History, shortDay } from './usage-rows.ts'

/** Width per bar in SVG units; the SVG is stretched to the width of the page. */
const slot = 10
const height = 100

const DayTable = ({ rows }: Pick<History, 'rows'>) => (
  <table class="table">
    <caption class="visually-hidden">Requests by day</caption>
    <thead>
      <tr>
        <th scope="col">Day</th>
        <th scope="col" class="numeric">
          Requests
        </th>
        <th scope="col" class="numeric">
          Credits
        </th>
      </tr>
    </thead>
    <tbody>
      {rows.map(({ day, requests, credits }) => (
        <tr key={day}>
          <th scope="row">{day}</th>
          <td class="numeric">{number(requests)}</td>
          <td class="numeric">{number(credits)}</td>
        </tr>
      ))}
    </tbody>
  </table>
)

export const DayChart = ({ rows, total }: History) => {
  const [chosen, setChosen] = useState<number | undefined>(undefined)
  const { max, heights, labels } = chartOf(rows, height)
  const row = chosen === undefined ? undefined : rows[chosen]
  const textOf = ({ day = '', requests, credits }: History['rows'][number]) =>
    `${shortDay(day)}: ${plural(requests, 'request')}, ${plural(credits, 'credit')}`
  const onPointerMove = (event: PointerEvent & { readonly currentTarget: HTMLElement }) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    setChosen(Math.max(0, Math.min(rows.length - 1, Math.floor(((event.clientX - left) / width) * rows.length))))
  }
  return (
    <figure class="chart">
      <figcaption>
        <strong>{plural(total.requests, 'request')}</strong>
        <span class="muted"> in {plural(rows.length, 'day')}, UTC. </span>
        <span class="chart-value" aria-live="polite">
          {row ? textOf(row) : null}
        </span>
      </figcaption>
      <div class="chart-plot" onPointerMove={onPointerMove} onPointerLeave={() => setChosen(undefined)}>
        {[max, max / 2, 0].map((value) => (
          <span key={value} class="chart-line muted" style={{ bottom: `${(value / max) * 100}%` }} aria-hidden="true">
            {number(value)}
          </span>
        ))}
        <svg viewBox={`0 0 ${rows.length * slot} ${height}`} preserveAspectRatio="none" aria-hidden="true">
          {heights.map((tall, index) => (
            <rect
              key={rows[index]?.day}
              class={index === chosen ? 'chosen' : undefined}
              x={index * slot + 1}
              y={height - tall}
              width={slot - 2}
              height={tall}
            />
          ))}
        </svg>
        <input
          type="range"
          min={0}
          max={rows.length - 1}
          value={chosen ?? rows.length - 1}
          aria-label="Day"
          aria-valuetext={textOf(row ?? rows.at(-1) ?? { requests: 0, credits: 0 })}
          onInput={(event) => setChosen(Number(event.currentTarget.value))}
          onFocus={() => setChosen(chosen ?? rows.length - 1)}
          onBlur={() => setChosen(undefined)}
        />
      </div>
      <div class="chart-axis muted" aria-hidden="true">
        {labels.map((label) => (
          <span key={label}>{label}</span>
        ))}
      </div>
      <details>
        <summary>Show as a table</summary>
        <DayTable rows={rows} />
      </details>
    </figure>
  )
}
