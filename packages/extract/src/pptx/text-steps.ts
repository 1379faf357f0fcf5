import { isAddressText } from '../shared/link-address.ts'
import { mathText } from '../shared/math.ts'
import { withRaised } from '../shared/raised.ts'
import { type Handler, type Handlers, handlersOf, type NamedHandlers, on } from '../shared/xml-steps.ts'
import type { Bullet, Bullets, Paragraph } from './shape.ts'
import { symbolText } from './symbols.ts'

type Run = { text: string; address?: string; font?: string; signFont?: string; isRaised?: boolean }

export type TextContext = {
  /** List that receives paragraphs; undefined outside of a text. */
  readonly paragraphs: () => Paragraph[] | undefined
  /** Bullets of the text's own list style. */
  readonly bullets: () => Bullets | undefined
  readonly addresses: ReadonlyMap<string, string>
  /** Counts text before it is held. */
  readonly hold: (text: string) => void
}

/** The last run of a link is followed by its address, unless the words are the address. */
const joinRuns = (runs: readonly Run[]): string => {
  let text = ''
  let words = ''
  for (const [index, { text: part, address }] of runs.entries()) {
    text += part
    words += part
    if (address !== undefined && runs[index + 1]?.address === address) continue
    if (address !== undefined && words.trim() !== '' && !isAddressText(words.trim(), address)) text += ` (${address})`
    words = ''
  }
  return text
}

export const bulletHandlers = (onBullet: (bullet: Bullet) => void): Handlers => {
  const found = (kind: 'none' | 'sign'): Handler => on(() => onBullet({ kind }))
  return handlersOf({
    buNone: found('none'),
    buChar: found('sign'),
    buBlip: found('sign'),
    buAutoNum: on((attribute) => {
      const first = Number.parseInt(attribute('startAt') ?? '', 10) || 1
      onBullet({ kind: 'numbered', format: attribute('type') ?? '', first })
    }),
  })
}

const maxLevel = 8

/** `lvl1pPr` to `lvl9pPr`. */
export const levelHandlers = (bullets: () => Bullets | undefined): Handlers =>
  new Map(
    Array.from({ length: maxLevel + 1 }, (_, level): [string, Handler] => [
      `lvl${level + 1}pPr`,
      () => ({ children: bulletHandlers((bullet) => bullets()?.set(level, bullet)) }),
    ]),
  )

export const textHandlers = (context: TextContext): NamedHandlers => {
  const { paragraphs, bullets, addresses } = context
  const text = new OpenParagraph(context.hold)
  const properties = bulletHandlers((bullet) => text.setParagraph({ bullet }))
  const run: Handler = () => {
    text.beginRun()
    return { end: () => text.endRun() }
  }
  return {
    lstStyle: () => ({ children: levelHandlers(bullets) }),
    p: () => {
      const list = paragraphs()
      if (!list) return undefined
      const paragraph = text.begin()
      return {
        end: () => {
          text.end(paragraph)
          list.push(paragraph)
        },
      }
    },
    pPr: (attribute) => {
      const level = Number.parseInt(attribute('lvl') ?? '', 10) || 0
      text.setParagraph({ level: Math.max(0, Math.min(maxLevel, level)) })
      return { children: properties }
    },
    r: run,
    fld: run,
    t: () => ({ text: (part) => text.addShown(part) }),
    rPr: on((attribute) => text.setRun({ isRaised: Number.parseInt(attribute('baseline') ?? '', 10) > 0 })),
    latin: on((attribute) => text.setRun({ font: attribute('typeface') ?? '' })),
    sym: on((attribute) => text.setRun({ signFont: attribute('typeface') ?? '' })),
    br: () => {
      text.add('\n')
      return 'skip'
    },
    hlinkClick: on((attribute) => {
      const address = addresses.get(attribute('r:id') ?? '')
      if (address !== undefined) text.setAddress(address)
    }),
    m: () => {
      const equation = mathText()
      return { reader: equation.handler, end: () => text.add(equation.text()) }
    },
  }
}

class OpenParagraph {
  readonly #hold: TextContext['hold']
  #paragraph: Paragraph | undefined
  #runs: Run[] = []

  constructor(hold: TextContext['hold']) {
    this.#hold = hold
  }

  begin(): Paragraph {
    this.#hold('')
    this.#runs = []
    this.#paragraph = { text: '', level: 0 }
    return this.#paragraph
  }

  end(begun: Paragraph): void {
    begun.text = joinRuns(this.#runs.filter(({ text }) => text !== '')).trim()
    this.#paragraph = undefined
  }

  setParagraph(properties: Partial<Paragraph>): void {
    Object.assign(this.#paragraph ?? {}, properties)
  }

  beginRun(): void {
    this.#hold('')
    this.endRun()
  }

  /** Text outside of a run has no properties of the one before. */
  endRun(): void {
    this.#runs.push({ text: '' })
  }

  setRun(properties: Partial<Run>): void {
    Object.assign(this.#runs.at(-1) ?? {}, properties)
  }

  setAddress(address: string): void {
    if (this.#paragraph) this.setRun({ address })
  }

  add(text: string): void {
    if (!this.#paragraph || text === '') return
    this.#hold(text)
    const run = this.#runs.at(-1)
    if (run) run.text += text
    else this.#runs.push({ text })
  }

  /** Adds text as its font and position show it. */
  addShown(text: string): void {
    const { font = '', signFont = '', isRaised } = this.#runs.at(-1) ?? {}
    const plain = symbolText(symbolText(text, font, false), signFont, true)
    this.add(isRaised ? withRaised(this.#runs.findLast((run) => run.text !== '')?.text ?? '', plain) : plain)
  }
}
