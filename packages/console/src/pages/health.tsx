import { useQuery } from '@tanstack/preact-query'
import { duration, number } from '../format.ts'
import { Badge, QueryStatus, Section, staleReason, Table } from '../parts.tsx'
import { getQueues } from '../queues.ts'
import { useReadiness } from '../server-state.tsx'

const Dependencies = () => {
  const readiness = useReadiness(2_000)
  const { status, dependencies } = readiness.data ?? {}
  const isReady = status === 'ready'
  const badge = staleReason(readiness) ? (
    <Badge>unknown</Badge>
  ) : (
    <Badge tone={isReady ? 'good' : 'bad'}>{isReady ? 'ready' : 'not ready'}</Badge>
  )
  return (
    <Section heading="Dependencies" beside={status ? badge : null}>
      <QueryStatus query={readiness} rows={4} />
      {dependencies ? (
        <ul class="checks">
          {Object.entries(dependencies).map(([name, { ok, detail, progress }]) => (
            <li key={name}>
              <span class={ok ? 'dot good' : 'dot bad'} aria-hidden="true" />
              <strong>{name}</strong>
              <span class="muted">
                {ok ? 'available' : 'unavailable'}
                {progress === undefined ? '' : `, ${Math.round(progress * 100)} %`}
                {detail ? `: ${detail}` : ''}
              </span>
            </li>
          ))}
        </ul>
      ) : null}
    </Section>
  )
}

const Queues = () => {
  const queues = useQuery({ queryKey: ['queues'], queryFn: getQueues, refetchInterval: 2_000 })
  return (
    <Section heading="Queues">
      <QueryStatus query={queues} rows={3} />
      {queues.data ? (
        <Table columns={['Service', 'Jobs waiting', 'Oldest']} numeric={['Jobs waiting', 'Oldest']}>
          {queues.data.map(({ service, jobs, oldestSeconds }) => (
            <tr key={service}>
              <th scope="row">{service}</th>
              <td data-label="Jobs waiting" class="numeric">
                {jobs >= 1_000 ? '1,000 or more' : number(jobs)}
              </td>
              <td data-label="Oldest" class="numeric muted">
                {jobs === 0 ? '–' : duration(oldestSeconds)}
              </td>
            </tr>
          ))}
        </Table>
      ) : null}
    </Section>
  )
}

export const Health = () => (
  <>
    <header class="page-head">
      <h1>Health</h1>
      <p class="muted">Console {__VERSION__}</p>
    </header>
    <Dependencies />
    <Queues />
  </>
)
