import { saysMore } from '../shared/link-address.ts'
import { withRaised } from '../shared/raised.ts'

/** HTML white space: without the no-break space. */
const blanks = /[ \t\n\f\r]+/g

export const lineText = () => {
  let parts: string[] = []
  let last = ''
  /** Open link, and the number of parts before its words. */
  let link: { readonly address: string; readonly from: number } | undefined

  const push = (text: string): void => {
    if (text === '') return
    parts.push(text)
    last = text.slice(-1)
  }
  const isAtBlank = (): boolean => last === '' || last === ' ' || last === '\n'
  const add = (text: string): void => {
    const plain = text.replace(blanks, ' ')
    push(plain.startsWith(' ') && isAtBlank() ? plain.slice(1) : plain)
  }

  return {
    add,
    /** Keeps blanks and line ends. */
    addAsIs: push,
    addApart: (text: string): void => add(` ${text} `),
    /** Adds text after a blank; if one is already there, another one follows the text. */
    addBehind(text: string): void {
      push(isAtBlank() ? `${text} ` : ` ${text}`)
    },
    addRaised: (text: string): void => add(withRaised(parts.at(-1) ?? '', text)),
    endLine(): void {
      if (last !== '') push('\n')
    },
    beginLink(address: string): void {
      link = { address, from: parts.length }
    },
    /** Returns the address if the link has words and the address says more than they do. */
    endLink(): string | undefined {
      if (!link) return undefined
      const { address, from } = link
      const words = parts.slice(from).join('').replace(/\s+/g, ' ').trim()
      link = words === '' ? { address, from: 0 } : undefined
      return words !== '' && saysMore(words, address) ? address : undefined
    },
    dropLink(): void {
      link = undefined
    },
    end(): string {
      const text = parts.join('')
      parts = []
      last = ''
      return text
    },
  }
}
