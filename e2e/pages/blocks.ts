/** A fenced block of a Markdown page. */
export type Block = {
  /** Line number of the opening fence, from 1. */
  readonly line: number
  readonly language: string
  readonly code: string
  /** Comment directly above the block, such as `not run: needs Docker`. */
  readonly note?: string
}

/** A step of the test, for one or more blocks. `shown` is the output on the page. */
export type Step =
  | {
      readonly kind: 'run'
      readonly line: number
      readonly language: Runnable
      readonly code: string
      readonly shown?: string
      /** Whether the block needs what a Python block of the page has made, or is one. */
      readonly needsPython: boolean
    }
  | { readonly kind: 'start'; readonly line: number; readonly code: string; readonly address: string }
  | {
      readonly kind: 'request'
      readonly line: number
      readonly method: string
      readonly path: string
      readonly body: string
      readonly shown?: unknown
    }
  | { readonly kind: 'not run'; readonly line: number; readonly reason: string }

type Runnable = 'sh' | 'ts' | 'python'

const runnable: Readonly<Record<string, Runnable>> = { sh: 'sh', bash: 'sh', ts: 'ts', js: 'ts', python: 'python' }
/** Matches `not run: <reason>`, `keeps running: <URL that answers>`, `continues` and `needs Python`. */
const notePattern = /^<!-- ((?:not run|keeps running): \S.*|continues|needs Python) -->$/

/** Returns the fenced blocks of a page, without the indentation of their fence. Throws if a fence is not closed. */
export const readBlocks = (markdown: string): Block[] => {
  const blocks: Block[] = []
  let open:
    | { readonly line: number; readonly language: string; readonly fence: string; readonly indent: string }
    | undefined
  let code: string[] = []
  let above = ''
  let note: string | undefined
  for (const [index, line] of markdown.split('\n').entries()) {
    if (open === undefined) {
      const [, indent = '', fence, language = ''] = /^(\s*)(`{3,}|~{3,})\s*([^\s`]*)/.exec(line) ?? []
      if (fence === undefined) {
        if (line.trim() !== '') above = line.trim()
        continue
      }
      open = { line: index + 1, language, fence, indent }
      note = notePattern.exec(above)?.[1]
      code = []
    } else if (line.trim().startsWith(open.fence)) {
      const { language } = open
      blocks.push({ line: open.line, language, code: code.join('\n'), ...(note === undefined ? {} : { note }) })
      open = undefined
      above = ''
    } else code.push(line.startsWith(open.indent) ? line.slice(open.indent.length) : line.trimStart())
  }
  if (open !== undefined) throw new Error(`line ${open.line}: the block is not closed`)
  return blocks
}

const requestOf = ({ line, code }: Block): Step => {
  const [head = '', ...rest] = code.trim().split('\n')
  const [, method, path] = /^(GET|POST|PUT|DELETE) (\/\S*)$/.exec(head.trim()) ?? []
  if (method === undefined || path === undefined) throw new Error(`line ${line}: begins with no method and path`)
  return { kind: 'request', line, method, path, body: rest.join('\n').trim() }
}

const stepOf = (block: Block): Step | undefined => {
  const { line, language, code, note = '' } = block
  const [verb, value = ''] = note.split(/: (.*)/s)
  if (verb === 'not run') return { kind: 'not run', line, reason: value }
  if (verb === 'keeps running') {
    if (runnable[language] !== 'sh') throw new Error(`line ${line}: only commands keep running`)
    return { kind: 'start', line, code, address: value }
  }
  const as = runnable[language]
  if (as !== undefined) {
    const needsPython = note === 'needs Python' || as === 'python' || /\b(?:pip|python3?)\b/.test(code)
    return { kind: 'run', line, language: as, code, needsPython }
  }
  if (language === 'http') return requestOf(block)
  // The site renders these blocks as diagrams.
  if (language === 'mermaid') return undefined
  throw new Error(`line ${line}: nobody knows how to run ${language === '' ? 'a block without a language' : language}`)
}

/**
 * Returns the steps for the blocks of a page, in order. A `text` block is the output of the preceding block; a `json`
 * block is the response to the preceding request, or is only parsed if no request precedes it. A `continues` block forms one
 * program with the preceding block. A `needs Python` block reads what a Python block above it has made. Throws an error with the line of a block that cannot be planned.
 */
export const planPage = (blocks: readonly Block[]): Step[] => {
  const steps: Step[] = []
  for (const block of blocks) {
    const { line, language, code, note = '' } = block
    const last = steps.at(-1)
    if (note === 'continues') {
      if (last?.kind !== 'run' || last.language !== runnable[language])
        throw new Error(`line ${line}: continues no block of its language`)
      steps[steps.length - 1] = { ...last, line, code: `${last.code}\n${code}` }
    } else if (note === '' && language === 'text') {
      if (last?.kind === 'not run') continue
      if (last?.kind !== 'run' || last.shown !== undefined) throw new Error(`line ${line}: is the output of no block`)
      steps[steps.length - 1] = { ...last, shown: code }
    } else if (note === '' && language === 'json') {
      const shown = parsed(block)
      if (last?.kind === 'request' && last.shown === undefined) steps[steps.length - 1] = { ...last, shown }
    } else {
      const step = stepOf(block)
      if (step !== undefined) steps.push(step)
    }
  }
  return steps
}

const parsed = ({ line, code }: Block): unknown => {
  try {
    return JSON.parse(code)
  } catch (error) {
    throw new Error(`line ${line}: is not JSON: ${error instanceof Error ? error.message : error}`)
  }
}

const inPlace = '…'

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/**
 * Whether an output matches the shown one, in which `…` stands for any text within a line or for any number of lines.
 */
export const isShown = (shown: string, output: string): boolean => {
  const tidy = (text: string) => text.replace(/\s+$/gm, '').trim()
  const lines = tidy(shown).split('\n')
  const pattern = lines.map((line) =>
    line.trim() === inPlace ? '(?:[^\\n]*\\n)*' : `${line.split(inPlace).map(literal).join('[^\\n]*')}\\n`,
  )
  return new RegExp(`^${pattern.join('')}$`).test(`${tidy(output)}\n`)
}

/**
 * Whether a response has everything that is shown: the named fields, lists of the same length, and any value for `"…"`.
 */
export const hasShown = (shown: unknown, actual: unknown): boolean => {
  if (shown === inPlace) return actual !== undefined
  if (Array.isArray(shown))
    return (
      Array.isArray(actual) &&
      actual.length === shown.length &&
      shown.every((each, index) => hasShown(each, actual[index]))
    )
  if (typeof shown === 'object' && shown !== null)
    return (
      typeof actual === 'object' &&
      actual !== null &&
      Object.entries(shown).every(([name, value]) => hasShown(value, (actual as Record<string, unknown>)[name]))
    )
  return shown === actual
}
