import { useQueryClient } from '@tanstack/preact-query'
import { useId, useState } from 'preact/hooks'
import { Dialog } from './dialog.tsx'
import { useNamespaces } from './namespaces/use-namespaces.ts'
import { goTo, routeTo, withParams } from './router.ts'
import { recentSearches } from './search/recent.ts'

type Target = { readonly kind: string; readonly text: string; readonly href: string }

export const pages = [
  ['namespaces', 'Namespaces'],
  ['search', 'Search and ask'],
  ['keys', 'Keys and usage'],
  ['health', 'Health'],
] as const

const shown = 12

const useTargets = (text: string): readonly Target[] => {
  const queries = useQueryClient()
  const { data: namespaces = [] } = useNamespaces()
  const wanted = text.trim().toLowerCase()
  const all: Target[] = [
    ...pages.map(([page, label]) => ({ kind: 'Page', text: label, href: routeTo(page) })),
    ...namespaces.map(({ namespace_name: name }) => ({
      kind: 'Namespace',
      text: name,
      href: routeTo('namespaces', name),
    })),
    ...recentSearches(queries).map((search) => ({ kind: 'Recent search', ...search })),
  ]
  const found = all.filter((target) => target.text.toLowerCase().includes(wanted)).slice(0, shown)
  const search = { kind: 'Search', text: text.trim(), href: withParams(routeTo('search'), { q: text.trim() }) }
  return wanted === '' || found.some(({ href }) => href === search.href) ? found : [...found, search]
}

export const Palette = ({ onClose }: { readonly onClose: () => void }) => {
  const id = useId()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const targets = useTargets(text)
  const go = (target: Target | undefined) => {
    if (!target) return
    onClose()
    goTo(target.href)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined || targets.length === 0) return
    event.preventDefault()
    setAt((at + step + targets.length) % targets.length)
  }
  return (
    <Dialog title="Go to" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          go(targets[at])
        }}
      >
        <input
          type="text"
          inputMode="search"
          role="combobox"
          aria-label="Page, namespace or search"
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={targets[at] ? `${id}-${at}` : undefined}
          autocomplete="off"
          placeholder="Page, namespace or search"
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value)
            setAt(0)
          }}
          onKeyDown={onKeyDown}
        />
        <div id={id} class="targets" role="listbox" aria-label="Places" tabIndex={-1}>
          {targets.map((target, index) => (
            <div
              key={target.href}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === at}
              tabIndex={-1}
              onClick={() => go(target)}
              onKeyDown={() => undefined}
            >
              <span class="breakable">{target.text}</span>
              <span class="muted">{target.kind}</span>
            </div>
          ))}
        </div>
      </form>
    </Dialog>
  )
}
