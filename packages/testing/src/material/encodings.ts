import iconv from 'iconv-lite'
import type { Language } from './sentences.ts'

export type TextEncoding = {
  /** iconv-lite's name of the encoding. */
  readonly name: string
  readonly byteOrderMark: boolean
  /** Languages whose letters the encoding has. */
  readonly languages: readonly Language[]
}

const one = (name: string, ...languages: Language[]): TextEncoding => ({ name, byteOrderMark: false, languages })
const all: Language[] = [
  'english',
  'french',
  'polish',
  'russian',
  'greek',
  'hebrew',
  'arabic',
  'japanese',
  'chinese',
  'korean',
]

/** Common and rare encodings of text files. */
export const encodings: readonly TextEncoding[] = [
  { name: 'utf-8', byteOrderMark: false, languages: all },
  { name: 'utf-8', byteOrderMark: true, languages: all },
  { name: 'utf-16le', byteOrderMark: true, languages: all },
  { name: 'utf-16be', byteOrderMark: true, languages: all },
  one('utf-16le', 'english', 'french'),
  one('windows-1250', 'polish'),
  one('windows-1251', 'russian'),
  one('windows-1252', 'french'),
  one('windows-1253', 'greek'),
  one('windows-1254', 'turkish'),
  one('windows-1255', 'hebrew'),
  one('windows-1256', 'arabic'),
  one('windows-1257', 'lithuanian'),
  one('iso-8859-1', 'german'),
  one('iso-8859-2', 'polish'),
  one('iso-8859-5', 'russian'),
  one('iso-8859-7', 'greek'),
  one('iso-8859-9', 'turkish'),
  one('iso-8859-15', 'french'),
  one('koi8-r', 'russian'),
  one('shift_jis', 'japanese'),
  one('euc-jp', 'japanese'),
  one('gbk', 'chinese'),
  one('gb18030', 'chinese'),
  one('big5', 'taiwanese'),
  one('euc-kr', 'korean'),
]

export const encodeAs = (text: string, { name, byteOrderMark }: TextEncoding): Buffer =>
  iconv.encode(text, name, { addBOM: byteOrderMark })
