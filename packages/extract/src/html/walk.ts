import { type HtmlElement, type HtmlNode, isElement } from './tree.ts'

type Visitor = {
  /** Returns whether the content of the element is visited; if so, `close` is called after the content. */
  readonly open: (element: HtmlElement) => boolean
  readonly close?: (element: HtmlElement) => void
  readonly text: (text: string) => void
}

/**
 * Visits the content of an element in reading order; yields after each node. Not recursive, because pages may be nested
 * to any depth.
 */
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

/** Visits the content of an element without yielding. */
export const visit = (root: HtmlElement, visitor: Visitor): void => {
  for (const _ of walk(root, visitor));
}
