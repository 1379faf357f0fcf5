import { QueryClientProvider } from '@tanstack/preact-query'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { VisitLine } from './accounts/visit.tsx'
import { createAdminApi, createApi } from './api.ts'
import { KeepDialog } from './keep-choice.tsx'
import { Health } from './pages/health.tsx'
import { Keys } from './pages/keys.tsx'
import { NamespacePage } from './pages/namespace.tsx'
import { Namespaces } from './pages/namespaces.tsx'
import { Search } from './pages/search.tsx'
import { SignIn } from './pages/sign-in.tsx'
import { pages } from './palette.tsx'
import { NoPage, Skeleton, Stones } from './parts.tsx'
import { createQueries } from './queries.ts'
import { routeTo, useRoute, withParams } from './router.ts'
import { ServerState } from './server-state.tsx'
import {
  forgetKey,
  type Keep,
  keepKey,
  keptKey,
  onSignOutElsewhere,
  type Session,
  SessionContext,
  signInByCode,
  useSession,
  type Visit,
} from './session.ts'
import { useShortcuts } from './shortcuts.tsx'

const Page = ({ route }: { readonly route: readonly string[] }) => {
  const [page = 'namespaces', name, ...rest] = route
  if (page === 'search') return <Search />
  if (page === 'keys') return <Keys />
  if (page === 'health') return <Health />
  if (page !== 'namespaces') return <NoPage />
  return name === undefined ? <Namespaces /> : <NamespacePage key={name} name={name} route={rest} />
}

const Sidebar = ({ route, onPalette, onShortcuts }: SidebarProps) => {
  const { visit, signOut } = useSession()
  const [isKeeping, setKeeping] = useState(false)
  const [current = 'namespaces', name] = route
  const open = current === 'namespaces' ? name : undefined
  return (
    <header class="sidebar">
      <a class="brand" href={routeTo('namespaces')} aria-label="Cairn">
        <Stones />
        <span>Cairn</span>
      </a>
      <nav aria-label="Pages">
        {pages.map(([page, text]) => (
          <a
            key={page}
            href={page === 'search' ? withParams(routeTo(page), { ns: open }) : routeTo(page)}
            aria-current={page === current ? 'page' : undefined}
          >
            {text}
          </a>
        ))}
      </nav>
      <button type="button" class="go-to" onClick={onPalette}>
        Go to… <kbd>Ctrl K</kbd>
      </button>
      <footer class="sidebar-foot">
        <a href="/docs">API docs</a>
        <button type="button" class="link keyboard" onClick={onShortcuts}>
          Shortcuts
        </button>
        {visit ? null : (
          <button type="button" class="link" onClick={() => setKeeping(true)}>
            Your API key
          </button>
        )}
        <button type="button" class="link" onClick={signOut}>
          Sign out
        </button>
        <span class="muted">{__VERSION__}</span>
      </footer>
      {isKeeping ? <KeepDialog onClose={() => setKeeping(false)} /> : null}
    </header>
  )
}
type SidebarProps = {
  readonly route: readonly string[]
  readonly onPalette: () => void
  readonly onShortcuts: () => void
}

const Shell = () => {
  const { segments: route } = useRoute()
  const { show, dialog } = useShortcuts()
  const [current = 'namespaces', name] = route
  const label = name ?? pages.find(([page]) => page === current)?.[1] ?? 'No such page'
  useEffect(() => {
    document.title = `${label} · Cairn`
  }, [label])
  return (
    <div class="shell">
      <button type="button" class="skip" onClick={() => document.getElementById('main')?.focus()}>
        Skip to content
      </button>
      <Sidebar route={route} onPalette={() => show('palette')} onShortcuts={() => show('shortcuts')} />
      <main id="main" tabIndex={-1}>
        <VisitLine />
        <ServerState />
        <Page route={route} />
      </main>
      {dialog}
    </div>
  )
}

type Entry =
  | { readonly state: 'checking' }
  | { readonly state: 'out'; readonly problem?: string }
  | { readonly state: 'in'; readonly apiKey: string }

/** Signs in with the code from the URL; if that fails, a stored key is kept. */
const readEntry = async (): Promise<Entry> => {
  const problem = await signInByCode().catch((error: unknown) =>
    error instanceof Error ? error.message : String(error),
  )
  const apiKey = keptKey()
  return apiKey ? { state: 'in', apiKey } : { state: 'out', problem }
}

const useSessionOf = (ownKey: string | undefined, leave: () => void) => {
  const [adminKey, setAdminKey] = useState<string | undefined>(undefined)
  const [visit, setVisit] = useState<Visit | undefined>(undefined)
  return useMemo<Session | undefined>(() => {
    if (ownKey === undefined) return undefined
    const signOut = () => {
      forgetKey()
      setAdminKey(undefined)
      setVisit(undefined)
      leave()
    }
    const admin = adminKey === undefined ? undefined : createAdminApi(adminKey)
    const apiKey = visit?.apiKey ?? ownKey
    return { apiKey, api: createApi(apiKey), admin, visit, setAdminKey, setVisit, signOut }
  }, [ownKey, adminKey, visit, leave])
}

const leaveTo = (setEntry: (entry: Entry) => void) => () => setEntry({ state: 'out' })

export const App = () => {
  const [entry, setEntry] = useState<Entry>({ state: 'checking' })
  useEffect(() => void readEntry().then(setEntry), [])
  const leave = useMemo(() => leaveTo(setEntry), [])
  const session = useSessionOf(entry.state === 'in' ? entry.apiKey : undefined, leave)
  const signOut = session?.signOut
  useEffect(() => (signOut ? onSignOutElsewhere(signOut) : undefined), [signOut])
  // A cache for each key: no data of one account may be shown to the next.
  const queries = useMemo(createQueries, [session?.apiKey])
  if (entry.state === 'checking') return <Skeleton rows={3} />
  const signIn = (apiKey: string, keep: Keep) => {
    keepKey(apiKey, keep)
    setEntry({ state: 'in', apiKey })
  }
  if (session === undefined)
    return <SignIn problem={entry.state === 'out' ? entry.problem : undefined} onKey={signIn} />
  return (
    <QueryClientProvider client={queries}>
      <SessionContext.Provider value={session}>
        <Shell key={session.apiKey} />
      </SessionContext.Provider>
    </QueryClientProvider>
  )
}
