import type { DeadLetter } from '@cairn/client'
import { useMutation, useQuery } from '@tanstack/preact-query'
import { age, dateTime, duration, number } from '../format.ts'
import { Badge, Button, Code, Problem, QueryStatus, Section, staleReason, Table } from '../parts.tsx'
import { useInvalidate } from '../queries.ts'
import { getQueues } from '../queues.ts'
import { useReadiness } from '../server-state.tsx'
import { useAdmin } from '../session.ts'
import { AdminGate } from './admin-gate.tsx'

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

const DeadLetterRow = ({ letter }: { readonly letter: DeadLetter }) => {
  const admin = useAdmin()
  const invalidate = useInvalidate()
  const replay = useMutation({
    mutationFn: () => admin.deadLetters.replay(letter.dead_letter_id),
    onSuccess: () => invalidate(['dead-letters']),
  })
  return (
    <li class="dead-letter">
      <div class="file-line">
        <strong class="breakable">{letter.reason}</strong>
        <span class="mono muted">{letter.topic}</span>
        <span class="muted" title={dateTime(letter.created_at)}>
          {age(letter.created_at)}
        </span>
        {letter.replayed_at ? <Badge tone="good">replayed</Badge> : null}
        <Button
          label="Replay"
          small
          of={letter.dead_letter_id}
          disabled={replay.isPending}
          onClick={() => replay.mutate()}
        />
      </div>
      <Code text={letter.message} label="Message" />
      {replay.error ? <Problem error={replay.error} /> : null}
    </li>
  )
}

const DeadLetters = () => {
  const admin = useAdmin()
  const letters = useQuery({
    queryKey: ['dead-letters'],
    queryFn: () => admin.deadLetters.list({ limit: 50 }),
    refetchInterval: 5_000,
  })
  if (!letters.data) return <QueryStatus query={letters} rows={2} />
  return (
    <>
      <QueryStatus query={letters} />
      {letters.data.dead_letters.length === 0 ? (
        <p class="muted">No messages were dead-lettered.</p>
      ) : (
        <ul class="files">
          {letters.data.dead_letters.map((letter) => (
            <DeadLetterRow key={letter.dead_letter_id} letter={letter} />
          ))}
          {letters.data.next === null ? null : <li class="muted">The 50 oldest are shown.</li>}
        </ul>
      )}
    </>
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
    <Section heading="Dead letters">
      <AdminGate why="Enter the admin key to list and replay messages that could not be handled.">
        <DeadLetters />
      </AdminGate>
    </Section>
  </>
)
