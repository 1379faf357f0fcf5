import { isAddressText } from '../shared/link-address.ts'
import { mathText } from '../shared/math.ts'
import { withRaised } from '../shared/raised.ts'
import type { Handler, Handlers } from '../shared/xml-steps.ts'
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
  const found =
    (kind: 'none' | 'sign'): Handler =>
    () => {
      onBullet({ kind })
      return undefined
    }
  return new Map<string, Handler>([
    ['buNone', found('none')],
    ['buChar', found('sign')],
    ['buBlip', found('sign')],
    [
      'buAutoNum',
      (attribute) => {
        const first = Number.parseInt(attribute('startAt') ?? '', 10) || 1
        onBullet({ kind: 'numbered', format: attribute('type') ?? '', first })
        return undefined
      },
    ],
  ])
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

export const textHandlers = ({ paragraphs, bullets, addresses, hold }: TextContext): [string, Handler][] => {
  let paragraph: Paragraph | undefined
  let runs: Run[] = []
  const add = (text: string): void => {
    if (!paragraph || text === '') return
    hold(text)
    const run = runs.at(-1)
    if (run) run.text += text
    else runs.push({ text })
  }
  const beginRun: Handler = () => {
    hold('')
    runs.push({ text: '' })
    return { end: () => runs.push({ text: '' }) }
  }
  const typeface =
    (name: 'font' | 'signFont'): Handler =>
    (attribute) => {
      const run = runs.at(-1)
      if (run) run[name] = attribute('typeface') ?? ''
      return undefined
    }
  const shown = (text: string): string => {
    const { font = '', signFont = '', isRaised } = runs.at(-1) ?? {}
    const plain = symbolText(symbolText(text, font, false), signFont, true)
    return isRaised ? withRaised(runs.findLast((run) => run.text !== '')?.text ?? '', plain) : plain
  }
  const properties = bulletHandlers((bullet) => {
    if (paragraph) paragraph.bullet = bullet
  })

  return [
    ['lstStyle', () => ({ children: levelHandlers(bullets) })],
    [
      'p',
      () => {
        const list = paragraphs()
        if (!list) return undefined
        hold('')
        const begun: Paragraph = { text: '', level: 0 }
        paragraph = begun
        runs = []
        return {
          end: () => {
            begun.text = joinRuns(runs.filter(({ text }) => text !== '')).trim()
            list.push(begun)
            paragraph = undefined
          },
        }
      },
    ],
    [
      'pPr',
      (attribute) => {
        const level = Number.parseInt(attribute('lvl') ?? '', 10) || 0
        if (paragraph) paragraph.level = Math.max(0, Math.min(maxLevel, level))
        return { children: properties }
      },
    ],
    ['r', beginRun],
    ['fld', beginRun],
    ['t', () => ({ text: (text) => add(shown(text)) })],
    [
      'rPr',
      (attribute) => {
        const run = runs.at(-1)
        if (run) run.isRaised = Number.parseInt(attribute('baseline') ?? '', 10) > 0
        return undefined
      },
    ],
    ['latin', typeface('font')],
    ['sym', typeface('signFont')],
    [
      'br',
      () => {
        add('\n')
        return 'skip'
      },
    ],
    [
      'hlinkClick',
      (attribute) => {
        const address = addresses.get(attribute('r:id') ?? '')
        const run = runs.at(-1)
        if (paragraph && run && address !== undefined) run.address = address
        return undefined
      },
    ],
    [
      'm',
      () => {
        const equation = mathText()
        return { reader: equation.handler, end: () => add(equation.text()) }
      },
    ],
  ]
}
