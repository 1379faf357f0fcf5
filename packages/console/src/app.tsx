import { QueryClientProvider } from '@tanstack/preact-query'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { createAdminApi, createApi } from './api.ts'
import { Health } from './pages/health.tsx'
import { Keys } from './pages/keys.tsx'
import { NamespacePage } from './pages/namespace.tsx'
import { Namespaces } from './pages/namespaces.tsx'
import { Search } from './pages/search.tsx'
import { SignIn } from './pages/sign-in.tsx'
import { Skeleton, Stones } from './parts.tsx'
import { createQueries } from './queries.ts'
import { routeTo, useRoute } from './router.ts'
import { forgetKey, keepKey, keptKey, type Session, SessionContext, signInByCode } from './session.ts'

const links = [
  ['namespaces', 'Namespaces'],
  ['search', 'Search and ask'],
  ['keys', 'Keys and usage'],
  ['health', 'Health'],
] as const

const Page = ({ route }: { readonly route: readonly string[] }) => {
  const [page = 'namespaces', name, ...rest] = route
  if (page === 'search') return <Search />
  if (page === 'keys') return <Keys />
  if (page === 'health') return <Health />
  if (page === 'namespaces' && name !== undefined) return <NamespacePage key={name} name={name} route={rest} />
  return <Namespaces />
}

const Shell = ({ session }: { readonly session: Session }) => {
  const route = useRoute()
  const [current = 'namespaces', name] = route
  const open = current === 'namespaces' ? name : undefined
  const label = name ?? links.find(([page]) => page === current)?.[1] ?? 'Namespaces'
  useEffect(() => {
    document.title = `${label} · Cairn`
  }, [label])
  return (
    <div class="shell">
      <button type="button" class="skip" onClick={() => document.getElementById('main')?.focus()}>
        Skip to content
      </button>
      <header class="sidebar">
        <a class="brand" href={routeTo('namespaces')} aria-label="Cairn">
          <Stones />
          <span>Cairn</span>
        </a>
        <nav aria-label="Pages">
          {links.map(([page, text]) => (
            <a
              key={page}
              href={page === 'search' && open !== undefined ? routeTo(page, open) : routeTo(page)}
              aria-current={page === current ? 'page' : undefined}
            >
              {text}
            </a>
          ))}
        </nav>
        <footer class="sidebar-foot">
          <a href="/docs">API docs</a>
          <button type="button" class="link" onClick={session.signOut}>
            Sign out
          </button>
          <span class="muted">{__VERSION__}</span>
        </footer>
      </header>
      <main id="main" tabIndex={-1}>
        <Page route={route} />
      </main>
    </div>
  )
}

type Entry =
  | { readonly state: 'checking' }
  | { readonly state: 'out'; readonly problem?: string }
  | { readonly state: 'in'; readonly apiKey: string }

/** Signs in with the code from the URL. If that fails, a key that was stored in this tab earlier is kept. */
const readEntry = async (): Promise<Entry> => {
  const problem = await signInByCode().catch((error: unknown) =>
    error instanceof Error ? error.message : String(error),
  )
  const apiKey = keptKey()
  return apiKey ? { state: 'in', apiKey } : { state: 'out', problem }
}

export const App = () => {
  const [entry, setEntry] = useState<Entry>({ state: 'checking' })
  const [adminKey, setAdminKey] = useState<string | undefined>(undefined)
  const [queries, setQueries] = useState(createQueries)
  useEffect(() => void readEntry().then(setEntry), [])

  const apiKey = entry.state === 'in' ? entry.apiKey : undefined
  const session = useMemo<Session | undefined>(() => {
    if (apiKey === undefined) return undefined
    const signOut = () => {
      forgetKey()
      setAdminKey(undefined)
      // Clears the cache, so that no data of one account is shown to the next.
      setQueries(createQueries())
      setEntry({ state: 'out' })
    }
    const admin = adminKey === undefined ? undefined : createAdminApi(adminKey)
    return { apiKey, api: createApi(apiKey), admin, setAdminKey, signOut }
  }, [apiKey, adminKey])

  if (entry.state === 'checking') return <Skeleton rows={3} />
  const signIn = (key: string) => {
    keepKey(key)
    setEntry({ state: 'in', apiKey: key })
  }
  if (session === undefined)
    return <SignIn problem={entry.state === 'out' ? entry.problem : undefined} onKey={signIn} />
  return (
    <QueryClientProvider client={queries}>
      <SessionContext.Provider value={session}>
        <Shell session={session} />
      </SessionContext.Provider>
    </QueryClientProvider>
  )
}
