import { describe, expect, it } from 'vitest'
import { hasShown, isShown, planPage, readBlocks } from './blocks.ts'

const fence = '```'
const block = (language: string, code: string, note?: string) =>
  `${note === undefined ? '' : `<!-- ${note} -->\n`}${fence}${language}\n${code}\n${fence}\n`
const plan = (...parts: string[]) => planPage(readBlocks(parts.join('\nText.\n\n')))

describe('blocks of a page', () => {
  it('are read with their line, language, note and without their indentation', () => {
    const page = `# A page\n\n${block('sh', 'echo "1"', 'not run: needs Docker')}\n- item\n\n  ${fence}ts\n  f({\n    a,\n  })\n  ${fence}\n`
    expect(readBlocks(page)).toEqual([
      { line: 4, language: 'sh', code: 'echo "1"', note: 'not run: needs Docker' },
      { line: 10, language: 'ts', code: 'f({\n  a,\n})' },
    ])
  })

  it('may contain shorter fences', () => {
    expect(readBlocks('````md\n```sh\nls\n```\n````\n')).toEqual([{ line: 1, language: 'md', code: '```sh\nls\n```' }])
  })

  it('take a note only from the line above', () => {
    expect(readBlocks(`<!-- not run: needs Docker -->\nText.\n${block('sh', 'ls')}`)[0]).not.toHaveProperty('note')
    expect(readBlocks(`<!-- a comment -->\n${block('sh', 'ls')}`)[0]).not.toHaveProperty('note')
    expect(readBlocks(`<!-- not run: -->\n${block('sh', 'ls')}`)[0]).not.toHaveProperty('note')
  })

  it('must be closed', () => {
    expect(() => readBlocks('text\n```sh\nls\n')).toThrow('line 2: the block is not closed')
  })
})

describe('the plan of a page', () => {
  it('runs commands and programs and compares what is shown after them', () => {
    expect(plan(block('sh', 'ls'), block('text', 'a.md'), block('python', 'print(1)'))).toEqual([
      { kind: 'run', line: 1, language: 'sh', code: 'ls', shown: 'a.md', needsPython: false },
      { kind: 'run', line: 13, language: 'python', code: 'print(1)', needsPython: true },
    ])
  })

  it('knows which commands need Python, or what Python has made', () => {
    const steps = plan(block('sh', 'pip install requests'), block('sh', 'ls', 'needs Python'), block('sh', 'ls'))
    expect(steps.map((step) => step.kind === 'run' && step.needsPython)).toEqual([true, true, false])
  })

  it('starts what keeps running, and says what it does not run', () => {
    const address = 'http://localhost:3000/readyz'
    expect(
      plan(block('sh', 'npm start', `keeps running: ${address}`), block('sh', 'up', 'not run: needs Docker')),
    ).toEqual([
      { kind: 'start', line: 2, code: 'npm start', address },
      { kind: 'not run', line: 9, reason: 'needs Docker' },
    ])
  })

  it('sends requests and compares the fields of the response', () => {
    const request = 'POST /v1/search\n\n{"query": "a"}'
    expect(plan(block('http', request), block('json', '{"results": []}'))).toEqual([
      { kind: 'request', line: 1, method: 'POST', path: '/v1/search', body: '{"query": "a"}', shown: { results: [] } },
    ])
  })

  it('joins a block that continues a program with it', () => {
    expect(plan(block('ts', 'const a = 1'), block('ts', 'console.log(a)', 'continues'))).toEqual([
      { kind: 'run', line: 8, language: 'ts', code: 'const a = 1\nconsole.log(a)', needsPython: false },
    ])
  })

  it.each([
    ['an unknown language', block('cobol', 'DISPLAY 1'), 'nobody knows how to run cobol'],
    ['no language', block('', 'ls'), 'a block without a language'],
    ['an output of nothing', block('text', 'a'), 'is the output of no block'],
    ['a second output', block('sh', 'ls') + block('text', 'a') + block('text', 'a'), 'is the output of no block'],
    ['invalid JSON', block('json', '{a: 1}'), 'line 1: is not JSON'],
    ['a request without a path', block('http', 'search'), 'begins with no method and path'],
    ['a continuation of another language', block('sh', 'ls') + block('ts', 'f()', 'continues'), 'continues no block'],
    ['a program that keeps running', block('ts', 'f()', 'keeps running: http://a'), 'only commands keep running'],
  ])('rejects %s', (_, page, message) => {
    expect(() => plan(page)).toThrow(message)
  })
})

describe('the output shown', () => {
  it.each([
    ['a\nb', 'a\nb\n', true],
    ['a  \nb', 'a\nb', true],
    ['a …', 'a 0.812 x', true],
    ['a …', 'a 1\nb', false],
    ['a\n…\nd', 'a\nb\nc\nd', true],
    ['a\n…\nd', 'a\nd', true],
    ['a\n…', 'b\na', false],
    ['a.c', 'abc', false],
    ['a', 'a\nb', false],
  ])('%j is that of %j: %s', (shown, output, expected) => {
    expect(isShown(shown, output)).toBe(expected)
  })
})

describe('the response shown', () => {
  it.each([
    [{ a: 1 }, { a: 1, b: 2 }, true],
    [{ a: 1, b: 2 }, { a: 1 }, false],
    [{ a: '…' }, { a: [1] }, true],
    [{ a: '…' }, {}, false],
    [[{ id: '1' }], [{ id: '1', score: 1 }], true],
    [[{ id: '1' }], [{ id: '1' }, { id: '2' }], false],
    [{ a: null }, { a: null }, true],
    [{ a: {} }, { a: null }, false],
    ['1', 1, false],
  ])('%j is in %j: %s', (shown, actual, expected) => {
    expect(hasShown(shown, actual)).toBe(expected)
  })
})
