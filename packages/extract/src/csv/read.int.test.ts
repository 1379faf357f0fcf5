import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readFile, texts } from '../read-file.fixture.ts'
import { csvRecords } from './csv-records.ts'

const recordsOf = async (pieces: readonly string[], delimiter = ',') => {
  const text = (async function* () {
    yield* pieces
  })()
  return (await Array.fromAsync(csvRecords(text, delimiter))).flat()
}

it('writes each row with the names of its columns and its number', async () => {
  const { blocks } = await readFile('csv', 'id,name,note\n1,Ann,"says ""hi"", twice"\n\n2,Bob,\n')
  const places = expect.any(String)
  expect(blocks).toEqual([
    {
      seq: 0,
      kind: 'row',
      text: 'id: 1\nname: Ann\nnote: says "hi", twice',
      header: 'id | name | note',
      at: { rows: { from: 2, to: 2 } },
      places,
    },
    {
      seq: 1,
      kind: 'row',
      text: 'id: 2\nname: Bob',
      header: 'id | name | note',
      at: { rows: { from: 4, to: 4 } },
      places,
    },
  ])
})

it.each([',', ';', '\t', '|'])('finds that %j parts the fields', async (delimiter) => {
  const source =
    ['name', 'city', 'said'].join(delimiter) +
    `\nAnn${delimiter}Rome${delimiter}"one, two; three | four\tfive"\nBob${delimiter}Oslo${delimiter}"a, b"`
  expect(texts(await readFile('csv', source))[1]).toBe('name: Bob\ncity: Oslo\nsaid: a, b')
})

it('reads cells and names with zeros and controls in them', async () => {
  const { blocks } = await readFile('csv', 'na\x7fme,pri\0ce\napple\0,1\x012\npear,\0\0\nfig,3\n')
  expect(blocks.map(({ text, header }) => [header, text])).toEqual([
    ['na me | pri ce', 'na me: apple\npri ce: 1 2'],
    ['na me | pri ce', 'na me: pear'],
    ['na me | pri ce', 'na me: fig\npri ce: 3'],
  ])
})

it('reads a number with a decimal comma as one field', async () => {
  expect(texts(await readFile('csv', 'item;price\npen;1,50\nink;12,25\ncup;3,00\n'))).toEqual([
    'item: pen\nprice: 1,50',
    'item: ink\nprice: 12,25',
    'item: cup\nprice: 3,00',
  ])
})

it('uses the delimiter of the sep= line that Excel writes', async () => {
  const { blocks } = await readFile('csv', 'sep=;\r\na;b\r\n1,2;3\r\n')
  expect(blocks).toMatchObject([{ text: 'a: 1,2\nb: 3', at: { rows: { from: 3 } } }])
})

it('reads years above numbers as column names, and other numbers as data', async () => {
  expect(texts(await readFile('csv', 'Country,2019,2020\nPeru,1.5,2\nChad,3,4\n'))[0]).toBe(
    'Country: Peru\n2019: 1.5\n2020: 2',
  )
  expect(texts(await readFile('csv', '1,2\n3,4\n'))).toEqual(['1 | 2', '3 | 4'])
})

it('leaves formulas unchanged', async () => {
  const cells = ["=cmd|' /C calc'!A0", '+1+1', '-2+3', '@SUM(1)']
  const { blocks } = await readFile('csv', `a;b;c;d\n${cells.join(';')}\n`)
  expect(blocks[0]?.text).toBe(cells.map((cell, index) => `${'abcd'[index]}: ${cell}`).join('\n'))
})

describe('an unmatched quote', () => {
  it('leaves the fields of its row complete except for quotes', async () => {
    const { blocks, notes } = await readFile('csv', 'a,b\n1,"never closed\n2,fine\n3,fine too\n')
    expect(blocks.map(({ text }) => text)).toEqual(['a: 1\nb: "never closed', 'a: 2\nb: fine', 'a: 3\nb: fine too'])
    expect(notes).toEqual(['row_unreadable'])
  })

  it('is noted within a line as well', async () => {
    const { blocks, notes } = await readFile('csv', 'a,b\n"say "hello" friend",x\n2,fine\n')
    expect(blocks.map(({ text }) => text)).toEqual(['a: "say "hello" friend"\nb: x', 'a: 2\nb: fine'])
    expect(notes).toEqual(['row_unreadable'])
  })

  it('ends the search for its partner after a megabyte', async () => {
    const { blocks, notes } = await readFile('csv', `a,b\n1,"open\n${`2,${'fine '.repeat(40)}\n`.repeat(6000)}`)
    expect(blocks.length).toBe(6001)
    expect(notes).toEqual(['row_unreadable'])
  })
})

it('cuts a field of many megabytes, with a note', async () => {
  const { blocks, notes } = await readFile('csv', `a,b\n1,${'y'.repeat(12_000_000)}\n2,fine\n`)
  expect(notes).toEqual(['value_cut'])
  expect(blocks.at(-1)?.text).toBe('a: 2\nb: fine')
  expect(blocks.length).toBeLessThan(30)
})

it('reads rows with more columns than a spreadsheet allows, without names', async () => {
  const row = Array.from({ length: 100_000 }, (_, index) => `c${index}`).join(',')
  const { blocks } = await readFile('csv', `${row}\n${row}\n`)
  expect(blocks[0]?.text.startsWith('c0 | c1 | c2')).toBe(true)
  const all = new Set(blocks.flatMap(({ text }) => text.split(/ \| |,|\n/)))
  const cut = Array.from({ length: 100_000 }, (_, index) => `c${index}`).filter((name) => !all.has(name))
  expect(cut.length).toBeLessThan(2 * blocks.length)
})

it('reads the same records however the text is cut into pieces', async () => {
  const field = fc.string({ unit: fc.constantFrom('a', 'b', ' ', ',', '"', '\n', '\r'), maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' '), maxLength: 40 }),
      fc.array(fc.nat(40), { maxLength: 4 }),
      async (text, cuts) => {
        const at = [0, ...cuts.filter((cut) => cut < text.length).toSorted((a, b) => a - b), text.length]
        const pieces = at
          .slice(1)
          .map((to, index) => text.slice(at[index], to))
          .filter(Boolean)
        expect(await recordsOf(pieces)).toEqual(await recordsOf([text]))
      },
    ),
    { numRuns: 300 },
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(field, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 5 }),
      async (rows) => {
        const text = rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\r\n')
        expect((await recordsOf([text])).map(({ fields }) => fields)).toEqual(rows)
      },
    ),
    { numRuns: 200 },
  )
})

it('fails with no_text for a file of delimiters only', async () => {
  expect(await readFile('csv', ',,,\n,,,\n')).toMatchObject({ blocks: [], failure: 'no_text' })
  // The record has more columns than the parser splits.
  for (const delimiter of ['|', ' ;']) {
    expect(await readFile('csv', delimiter.repeat(50_000))).toMatchObject({ blocks: [], failure: 'no_text' })
  }
})

it('reads a header without records as text', async () => {
  expect(texts(await readFile('csv', 'name,city\n'))).toEqual(['name | city'])
})

it.each([
  [
    'a title',
    'Sales report\nGenerated 2024-05-01\n\nRegion,Units\nNorth,120\n',
    ['Sales report', 'Generated 2024-05-01', 'Region: North\nUnits: 120'],
  ],
  [
    'comments',
    '# by a tool, v2\n# kg\nregion,units\nnorth,120\n',
    ['by a tool, v2', 'kg', 'region: north\nunits: 120'],
  ],
  ['names behind a mark', '#chrom\tpos\n1\t500\n2\t700\n', ['chrom: 1\npos: 500', 'chrom: 2\npos: 700']],
  ['hashtags', '#bees,12\n#pears,3\n', ['#bees: 12', '#pears: 3']],
])('reads %s above the table apart from the column names', async (_, source, expected) => {
  expect(texts(await readFile('csv', source))).toEqual(expected)
})

it('reads one column of sentences as one column', async () => {
  expect(texts(await readFile('csv', 'text\nHello, world, again\nAnother, line\n'))).toEqual([
    'text: Hello, world, again',
    'text: Another, line',
  ])
  const lines = ['Hello, world, again', 'Another, line', 'One, with, many, commas']
  expect(texts(await readFile('csv', lines.join('\n')))).toEqual(lines)
  expect(texts(await readFile('csv', 'id,text\n1,Hello, world, again\n2,fine\n3,Well, yes\n4,no\n'))).toEqual([
    'id: 1\ntext: Hello, world, again',
    'id: 2\ntext: fine',
    'id: 3\ntext: Well, yes',
    'id: 4\ntext: no',
  ])
})

it('reads fields between single quotes, but not apostrophes', async () => {
  expect(texts(await readFile('csv', "id,text\n1,'a, b'\n2,'it''s'\n"))).toEqual([
    'id: 1\ntext: a, b',
    "id: 2\ntext: it's",
  ])
  expect(texts(await readFile('csv', "id,text\n1,'tis\n2,it's\n"))).toEqual(["id: 1\ntext: 'tis", "id: 2\ntext: it's"])
})

it('continues a table after an empty row, and begins another if the rows do not fit', async () => {
  expect(texts(await readFile('csv', 'Fruit,Kg\nPear,10\n\nPlum,20\n,,\nTool,Owner\nSaw,Ann\n'))).toEqual([
    'Fruit: Pear\nKg: 10',
    'Fruit: Plum\nKg: 20',
    'Tool: Saw\nOwner: Ann',
  ])
})

it('emits the same blocks when it resumes at any of them', async () => {
  const source = `Report\n\nName,Kg\n${'Pear,10\nPlum,20\n'.repeat(60)}\nShed,Keeper\nEast,Ann\n`
  const { blocks } = await readFile('csv', source)
  for (const seq of [0, 1, 49, 60, 121])
    expect((await readFile('csv', source, { from: { seq } })).blocks).toEqual(blocks.slice(seq))
})

it('reads labels with values as a form, although the first value is a year', async () => {
  const read = await readFile('csv', 'Member since,2009\nName,Ann Moor\nCity,Rome\nPhone,555\n')
  expect(texts(read)).toEqual(['Member since: 2009', 'Name: Ann Moor', 'City: Rome', 'Phone: 555'])
})
