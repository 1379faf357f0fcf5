import type { OwnUsage } from '@cairn/client'
import { useQuery } from '@tanstack/preact-query'
import { number } from '../format.ts'
import { QueryStatus, Section, Table } from '../parts.tsx'
import { DayChart } from './day-chart.tsx'
import { type History, rankingOf } from './usage-rows.ts'

type Load = (by: OwnUsage['by']) => Promise<History>

const everyMs = 60_000
const Ranking = ({ title, history }: { readonly title: string; readonly history: History }) => {
  const { shown, others } = rankingOf(history)
  if (shown.length === 0) return null
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
      <QueryStatus query={failed ?? days} rows={4} />
      {days.data ? <DayChart {...days.data} /> : null}
      {namespaces.data ? <Ranking title="By namespace" history={namespaces.data} /> : null}
      {keys.data ? <Ranking title="By key" history={keys.data} /> : null}
    </Section>
  )
}
