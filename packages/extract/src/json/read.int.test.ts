import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readFile, texts } from '../read-file.fixture.ts'
import { JsonTokens } from './json-tokens.ts'

const told = async (source: string) => (await readFile('json', source)).blocks.map(({ text, at }) => [at.path, text])

it('emits a row for each element of an array, with nested names joined by dots', async () => {
  expect(await told('[{"a":1,"b":{"c":"x","d":[1,2,{"e":5}]}},"s",[1,2],null,{"n":null}]')).toEqual([
    ['/0', 'a: 1\nb.c: x\nb.d: 1, 2\nb.d.2.e: 5'],
    ['/1', 's'],
    ['/2', '1, 2'],
    ['/4', 'n: null'],
  ])
})

it('emits a row for each member of an object, and for each element of a list in it', async () => {
  expect(await told('{"title":"T","n":{"a":true},"items":[{"x":1},{"x":2}],"tags":["p","q"],"k/~":"v"}')).toEqual([
    ['/title', 'title: T'],
    ['/n', 'n.a: true'],
    ['/items/0', 'x: 1'],
    ['/items/1', 'x: 2'],
    ['/tags', 'tags: p, q'],
    ['/k~1~0', 'k/~: v'],
  ])
})

it('reads values that follow one another as an array', async () => {
  expect(await told('{"a":1}\n{"a":2}\r\n\n{"a":3}')).toEqual([
    ['/0', 'a: 1'],
    ['/1', 'a: 2'],
    ['/2', 'a: 3'],
  ])
  expect(await told('"only"')).toEqual([['', 'only']])
})

it('reads control characters that JSON allows in a string, and a sequence with its separators', async () => {
  expect(texts(await readFile('json', '["a\x7fb", "c\x85d", "e\\u0000f", "g\\u0001h"]'))).toEqual([
    'a b',
    'c d',
    'ef',
    'g h',
  ])
  expect(texts(await readFile('json', '\x1e{"a":1}\n\x1e{"a":2}\n'))).toEqual(['a: 1', 'a: 2'])
  for (const bad of ['["a\x01b"]', '[\x1e1]', '["a\0b"]', '[1]\0'])
    expect((await readFile('json', bad)).failure).toBe('damaged')
})

it('keeps numbers as they are written', async () => {
  expect(texts(await readFile('json', '[12345678901234567890123, 1e400, -0.10]'))).toEqual([
    '12345678901234567890123',
    '1e400',
    '-0.10',
  ])
})

it('reads names of built-in properties like other names', async () => {
  expect(
    texts(await readFile('json', '{"__proto__":{"polluted":"yes"},"constructor":{"prototype":{"x":"y"}}}')),
  ).toEqual(['__proto__.polluted: yes', 'constructor.prototype.x: y'])
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
})

describe('invalid JSON', () => {
  it.each([
    '{"a":\n tru}',
    '[1,2',
    '["a" "b"]',
    '{"a":1,}',
    '[1]]',
    '{"a":01}',
    '["some text with a \u0001 in it, which must be escaped there, and is one of more than a hundred characters here"]',
    '["\\x"]',
    '{"a":1} {',
    '[-]',
    '{1:2}',
  ])('fails with damaged: %j', async (source) => {
    expect((await readFile('json', source)).failure).toBe('damaged')
  })

  it('fails with its line and character', () => {
    const tokens = new JsonTokens({
      open: () => undefined,
      close: () => undefined,
      name: () => undefined,
      value: () => undefined,
    })
    tokens.write('{"a": 1,\n "b": ')
    expect(() => tokens.write('nix}')).toThrow('Not valid JSON at line 2, character 7: a value is expected.')
  })

  it.each(['[]', '{}', 'null', '""', '[[],{},null," "]', '{"a":null}'])(
    'without text fails with no_text: %s',
    async (source) => {
      expect((await readFile('json', source)).failure).toBe('no_text')
    },
  )

  it('fails for a string longer than a megabyte', async () => {
    expect(await readFile('json', `["${'x'.repeat(5_000_000)}`)).toMatchObject({
      blocks: [],
      failure: 'value_too_large',
    })
  })

  it('fails if it is nested too deep', async () => {
    expect((await readFile('json', '['.repeat(1_000_000))).failure).toBe('value_too_large')
    expect((await readFile('json', `${'{"a":'.repeat(400)}"deep"${'}'.repeat(400)}`)).blocks[0]?.text).toMatch(
      /^a\.a\.a.*: deep$/,
    )
  })
})

it('emits the text before the damage', async () => {
  expect(await readFile('json', '[{"a":"first"},{"a":"second"},{"a":')).toMatchObject({
    blocks: [{ text: 'a: first' }, { text: 'a: second' }],
    failure: 'damaged',
  })
})

it('splits a record that is too long for a block', async () => {
  const source = JSON.stringify([
    Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`name${index}`, `value ${index}`])),
  ])
  const { blocks } = await readFile('json', source)
  expect(blocks.length).toBeGreaterThan(5)
  expect(
    blocks
      .map(({ text }) => text)
      .join('\n')
      .split('\n').length,
  ).toBe(20_000)
  expect(new Set(blocks.map(({ at }) => at.path))).toEqual(new Set(['/0']))
})

/** Builds the value that the tokens describe, to compare it with the result of `JSON.parse`. */
const parsed = (pieces: readonly string[]): unknown => {
  const stack: { value: unknown; name: string }[] = [{ value: [], name: '' }]
  const put = (value: unknown) => {
    const top = stack.at(-1)
    if (Array.isArray(top?.value)) top.value.push(value)
    else if (top)
      Object.defineProperty(top.value, top.name, { value, enumerable: true, configurable: true, writable: true })
  }
  const tokens = new JsonTokens({
    open: (array) => stack.push({ value: array ? [] : {}, name: '' }),
    close: () => put(stack.pop()?.value),
    name: (name) => {
      const top = stack.at(-1)
      if (top) top.name = name
    },
    value: (kind, text) => put(kind === 'string' ? text : JSON.parse(text)),
  })
  for (const piece of pieces) tokens.write(piece)
  tokens.end()
  const [root] = stack
  if (!Array.isArray(root?.value) || root.value.length !== 1) throw new Error('not one value')
  return root.value[0]
}

it('agrees with JSON.parse, however the text is cut', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(3), fc.array(fc.nat(200)), (value, indent, cuts) => {
      const text = JSON.stringify(value, null, indent).replaceAll('é', '\\u00e9')
      const at = [0, ...cuts.filter((cut) => cut < text.length).toSorted((a, b) => a - b), text.length]
      expect(parsed(at.slice(1).map((to, index) => text.slice(at[index], to)))).toEqual(JSON.parse(text))
    }),
    { numRuns: 300 },
  )
  const signs = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    '\\',
    'a',
    '1',
    '0',
    '-',
    '.',
    'e',
    ' ',
    'true',
    'null',
    '"a"',
    '\\u0041',
    '\n',
  )
  fc.assert(
    fc.property(
      fc.array(signs, { minLength: 1, maxLength: 8 }).map((parts) => parts.join('')),
      (text) => {
        const result = (read: () => unknown) => {
          try {
            return { value: read() }
          } catch {
            return 'refused'
          }
        }
        expect(result(() => parsed([text]))).toEqual(result(() => JSON.parse(text)))
      },
    ),
    { numRuns: 3000 },
  )
})

it('emits null, and the name of an array before the values of nested arrays', async () => {
  expect(await told('{"name":"Ann","email":null,"m":[[1,null],[3,[4]],{"a":5}]}')).toEqual([
    ['/name', 'name: Ann'],
    ['/email', 'email: null'],
    ['/m/0', 'm: 1, null'],
    ['/m/1', 'm: 3\nm.1: 4'],
    ['/m/2', 'a: 5'],
  ])
})

it('reads strings that end lines as lines of one text', async () => {
  const cells = [
    { cell_type: 'code', source: ['import os\n', '\n', 'if os:\n', "    print('x')"] },
    { source: ['one', 'two'] },
  ]
  expect(await told(JSON.stringify({ cells }))).toEqual([
    ['/cells/0', "cell_type: code\nsource: import os\n\nif os:\n    print('x')"],
    ['/cells/1', 'source: one, two'],
  ])
})
