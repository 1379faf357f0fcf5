import iconv from 'iconv-lite'
import type { Mutations, Subject } from './mutation.ts'

const spliced = ({ bytes, random }: Subject, ...middle: Buffer[]): Buffer => {
  const index = random.below(bytes.length)
  return Buffer.concat([bytes.subarray(0, index), ...middle, bytes.subarray(index)])
}

const lines = (count: number, line: (index: number) => string) =>
  Buffer.from(Array.from({ length: count }, (_, index) => line(index)).join('\n'))

/** Damage to the encoding of a text. */
const encodingMutations: Mutations = {
  'no-letter-in-the-middle': (subject) =>
    spliced(
      subject,
      Buffer.from(
        subject.random.pick(['ff', 'fe', 'c0af', 'eda080', 'f8888080', 'f4908080', '80', 'e28', 'c3']).padEnd(2, '0'),
        'hex',
      ),
    ),
  'another-encoding-in-the-middle': (subject) => {
    const other = subject.random.pick(['utf-16le', 'windows-1251', 'shift_jis', 'gb18030', 'koi8-r'])
    return spliced(subject, iconv.encode('\nСлово слово слово 新鮮 слово\n', other))
  },
  'half-in-utf-16': ({ bytes }) => {
    const half = bytes.length >> 1
    return Buffer.concat([bytes.subarray(0, half), Buffer.from(bytes.subarray(half).toString('latin1'), 'utf16le')])
  },
  'odd-utf-16': ({ bytes }) =>
    Buffer.concat([Buffer.from(`\ufeff${bytes.toString('latin1')}`, 'utf16le'), Buffer.from('a')]),
  'lone-surrogates': ({ bytes }) =>
    Buffer.from(`\ufeff${bytes.toString('latin1').slice(0, 500)}\ud800 \udc00 \ud800\ud800 end`, 'utf16le'),
  'lying-byte-order-mark': ({ bytes, random }) =>
    Buffer.concat([Buffer.from(random.pick(['fffe', 'feff', 'efbbbf', 'fffe0000', '2b2f76']), 'hex'), bytes]),
  'byte-order-marks-within': (subject) =>
    spliced(subject, ...Array.from({ length: 50 }, () => Buffer.from('efbbbf', 'hex'))),
  'zeros-within': (subject) => spliced(subject, Buffer.alloc(1 + subject.random.below(50))),
  'control-characters': (subject) =>
    spliced(
      subject,
      Buffer.from('\u0001\u0007\b\u000b\u000c\u001b[31m\u007f\u0085\u2028\u2029\u200b\u202e\ufeff\ufffe\uffff'),
    ),
  'cut-in-a-letter': ({ bytes }) => Buffer.concat([bytes, Buffer.from('слово').subarray(0, 9)]),
  'one-endless-line': ({ hugeBytes, random }) => Buffer.alloc(hugeBytes, random.pick(['a', 'word ', '日', ' a, b;'])),
  'only-blanks': ({ random }) =>
    Buffer.alloc(1 + random.below(100_000), random.pick([' ', '\n', ' \r\n\t', '\u00a0', '\u3000'])),
  'only-line-ends': ({ hugeBytes, random }) => Buffer.alloc(hugeBytes >> 2, random.pick(['\n', '\r', '\r\n', '\n\r'])),
  'many-combining-marks': () => Buffer.from(`a${'\u0301'.repeat(500_000)}`),
}

const csvMutations: Mutations = {
  'cells-that-act': ({ canaryUrl }) =>
    Buffer.from(
      `name,remark\n=cmd|'/C calc'!A0,"=HYPERLINK(""${canaryUrl}"",""x"")"\n+1+1,-2+3\n@SUM(A1:A9),"=IMPORTXML(""${canaryUrl}"",""//a"")"\n`,
    ),
  'huge-field': ({ hugeBytes, random }) => {
    const field = Buffer.alloc(hugeBytes, random.pick(['a', 'word ', '""']))
    return Buffer.concat([Buffer.from('id,remark\n1,before\n2,"'), field, Buffer.from('"\n3,after\n')])
  },
  'quote-never-closed': (subject) => spliced(subject, Buffer.from('\n"')),
  'quotes-everywhere': ({ bytes }) =>
    Buffer.from(
      bytes.toString('latin1').replace(/[aeiou]/g, (found) => `${found}"`),
      'latin1',
    ),
  'million-columns': () =>
    Buffer.concat([Buffer.alloc(2_000_000, 'c,'), Buffer.from('\n'), Buffer.alloc(2_000_000, '1,'), Buffer.from('\n')]),
  'ragged-rows': ({ random }) => lines(2_000, () => 'x,'.repeat(random.below(50))),
  'only-delimiters': ({ random }) => Buffer.alloc(100_000, random.pick([',', ';', '\t', ',\n', '|'])),
  'only-a-header': () => Buffer.from('id,name,remark'),
  'header-of-the-same': () => Buffer.from('a,a,a,,__proto__,constructor,toString\n1,2,3,4,5,6,7\n'),
  'line-ends-mixed': ({ random }) =>
    Buffer.from(
      Array.from({ length: 500 }, (_, index) => `${index},x${random.pick(['\n', '\r', '\r\n', '\r\r\n'])}`).join(''),
    ),
  'delimiters-mixed': ({ random }) => lines(500, (index) => [index, 'x', 'y'].join(random.pick([',', ';', '\t', '|']))),
}

const jsonMutations: Mutations = {
  'deep-arrays': ({ random }) => {
    const depth = random.pick([10_000, 1_000_000])
    return Buffer.from(`${'['.repeat(depth)}1${']'.repeat(depth)}`)
  },
  'deep-arrays-open': () => Buffer.alloc(5_000_000, '['),
  'deep-objects': () => Buffer.from(`${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`),
  'huge-string': ({ hugeBytes }) =>
    Buffer.concat([Buffer.from('[{"a":"before"},{"a":"'), Buffer.alloc(hugeBytes, 'a'), Buffer.from('"}]')]),
  'huge-string-open': ({ hugeBytes }) => Buffer.concat([Buffer.from('"'), Buffer.alloc(hugeBytes, 'a')]),
  'huge-key': ({ hugeBytes }) => Buffer.concat([Buffer.from('{"'), Buffer.alloc(hugeBytes, 'k'), Buffer.from('":1}')]),
  'huge-number': ({ hugeBytes }) => Buffer.concat([Buffer.from('[1,'), Buffer.alloc(hugeBytes, '1'), Buffer.from(']')]),
  'many-keys': () =>
    Buffer.from(`[{${Array.from({ length: 300_000 }, (_, index) => `"k${index}":${index}`).join(',')}}]`),
  'prototype-keys': () =>
    Buffer.from(
      '[{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"text":"kept"},{"__proto__":null,"toString":"x","hasOwnProperty":1}]',
    ),
  'same-keys': () => Buffer.from('{"a":"first","a":"second","a":{"a":"third"}}'),
  'numbers-without-measure': () =>
    Buffer.from('[1e99999,-1e99999,0.000000000000000000000000000000000000001,123456789012345678901234567890,-0]'),
  'not-quite-json': ({ random }) =>
    Buffer.from(
      random.pick([
        "[{'a':1}]",
        '[1,2,]',
        '{a:1}',
        '[NaN]',
        '[01]',
        '[1 2]',
        '["\\x"]',
        '["\n"]',
        '{"a"}',
        '[1]]',
        '{"a":1}}',
        '[/* c */1]',
        'undefined',
        '["\\ud800"]',
        '[1',
        '-',
      ]),
    ),
  'broken-at-the-end': ({ bytes }) =>
    Buffer.concat([bytes.subarray(0, Math.max(1, bytes.length - 5)), Buffer.from('}{][')]),
  'lines-some-broken': () =>
    lines(200, (index) => (index % 17 === 5 ? '{"broken":' : JSON.stringify({ at: index, text: 'kept' }))),
  'bare-values': ({ random }) =>
    Buffer.from(random.pick(['null', 'true', '1', '""', '[]', '{}', '[[],[]]', '[null,null]', '"text"'])),
  'comma-flood': () => Buffer.from(`[${','.repeat(1_000_000)}]`),
}

const markdownMutations: Mutations = {
  'deep-quotes': () => Buffer.from(`${'> '.repeat(20_000)}deep`),
  'deep-lists': () => lines(2_000, (index) => `${'  '.repeat(index)}- item ${index}`),
  'brackets-without-end': ({ random }) =>
    Buffer.alloc(200_000, random.pick(['[', '![', '](', '*a_', '`', '<', '&', '**a ', '[a](', '\\'])),
  'fence-never-closed': (subject) => spliced(subject, Buffer.from('\n\n```\n')),
  'front-matter-never-closed': ({ bytes }) => Buffer.concat([Buffer.from('---\ntitle: x\n'), bytes]),
  'front-matter-that-acts': ({ bytes, canaryFile }) =>
    Buffer.concat([
      Buffer.from(
        `---\n__proto__: polluted\nconstructor: x\nfile: !include ${canaryFile}\nrun: !!js/function "() => process.exit()"\na: &a [*a, *a]\n? key\n: x\nnested:\n  deep:\n    - 1\n---\n\n`,
      ),
      bytes,
    ]),
  'front-matter-of-aliases': () =>
    Buffer.from(
      `---\na0: &a0 ["x"]\n${Array.from({ length: 20 }, (_, index) => `a${index + 1}: &a${index + 1} [${`*a${index},`.repeat(10)}]`).join('\n')}\n---\n\ntext\n`,
    ),
  'pictures-and-pages-elsewhere': ({ canaryFile, canaryUrl }) =>
    Buffer.from(
      `# Title\n\n![x](${canaryUrl})\n\n![x](file://${canaryFile})\n\n<img src="${canaryUrl}"><script src="${canaryUrl}"></script>\n\n[x]: ${canaryUrl}\n\ntext\n`,
    ),
  'wide-table': () => Buffer.from(`|${' a |'.repeat(50_000)}\n|${' - |'.repeat(50_000)}\n|${' b |'.repeat(50_000)}\n`),
  'headings-only': () => lines(50_000, (index) => `${'#'.repeat(1 + (index % 7))} h${index}`),
  'references-without-end': () => lines(50_000, (index) => `[r${index}]: <r${index + 1}>\n[r${index}][r${index}]`),
}

export const textMutations = {
  txt: encodingMutations,
  csv: { ...encodingMutations, ...csvMutations },
  json: { ...encodingMutations, ...jsonMutations },
  md: { ...encodingMutations, ...markdownMutations },
} as const satisfies Record<string, Mutations>
