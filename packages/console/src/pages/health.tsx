import type { Admin, DeadLetter } from '@cairn/client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/preact-query'
import { getQueues } from '../api.ts'
import { age, dateTime, duration, number } from '../format.ts'
import { Badge, Code, Problem, Skeleton } from '../parts.tsx'
import { useApi } from '../session.ts'
import { AdminGate } from './admin-gate.tsx'

const Dependencies = () => {
  const api = useApi()
  const readiness = useQuery({ queryKey: ['readiness'], queryFn: () => api.readiness(), refetchInterval: 2_000 })
  return (
    <section aria-labelledby="dependencies-heading">
      <header class="section-head">
        <h2 id="dependencies-heading">Dependencies</h2>
        {readiness.data ? (
          <Badge tone={readiness.data.status === 'ready' ? 'good' : 'bad'}>
            {readiness.data.status === 'ready' ? 'ready' : 'not ready'}
          </Badge>
        ) : null}
      </header>
      {readiness.error ? <Problem error={readiness.error} retry={() => void readiness.refetch()} /> : null}
      {readiness.isPending ? <Skeleton rows={4} /> : null}
      {readiness.data ? (
        <ul class="checks">
          {Object.entries(readiness.data.dependencies).map(([name, { ok, detail }]) => (
            <li key={name}>
              <span class={ok ? 'dot good' : 'dot bad'} aria-hidden="true" />
              <strong>{name}</strong>
              <span class="muted">
                {ok ? 'works' : 'does not work'}
                {detail ? `: ${detail}` : ''}
              </span>
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  )
}

const Queues = () => {
  const queues = useQuery({ queryKey: ['queues'], queryFn: getQueues, refetchInterval: 2_000 })
  return (
    <section aria-labelledby="queues-heading">
      <header class="section-head">
        <h2 id="queues-heading">Queues</h2>
      </header>
      {queues.error ? <Problem error={queues.error} retry={() => void queues.refetch()} /> : null}
      {queues.isPending ? <Skeleton rows={3} /> : null}
      {queues.data ? (
        <table class="table">
          <thead>
            <tr>
              <th scope="col">Service</th>
              <th scope="col" class="numeric">
                Jobs waiting
              </th>
              <th scope="col" class="numeric">
                Oldest
              </th>
            </tr>
          </thead>
          <tbody>
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
          </tbody>
        </table>
      ) : null}
    </section>
  )
}

const DeadLetterRow = ({ admin, letter }: { readonly admin: Admin; readonly letter: DeadLetter }) => {
  const queries = useQueryClient()
  const replay = useMutation({
    mutationFn: () => admin.deadLetters.replay(letter.dead_letter_id),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['dead-letters'] }),
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
        <button type="button" class="button small" disabled={replay.isPending} onClick={() => replay.mutate()}>
          Replay<span class="visually-hidden"> {letter.dead_letter_id}</span>
        </button>
      </div>
      <Code text={letter.message} label="Message" />
      {replay.error ? <Problem error={replay.error} /> : null}
    </li>
  )
}

const DeadLetters = ({ admin }: { readonly admin: Admin }) => {
  const letters = useQuery({
    queryKey: ['dead-letters'],
    queryFn: () => admin.deadLetters.list({ limit: 50 }),
    refetchInterval: 5_000,
  })
  if (letters.error) return <Problem error={letters.error} retry={() => void letters.refetch()} />
  if (!letters.data) return <Skeleton rows={2} />
  if (letters.data.dead_letters.length === 0) return <p class="muted">No messages were dead-lettered.</p>
  return (
    <ul class="files">
      {letters.data.dead_letters.map((letter) => (
        <DeadLetterRow key={letter.dead_letter_id} admin={admin} letter={letter} />
      ))}
      {letters.data.next === null ? null : <li class="muted">The 50 oldest are shown.</li>}
    </ul>
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
    <section aria-labelledby="dead-letters-heading">
      <header class="section-head">
        <h2 id="dead-letters-heading">Dead letters</h2>
      </header>
      <AdminGate why="Messages that could not be handled are listed and replayed with the admin key.">
        {(admin) => <DeadLetters admin={admin} />}
      </AdminGate>
    </section>
  </>
)
