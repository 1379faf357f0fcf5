import { useEffect, useState } from 'preact/hooks'
import { Dialog } from './dialog.tsx'
import { Palette } from './palette.tsx'
import { goTo, routeTo, segmentsOf } from './router.ts'

const keys = [
  ['/', 'Search'],
  ['Ctrl K', 'Go to a page, a namespace or a recent search'],
  ['?', 'Show this list'],
  ['Esc', 'Close what is open'],
] as const

const ShortcutList = ({ onClose }: { readonly onClose: () => void }) => (
  <Dialog title="Keyboard shortcuts" onClose={onClose}>
    <dl class="metadata shortcuts">
      {keys.map(([key, text]) => (
        <div key={key}>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  </Dialog>
)

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input:not([type=checkbox], [type=radio]), textarea, select') !== null

const focusSearch = (): void => {
  document.querySelector<HTMLInputElement>('.search-line input')?.focus()
}

export type Shown = 'palette' | 'shortcuts'

export const useShortcuts = () => {
  const [shown, show] = useState<Shown | undefined>(undefined)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (document.querySelector('dialog[open]')) return
      const isCommand = event.ctrlKey || event.metaKey
      if (isCommand && event.key.toLowerCase() === 'k') show('palette')
      else if (isCommand || event.altKey || isTyping(event.target)) return
      else if (event.key === '?') show('shortcuts')
      else if (event.key !== '/') return
      else if (segmentsOf(location.hash)[0] === 'search') focusSearch()
      else goTo(routeTo('search'))
      event.preventDefault()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
  const close = () => show(undefined)
  const dialog = shown === 'palette' ? <Palette onClose={close} /> : shown ? <ShortcutList onClose={close} /> : null
  return { show, dialog }
}
