import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

type Props = {
  readonly label: string
  readonly count: number
  /** In pixels. */
  readonly rowHeight: number
  readonly render: (index: number) => ComponentChildren
  readonly keyOf: (index: number) => string
  readonly onEnd: () => void
}

const overscan = 8

/** Puts only the rows in view into the page. */
export const VirtualList = ({ label, count, rowHeight, render, keyOf, onEnd }: Props) => {
  const element = useRef<HTMLElement>(null)
  const [view, setView] = useState({ top: 0, height: 600 })
  useEffect(() => {
    const list = element.current
    if (!list) return
    const measure = () => setView({ top: list.scrollTop, height: list.clientHeight })
    const observer = new ResizeObserver(measure)
    observer.observe(list)
    measure()
    return () => observer.disconnect()
  }, [])
  const first = Math.max(0, Math.floor(view.top / rowHeight) - overscan)
  const last = Math.min(count, Math.ceil((view.top + view.height) / rowHeight) + overscan)
  useEffect(() => {
    if (last >= count) onEnd()
  }, [last, count, onEnd])
  return (
    <section
      ref={element}
      class="virtual-list"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by the keyboard
      tabIndex={0}
      onScroll={(event) => setView({ top: event.currentTarget.scrollTop, height: event.currentTarget.clientHeight })}
    >
      <ul class="virtual-space" style={{ height: `${count * rowHeight}px` }}>
        {Array.from({ length: Math.max(0, last - first) }, (_, offset) => first + offset).map((index) => (
          <li
            key={keyOf(index)}
            class="virtual-row"
            aria-setsize={count}
            aria-posinset={index + 1}
            style={{ height: `${rowHeight}px`, transform: `translateY(${index * rowHeight}px)` }}
          >
            {render(index)}
          </li>
        ))}
      </ul>
    </section>
  )
}
