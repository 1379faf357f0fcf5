import type { XmlHandler } from './xml-scan.ts'

export type Attribute = (name: string) => string | undefined

export type Step = {
  /** Default: the handlers of the parent element. */
  readonly children?: Handlers
  readonly text?: (text: string) => void
  /** Receives everything within the element instead of the handlers. */
  readonly reader?: XmlHandler
  readonly end?: () => void
}
/** Returns undefined if the element itself has no meaning, or `skip` to ignore its content. */
export type Handler = (attribute: Attribute) => Step | 'skip' | undefined
export type Handlers = ReadonlyMap<string, Handler>
export type NamedHandlers = Readonly<Record<string, Handler>>

export const handlersOf = (named: NamedHandlers): Handlers => new Map(Object.entries(named))
export const handleEach = (names: readonly string[], handler: Handler): NamedHandlers =>
  Object.fromEntries(names.map((name) => [name, handler]))

export const skip: Handler = () => 'skip'
/** Handles an element of which only the attributes are read. */
export const on =
  (act: (attribute: Attribute) => unknown): Handler =>
  (attribute) => {
    act(attribute)
    return undefined
  }

/** Elements without a handler are transparent: their content is handled. */
export const xmlSteps = (root: Handlers): XmlHandler => {
  const open: { readonly step: Step | undefined; readonly handlers: Handlers }[] = []
  let skipped = 0
  let reader: XmlHandler | undefined
  let readerDepth = 0
  return {
    open(name, attribute) {
      if (skipped > 0) {
        skipped++
        return
      }
      if (reader) {
        readerDepth++
        reader.open(name, attribute)
        return
      }
      const handlers = open.at(-1)?.handlers ?? root
      const step = handlers.get(name)?.(attribute)
      if (step === 'skip') {
        skipped = 1
        return
      }
      open.push({ step, handlers: step?.children ?? handlers })
      reader = step?.reader
    },
    close(name) {
      if (skipped > 0) {
        skipped--
        return
      }
      if (readerDepth > 0) {
        readerDepth--
        reader?.close?.(name)
        return
      }
      reader = undefined
      open.pop()?.step?.end?.()
    },
    text(text) {
      if (skipped > 0) return
      if (reader) reader.text?.(text)
      else open.at(-1)?.step?.text?.(text)
    },
  }
}

/** Reads only the first variant with content. `seen` returns a counter that grows with what is read or noted. */
export const alternativeHandlers = (seen: () => number): NamedHandlers => {
  const begun: number[] = []
  const variant: Handler = () => (begun.length > 0 && seen() > (begun.at(-1) ?? 0) ? 'skip' : undefined)
  return {
    AlternateContent: () => {
      begun.push(seen())
      return { end: () => begun.pop() }
    },
    Choice: variant,
    Fallback: variant,
  }
}

/** Handles a property of the innermost open element that `open` holds; `value`: of its attribute `val`. */
export const changeInnermost =
  <T>(open: readonly T[]) =>
  (act: (one: T, value: string | undefined) => void): Handler =>
    on((attribute) => {
      const one = open.at(-1)
      if (one) act(one, attribute('val'))
    })
