import { useQuery } from '@tanstack/preact-query'
import { useApi } from './session.ts'

/** Reads it every second until the server is ready. */
export const useReadiness = (everyMs: number) => {
  const api = useApi()
  return useQuery({
    queryKey: ['readiness'],
    queryFn: () => api.readiness(),
    refetchInterval: ({ state }) => (state.data?.status === 'not_ready' ? 1_000 : everyMs),
  })
}

const idleMs = 30_000

export const ServerState = () => {
  const { data } = useReadiness(idleMs)
  const waiting = Object.entries(data?.dependencies ?? {}).filter(([, { ok }]) => !ok)
  if (waiting.length === 0) return null
  return (
    <section class="notice" aria-label="State of the server">
      <strong>The server is not ready yet.</strong>
      <ul>
        {waiting.map(([name, { detail, progress }]) => (
          <li key={name}>
            {name}
            {progress === undefined ? '' : ` ${Math.round(progress * 100)} %`}
            {detail ? `: ${detail}` : ''}
            {progress === undefined ? null : <progress value={progress} aria-label={`Start of ${name}`} />}
          </li>
        ))}
      </ul>
    </section>
  )
}
