import { describe, expect, it } from 'vitest'
import { renameBoundary } from './rename-boundary.ts'

const rename = (form: string, pieceBytes = form.length): string => {
  const renamed = renameBoundary('multipart/form-data; boundary=XX')
  if (!renamed) throw new Error('no boundary')
  let out = ''
  for (let from = 0; from < form.length; from += pieceBytes)
    out += renamed.write(Buffer.from(form.slice(from, from + pieceBytes)))
  out += renamed.end()
  return out.replaceAll(renamed.contentType.slice('multipart/form-data; boundary='.length), '<NEW>')
}

describe('the boundary of a form', () => {
  const form = [
    'preamble --XX',
    '--XX',
    'a: b',
    '',
    'one',
    '--XXY',
    '--XX-',
    '--XX\rtwo',
    '--XX two',
    '--XX--',
    'epilogue',
    '--XX',
    '',
  ].join('\r\n')
  const wanted =
    '\r\npreamble --XX\r\n--<NEW>\r\na: b\r\n\r\none\r\n--XXY\r\n--XX-\r\n--XX\rtwo\r\n--XX two\r\n--<NEW>--\r\n'

  it.each([1, 2, 3, 5, 7, 11, 1_000])(
    'is renamed where it delimits, and left alone in content, in pieces of %i bytes',
    (size) => {
      expect(rename(form, size)).toBe(wanted)
    },
  )

  it.each([1, 4, 1_000])('may be followed by white space, in pieces of %i bytes', (size) => {
    expect(rename('--XX \t \r\nx\r\n--XX\t\r\ny\r\n--XX-- \r\n', size)).toBe(
      '\r\n--<NEW>\r\nx\r\n--<NEW>\r\ny\r\n--<NEW>--\r\n',
    )
  })

  it('leaves a form that does not end as it is', () => {
    expect(rename('--XX\r\na: b\r\n\r\none\r\n--X')).toBe('\r\n--<NEW>\r\na: b\r\n\r\none\r\n--X')
    expect(rename('--XX\r\na: b\r\n\r\none\r\n--XX  ')).toBe('\r\n--<NEW>\r\na: b\r\n\r\none\r\n--XX  ')
  })

  it.each([
    ['multipart/form-data; boundary=a', true],
    ['Multipart/Form-Data;charset=utf-8; BOUNDARY="a b:c"', true],
    ['multipart/form-data; boundary=', false],
    ['multipart/form-data; boundary=""', false],
    ['multipart/form-data; boundary=x;', false],
    ['multipart/form-data; boundary=a b', false],
    ['multipart/form-data; boundary="x', false],
    ['multipart/form-data', false],
    ['multipart/mixed; boundary=a', false],
  ])('is read from %j: %s', (contentType, isThere) => {
    expect(renameBoundary(contentType) !== undefined).toBe(isThere)
  })
})
