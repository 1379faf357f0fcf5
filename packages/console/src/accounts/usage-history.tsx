import type { OwnUsage } from '@cairn/client'
import { useQuery } from '@tanstack/preact-query'
import { number, plural } from '../format.ts'
import { Problem, Section, Skeleton, Table } from '../parts.tsx'
import { barsOf, type History, rankingOf, shortDay } from './usage-rows.ts'

type Load = (by: OwnUsage['by']) => Promise<History>

const everyMs = 60_000
/** Width per bar, in units of the SVG, which is stretched to the width of the page. */
const slot = 10
const height = 100

/** Shows requests per day as bars, and as a table for screen readers. */
const DayChart = ({ rows, from, to, total }: History) => {
  const { most, heights } = barsOf(rows, height)
  return (
    <figure class="chart">
      <figcaption>
        <strong>{plural(total.requests, 'request')}</strong>
        <span class="muted">
          {' '}
          in {plural(rows.length, 'day')}, UTC.{most > 0 ? ` Busiest day: ${number(most)}.` : ''}
        </span>
      </figcaption>
      <svg viewBox={`0 0 ${rows.length * slot} ${height}`} preserveAspectRatio="none" aria-hidden="true">
        {rows.map(({ day = '', requests }, index) => {
          const tall = heights[index] ?? 0
          return (
            <rect key={day} x={index * slot + 1} y={height - tall} width={slot - 2} height={tall}>
              <title>{`${shortDay(day)}: ${plural(requests, 'request')}`}</title>
            </rect>
          )
        })}
      </svg>
      <div class="chart-axis muted" aria-hidden="true">
        <span>{shortDay(from)}</span>
        <span>{shortDay(to)}</span>
      </div>
      <div class="visually-hidden">
        <table>
          <caption>Requests by day</caption>
          <thead>
            <tr>
              <th scope="col">Day</th>
              <th scope="col">Requests</th>
              <th scope="col">Credits</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ day, requests, credits }) => (
              <tr key={day}>
                <th scope="row">{day}</th>
                <td>{requests}</td>
                <td>{credits}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  )
}

const Ranking = ({ title, history }: { readonly title: string; readonly history: History }) => {
  const { shown, others } = rankingOf(history)
  return (
    <Table columns={[title, 'Requests', 'Credits']} numeric={['Requests', 'Credits']}>
      {shown.map((row) => (
        <tr key={row.namespace_name ?? row.key_id}>
          <th scope="row" class="breakable">
            {row.namespace_name ?? row.key_name}
            {row.key_id ? <span class="mono muted key-id">{row.key_id}</span> : null}
          </th>
          <td class="numeric">{number(row.requests)}</td>
          <td class="numeric">{number(row.credits)}</td>
        </tr>
      ))}
      {others > 0 ? (
        <tr>
          <th scope="row">Others</th>
          <td class="numeric">{number(others)}</td>
          <td />
        </tr>
      ) : null}
    </Table>
  )
}

/** Shows the requests of an account in the last 30 days. */
export const UsageHistory = ({ account, load }: { readonly account: string; readonly load: Load }) => {
  const options = (by: OwnUsage['by']) => ({
    queryKey: ['usage', account, by],
    queryFn: () => load(by),
    refetchInterval: everyMs,
  })
  const days = useQuery(options('day'))
  const namespaces = useQuery(options('namespace'))
  const keys = useQuery(options('key'))
  const failed = [days, namespaces, keys].find(({ error }) => error)
  return (
    <Section class="history" heading="Requests in the last 30 days">
      {failed ? <Problem error={failed.error} retry={() => void failed.refetch()} /> : null}
      {days.isPending ? <Skeleton rows={4} /> : null}
      {days.data ? <DayChart {...days.data} /> : null}
      {namespaces.data ? <Ranking title="By namespace" history={namespaces.data} /> : null}
      {keys.data ? <Ranking title="By key" history={keys.data} /> : null}
    </Section>
  )
}
