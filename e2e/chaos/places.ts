import { setTimeout as pause } from 'node:timers/promises'
import type { Looked } from './judge.ts'
import type { Place } from './load.ts'

/** The namespaces of each account; the smallest tier allows three. */
export const places: readonly Place[] = [
  { name: 'notes' },
  { name: 'letters', churn: 0.02 },
  { name: 'shapes', dimension: 16, churn: 0.01 },
]

const everyMs = 500

/** Creates the missing namespaces of every account. Throws if a namespace could not be created in time. */
export const makePlaces = async (
  { accounts, client }: Pick<Looked, 'accounts' | 'client'>,
  wanted: readonly Place[] = places,
  withinMs = 60_000,
): Promise<void> => {
  const until = performance.now() + withinMs
  const make = async (api: ReturnType<Looked['client']>, { name, dimension }: Place) => {
    for (;;) {
      const { entry } = await api.get(name, ['nothing'])
      if (entry.outcome === 'acknowledged') return
      // The name stays in use while an earlier namespace is being deleted.
      const made = await api.createNamespace(name, dimension)
      if (made.status === 201) return
      if (performance.now() > until)
        throw new Error(`${name} could not be made: ${made.status} ${JSON.stringify(made.body)}`)
      await pause(everyMs)
    }
  }
  await Promise.all(
    accounts.map(async (account, number) => {
      const api = client(account, 100 + number)
      for (const place of wanted) await make(api, place)
      api.close()
    }),
  )
}
