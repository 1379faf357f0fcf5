import { describe, expect, it } from 'vitest'
import { highlight, markQuotes, type Piece, shorten } from './highlight.ts'

/** Formats pieces as `[sentence]` with `{words}`, and `<passage>`. */
const shown = (pieces: readonly Piece[]): string =>
  pieces
    .map(
      ({ text, kind }) =>
        ({ plain: text, passage: `<${text}>`, marked: `[${text}]`, word: `{${text}}`, cut: '…' })[kind],
    )
    .join('')

describe('markQuotes', () => {
  const text = 'A spring is 40 m\nbehind the larch. It is dry in August. The hut is open.'
  it('marks the sentences of an answer, wherever they are and whatever is between their words', () => {
    expect(shown(markQuotes(text, 'The hut is open. A spring is 40 m behind the larch.'))).toBe(
      '[A spring is 40 m\nbehind the larch.] It is dry in August. [The hut is open.]',
    )
  })

  it('marks nothing that the answer says in other words, and nothing for no answer', () => {
    expect(shown(markQuotes(text, 'The spring is near the larch.'))).toBe(text)
    expect(shown(markQuotes(text, ''))).toBe(text)
    expect(markQuotes('', 'a')).toEqual([])
  })
})

describe('markQuotes of a row', () => {
  const quote = '103 – route: Carrick Quay - Skerrow; departure: 10:45; ship: Lady Morwenna'

  it('marks the cells of a table, empty ones between them or not', () => {
    const row = '| 103 | Carrick Quay - Skerrow | 10:45 | | Lady Morwenna |'
    expect(shown(markQuotes(`| no | route |\n| --- | --- |\n| 102 | Skerrow |\n${row}\n`, quote))).toBe(
      `| no | route |\n| --- | --- |\n| 102 | Skerrow |\n| [${row.slice(2, -2)}] |\n`,
    )
  })

  it('marks the lines of a record', () => {
    const record = 'no: 103\nroute: Carrick Quay - Skerrow\ndeparture: 10:45\nship: Lady Morwenna'
    expect(shown(markQuotes(`no: 102\nroute: Skerrow\n\n${record}\n`, `no: ${quote}`))).toBe(
      `no: 102\nroute: Skerrow\n\n[${record}]\n`,
    )
  })

  it('marks no other row, and ends soon whatever the answer is made of', () => {
    expect(shown(markQuotes('| 103 | Carrick Quay - Skerrow | 12:40 | Lady Morwenna |', quote))).not.toContain('[')
    const signs = '; – '.repeat(400)
    expect(shown(markQuotes(`${signs}a`, `a${signs}b`))).toBe(`${signs}a`)
  })
})

describe('a quote with signs and abbreviations', () => {
  it('is marked in one piece, whatever spaces are in the source', () => {
    expect(
      shown(markQuotes('- Head (acting):\n  Mrs. C. M. Abernathy [1]', 'Head (acting): Mrs. C. M. Abernathy [1]')),
    ).toBe('- [Head (acting):\n  Mrs. C. M. Abernathy [1]]')
  })
})

describe('highlight', () => {
  const text = 'Bread is baked in ovens. Cairns mark the path over the pass. Ships follow the coast.'
  const whole = [{ start: 0, end: text.length }]

  it('marks the sentence and the words of the query in it, not the whole passage', () => {
    expect(shown(highlight(text, whole, 'What marks a path?'))).toBe(
      'Bread is baked in ovens. [Cairns ]{mark}[ the ]{path}[ over the pass.] Ships follow the coast.',
    )
    expect(shown(highlight(text, [], 'baking in the oven'))).toBe(
      '[Bread is ]{baked}[ in ]{ovens}[.] Cairns mark the path over the pass. Ships follow the coast.',
    )
  })

  it('looks only in the passage that scored best', () => {
    const path = 'A path. '
    const passages = [{ start: path.length, end: path.length + text.length }]
    expect(shown(highlight(path + text, passages, 'path'))).toContain('[Cairns mark the ]{path}[ over the pass.]')
  })

  it('marks nothing in a text that was found by its meaning alone, and shows its passage', () => {
    expect(shown(highlight(text, [{ start: 25, end: 60 }], 'Wegzeichen'))).toBe(
      'Bread is baked in ovens. <Cairns mark the path over the pass.> Ships follow the coast.',
    )
    expect(shown(highlight(text, [], '[0.1, 0.2]'))).toBe(text)
  })

  it('takes no word that says nothing, unless the query has no other, and no filter', () => {
    expect(shown(highlight(text, [], 'how is the'))).toContain('{is}')
    expect(shown(highlight(text, [], 'how is the coast reached'))).toContain('[Ships follow the ]{coast}[.]')
    expect(shown(highlight(text, [], 'coast #bread'))).not.toContain('{Bread}')
  })

  it('leaves function words out behind a filter, too', () => {
    expect(shown(highlight('The coast is long.', [], '#region:northern the coast'))).toBe('[The ]{coast}[ is long.]')
  })

  it('ends a sentence at a line end, and counts code points', () => {
    const lines = '🪨 Heading about a pass\nThe pass is closed in winter\n'
    expect(shown(highlight(lines, [{ start: 0, end: 26 + 28 }], 'pass in winter'))).toBe(
      '🪨 Heading about a pass\n[The ]{pass}[ is closed in ]{winter}\n',
    )
  })

  it('marks a line that is part of an earlier one where it is', () => {
    expect(shown(highlight('the long pass\nthe pass\n', [{ start: 14, end: 22 }], 'pass'))).toBe(
      'the long pass\n[the ]{pass}\n',
    )
    expect(shown(highlight('a pass x\npass', [], 'pass'))).toBe('[a ]{pass}[ x]\npass')
  })

  it('marks at most 200 words', () => {
    const pieces = highlight('path '.repeat(6_000), [], 'path')
    expect(pieces.filter(({ kind }) => kind === 'word')).toHaveLength(200)
  })

  it('finds words in scripts without spaces, and whatever their accents', () => {
    expect(shown(highlight('他在山上。石堆标记路径。', [], '路径'))).toBe('他在山上。[石堆标记]{路径}[。]')
    expect(shown(highlight('Der Weg über den Paß. Le café est fermé.', [], 'cafe'))).toContain('{café}')
  })
})

describe('shorten', () => {
  const long = 'x'.repeat(1_000)
  it('keeps what is marked, and a little before and after it', () => {
    const pieces = shorten(markQuotes(`${long} here ${long}`, 'here'), 10)
    expect(shown(pieces)).toBe(`…${'x'.repeat(9)} [here] ${'x'.repeat(9)}…`)
    // Every piece is where it is in the whole text.
    expect(pieces.map(({ text }) => text).join('')).toBe(`${long} here ${long}`)
  })

  it('shows the beginning of a long text without a mark or of a long passage, and all of a short one', () => {
    expect(shown(shorten([{ text: long, kind: 'plain' }]))).toBe(`${'x'.repeat(600)}…`)
    expect(shown(shorten([{ text: 'short', kind: 'plain' }]))).toBe('short')
    expect(shown(shorten([{ text: long, kind: 'marked' }]))).toBe(`[${long}]`)
    const pieces = highlight(`${long}. ${long}`, [{ start: 1_002, end: 2_002 }], 'none')
    expect(shown(shorten(pieces, 10))).toBe(`…${'x'.repeat(8)}. ${'x'.repeat(600)}…`)
  })
})
