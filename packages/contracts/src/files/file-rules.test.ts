import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { utf8Length } from '../text/text.ts'
import { checkFileName, contentTypeOf, extensionOf, fileExtensions, fileTypeOf, fileTypes } from './file-rules.ts'

const accepted = (name: string) => {
  const checked = checkFileName(name)
  return checked.ok ? checked.name : undefined
}
const requirement = (name: string) => {
  const checked = checkFileName(name)
  return checked.ok ? undefined : checked.requirement
}
/**
 * Returns a file name of exactly `bytes` bytes, including slashes and extension, with segments of at most 204 bytes.
 */
const ofBytes = (bytes: number): string => {
  const name = `${'d'.repeat(199)}/`.repeat(Math.floor((bytes - 5) / 200))
  return `${name}${'x'.repeat(bytes - 4 - name.length)}.txt`
}

describe('the type of a file', () => {
  it.each([
    ['a.pdf', 'application/pdf'],
    ['a.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    ['a.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
    ['a.json', 'application/json'],
    ['a.txt', 'text/plain'],
    ['a.csv', 'text/csv'],
    ['a.md', 'text/markdown'],
    ['a.html', 'text/html'],
    ['a.htm', 'text/html'],
    ['a.pptx', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
    ['a.eml', 'message/rfc822'],
    ['a.epub', 'application/epub+zip'],
    ['a.png', 'image/png'],
    ['a.JPG', 'image/jpeg'],
    ['a.jpeg', 'image/jpeg'],
    ['a.tiff', 'image/tiff'],
    ['a.tif', 'image/tiff'],
    ['a.webp', 'image/webp'],
    ['folder.md/a.b.TXT', 'text/plain'],
  ])('of %s is %s', (name, type) => {
    expect(contentTypeOf(name)).toBe(type)
  })

  it.each(['a', '.txt', 'a/.txt', 'a.', 'a.txt.', 'a.txt ', 'a.xht', 'a.txt.exe', 'x.constructor', 'a.txt/b', ''])(
    'of %j is none that is taken',
    (name) => {
      expect(contentTypeOf(name)).toBeUndefined()
    },
  )

  it('is what follows the last dot of the last segment, in small letters', () => {
    expect(extensionOf('a.b/c.tar.GZ')).toBe('.gz')
    expect(extensionOf('a.b/c')).toBe('')
  })

  it('is one of the seven of the specification in its order, or one of those added since', () => {
    expect(fileExtensions).toEqual([
      '.pdf',
      '.docx',
      '.xlsx',
      '.json',
      '.txt',
      '.csv',
      '.md',
      '.html',
      '.htm',
      '.pptx',
      '.eml',
      '.epub',
      '.png',
      '.jpg',
      '.jpeg',
      '.tiff',
      '.tif',
      '.webp',
    ])
    expect(fileTypes).toEqual(['pdf', 'docx', 'xlsx', 'json', 'txt', 'csv', 'md', 'html', 'pptx', 'eml', 'epub', 'png'])
  })

  it('is one for all extensions that stand for it', () => {
    expect([fileTypeOf('a.HTM'), fileTypeOf('a.html'), fileTypeOf('a.exe')]).toEqual(['html', 'html', undefined])
  })
})

describe('the name of a file', () => {
  it.each([
    'a.txt',
    'a/b/c.md',
    'a b.txt',
    '..a.txt',
    'a..b.txt',
    '...txt',
    'CON.txt',
    '100%.txt',
    '%2e%2e%2fx.txt',
    'a\uFF0Fb.txt',
    '-rf.txt',
    "it's.txt",
    '😀.txt',
  ])('may be %j, and stays so', (name) => {
    expect(accepted(name)).toBe(name)
  })

  it('is one in its composed and its decomposed spelling', () => {
    expect(accepted('Cafe\u0301.txt')).toBe('Caf\u00e9.txt')
    expect(accepted('Caf\u00e9.txt')).toBe('Caf\u00e9.txt')
  })

  it.each([
    ['', /empty/],
    ['/etc/x.txt', /relative/],
    ['../../x.txt', /segment/],
    ['a/../../b.txt', /segment/],
    ['a/./b.txt', /segment/],
    ['a//b.txt', /segment/],
    ['a.txt/', /segment/],
    ['..\\x.txt', /backslash/],
    ['a\u0000.txt', /control/],
    ['a\r\nb.txt', /control/],
    ['a\u007f.txt', /control/],
    ['a\u0085.txt', /control/],
    ['a\ufffe.txt', /control/],
    ['a\uffff.txt', /control/],
    ['a\ud800.txt', /surrogates/],
    ['x.txt.exe', /end in one of/],
    ['.txt', /end in one of/],
  ])('may not be %j', (name, why) => {
    expect(requirement(name)).toMatch(why)
  })

  it('says which type is not taken', () => {
    expect(checkFileName('a.EXE')).toMatchObject({ ok: false, type: '.exe' })
    expect(checkFileName('a')).toMatchObject({ ok: false, type: '' })
    expect(checkFileName('../a.exe')).not.toHaveProperty('type')
  })

  it.each([
    [699, true],
    [700, true],
    [701, false],
    [1_025, false],
  ])('of %i bytes is taken: %s', (bytes, ok) => {
    expect(utf8Length(ofBytes(bytes))).toBe(bytes)
    expect(checkFileName(ofBytes(bytes)).ok).toBe(ok)
  })

  it.each([
    [254, true],
    [255, true],
    [256, false],
  ])('with a segment of %i bytes is taken: %s', (bytes, ok) => {
    expect(checkFileName(`${'x'.repeat(bytes - 4)}.txt`).ok).toBe(ok)
    expect(checkFileName(`${'x'.repeat(bytes)}/a.txt`).ok).toBe(ok)
  })

  it('is measured as it is kept: composed', () => {
    expect(checkFileName(`${'e\u0301'.repeat(125)}.txt`).ok).toBe(true)
    expect(requirement(`${'e\u0301'.repeat(126)}.txt`)).toMatch(/255/)
    expect(requirement(`${'é'.repeat(5_000_000)}.txt`)).toMatch(/700/)
  })

  it('is always a path that stays below its folder, and is taken again as it is', () => {
    const part = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 6 }),
      fc.constantFrom('..', '.', '/', '\\', '\u0000', 'a', '%2f', 'e\u0301', '\ud800'),
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), fc.constantFrom('.txt', '.MD', '.exe', ''), (parts, ending) => {
        const name = accepted(parts.join('') + ending)
        if (name === undefined) return
        expect(accepted(name)).toBe(name)
        expect(
          decodeURIComponent(new URL(`http://x/base/${name.split('/').map(encodeURIComponent).join('/')}`).pathname),
        ).toBe(`/base/${name}`)
        expect(name).not.toMatch(/\p{Cc}|\\|^\/|\/\/|(^|\/)\.{1,2}(\/|$)/u)
      }),
      { numRuns: 500 },
    )
  })
})
