import { type HtmlElement, type HtmlNode, isElement } from './tree.ts'

type Visitor = {
  /** Returns whether to visit the content; if so, `close` is called after it. */
  readonly open: (element: HtmlElement) => boolean
  readonly close?: (element: HtmlElement) => void
  readonly text: (text: string) => void
}

/** Visits in reading order; yields after each node. Not recursive, because pages may be nested to any depth. */
export function* walk(root: HtmlElement, { open, close, text }: Visitor): Generator<void> {
  let node: HtmlNode | null = root.first
  let parent = root
  for (;;) {
    if (node === null) {
      if (parent === root) return
      const closed = parent
      node = closed.next
      parent = closed.parent ?? root
      close?.(closed)
    } else if (isElement(node) && open(node)) {
      parent = node
      node = node.first
    } else {
      if (!isElement(node)) text(node.value)
      node = node.next
    }
    yield
  }
}

export const visit = (root: HtmlElement, visitor: Visitor): void => {
  for (const _ of walk(root, visitor));
}
