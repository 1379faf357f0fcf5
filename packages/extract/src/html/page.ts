import type { ExtractEvent, Place } from '../block.ts'
import type { BlockWriter } from '../shared/block-writer.ts'
import { documentBlocks } from '../shared/blocks.ts'
import type { NotReadCounter } from '../shared/not-read.ts'
import { htmlElements } from './elements.ts'
import { findLeftOut } from './left-out.ts'
import type { HtmlElement } from './tree.ts'

export type PageContext = {
  readonly writer: BlockWriter
  readonly notRead: NotReadCounter
  readonly keepsHidden: boolean
  /** Whether there is navigation and more around the content; a chapter of a book is all content. */
  readonly isOfSite: boolean
  readonly at?: Place
}

const words = (count: number): string => `${count} ${count === 1 ? 'word' : 'words'}`

/** Empties the tree. */
export function* pageEvents(
  root: HtmlElement,
  { writer, notRead, keepsHidden, isOfSite, at }: PageContext,
): Generator<ExtractEvent> {
  const leftOut = findLeftOut(root, isOfSite)
  const children = htmlElements(root, leftOut, notRead, keepsHidden)
  for (const part of documentBlocks({ children }, new Map())) yield* writer.block({ ...part, at: at ?? {} })
  if (leftOut.hiddenWords > 0)
    yield* writer.note(
      'text_hidden',
      `Hidden text of the page was ${keepsHidden ? 'kept' : 'left out'} (${words(leftOut.hiddenWords)}).`,
      at,
    )
  if (leftOut.surroundingWords > 0)
    yield* writer.note(
      'content_not_read',
      `Text around the content of the page, such as navigation, header and footer, was left out (${words(leftOut.surroundingWords)}).`,
      at,
    )
}
