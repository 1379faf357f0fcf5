import { tooLarge } from '../docx/budget.ts'
import type { XmlHandler } from './xml-scan.ts'

type Node = {
  readonly name: string
  text: string
  /** By element name. */
  readonly operands: Map<string, string[]>
  readonly properties: Map<string, string | undefined>
}

/** Operands of their parent element. */
const operandNames = new Set(['e', 'num', 'den', 'sub', 'sup', 'deg', 'fName', 'lim', 'mr'])
/** Formatting, and text that a tracked change removed. */
const silentNames = new Set(['ctrlPr', 'rPr', 'del', 'moveFrom', 'delText', 'instrText'])

/** Such as the multiplication sign. U+2061 separates a function and its operand. */
const invisible = /[\u2062-\u2064]/g

const maxUnits = 1024 * 1024
/** An element counts this besides its text. */
const elementUnits = 16

const atom = String.raw`[\p{L}\p{M}\p{N}.,∞]+`
const simple = new RegExp(`^(?:.|${atom}|\\([^()]*\\))$`, 'u')
const term = new RegExp(`^(?:.|${atom}(?:[_^]${atom})*|\\([^()]*\\))$`, 'u')

const inParentheses = (text: string, unless: RegExp): string => (unless.test(text) ? text : `(${text})`)
const script = (sign: string, text: string): string => (text === '' ? '' : sign + inParentheses(text, simple))

const linear = ({ name, text, operands, properties }: Node): string => {
  const all = (of: string): string[] => operands.get(of) ?? []
  const the = (of: string): string => all(of).join('')
  const e = the('e')
  const base = e === '' ? '' : inParentheses(e, simple)
  const sub = script('_', the('sub'))
  const sup = script('^', the('sup'))
  const sign = properties.get('chr')
  switch (name) {
    case 'f': {
      const [above, below] = [the('num'), the('den')]
      if (properties.get('type') === 'noBar') return `(${above}¦${below})`
      return `${inParentheses(above, term)}/${inParentheses(below, term)}`
    }
    case 'sSup':
    case 'sSub':
    case 'sSubSup':
      return `${base}${sub}${sup}`
    case 'sPre':
      return `${sub}${sup}${base}`
    case 'rad':
      return `√${the('deg') === '' ? '' : `[${the('deg')}]`}${base}`
    case 'nary':
      return `${sign ?? '∫'}${sub}${sup} ${e}`
    case 'd': {
      const [open, end] = [properties.get('begChr') ?? '(', properties.get('endChr') ?? ')']
      return open + all('e').join(properties.get('sepChr') ?? '|') + end
    }
    case 'func':
      return `${the('fName')}${e.startsWith('(') ? '' : ' '}${e}`
    case 'limLow':
      return `${e}${script('_', the('lim'))}`
    case 'limUpp':
      return `${e}${script('^', the('lim'))}`
    case 'acc':
      return `${e}${sign ?? '\u0302'}`
    case 'bar':
      return `${e}${properties.get('pos') === 'top' ? '\u0305' : '\u0332'}`
    case 'groupChr':
      return `${sign ?? '⏟'}${base}`
    case 'eqArr':
      // `&` marks alignment positions.
      return all('e').join('; ').replaceAll('&', '')
    case 'm':
      return all('mr').join('; ')
    case 'mr':
      return all('e').join(', ')
    case 'phant':
      return properties.get('show') === '0' ? '' : e
    case 'br':
      return '\n'
    default:
      return text + e
  }
}

/** One line per equation: `A=πr^2`, `(a+b)/2`. */
export const mathText = () => {
  const stack: Node[] = [{ name: '', text: '', operands: new Map(), properties: new Map() }]
  let units = 0
  const hold = (more: number): void => {
    units += more
    if (units > maxUnits) throw tooLarge()
  }
  const top = (): Node => stack[stack.length - 1] as Node

  const close = (): void => {
    const node = stack.pop() as Node
    const parent = top()
    if (silentNames.has(node.name)) return
    if (/Pr$/.test(node.name)) for (const [key, value] of node.properties) parent.properties.set(key, value)
    else if (/Pr$/.test(parent.name)) return
    else if (operandNames.has(node.name)) {
      const known = parent.operands.get(node.name)
      const text = node.name === 'mr' ? linear(node) : node.text
      if (known) known.push(text)
      else parent.operands.set(node.name, [text])
    } else if (node.name === 'oMath') parent.text += (parent.text === '' ? '' : '\n') + linear(node)
    else parent.text += linear(node)
  }

  const handler: XmlHandler = {
    open(name, attribute) {
      hold(elementUnits)
      const parent = top()
      if (/Pr$/.test(parent.name)) parent.properties.set(name, attribute('val') ?? '')
      stack.push({ name, text: '', operands: new Map(), properties: new Map() })
    },
    close,
    text(text) {
      if (top().name !== 't') return
      hold(text.length)
      top().text += text
    },
  }
  return {
    handler,
    text: () =>
      top()
        .text.replace(/\u2061\s*/g, ' ')
        .replace(invisible, '')
        .trim(),
  }
}
