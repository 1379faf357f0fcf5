import { maxBlockUnits } from '../shared/block-writer.ts'
import type { Line } from '../txt/lines.ts'

export type BlockBegin = {
  readonly kind: 'text' | 'table' | 'fence' | 'html'
  /** Closes a fence or HTML. */
  readonly mark?: string
  /** Repeated when a table or an element goes on in another block. */
  readonly head?: readonly string[]
}

/** Lines that are parsed together. */
export class OpenBlock {
  readonly begin: BlockBegin
  readonly from: number
  readonly lines: string[] = []
  to: number
  #units = 0

  constructor(begin: BlockBegin, from: number) {
    this.begin = begin
    this.from = from
    this.to = from
  }

  add({ text, from }: Pick<Line, 'text' | 'from'>): void {
    this.lines.push(text)
    this.to = from + text.length
    this.#units += text.length + 1
  }

  isFullFor(text: string): boolean {
    return this.#units + text.length >= maxBlockUnits
  }

  /** The block that follows this one once it is full. */
  continuation(from: number): OpenBlock {
    const next = new OpenBlock(this.begin, from)
    for (const text of this.begin.head ?? []) next.add({ text, from: from - text.length })
    return next
  }

  removeLast(): Pick<Line, 'text' | 'from'> {
    const text = this.lines.pop() ?? ''
    this.to -= text.length
    return { text, from: this.to }
  }
}
