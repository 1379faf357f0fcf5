const romanSigns: readonly (readonly [number, string])[] = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
]

const roman = (value: number): string => {
  let rest = value
  let text = ''
  for (const [worth, sign] of romanSigns) {
    text += sign.repeat(Math.floor(rest / worth))
    rest %= worth
  }
  return text
}

/** Word repeats a letter after the end of the alphabet: z is followed by aa, bb, cc. */
const letters =
  (alphabet: string) =>
  (value: number): string => {
    const all = [...alphabet]
    return (all[(value - 1) % all.length] ?? '').repeat(Math.ceil(value / all.length))
  }

const ordinal = (value: number): string => {
  const ending = ['th', 'st', 'nd', 'rd'][value % 10] ?? 'th'
  return `${value}${Math.floor(value / 10) % 10 === 1 ? 'th' : ending}`
}

const small =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const tens = '- ten twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
const irregularOrdinals = new Map([
  ['one', 'first'],
  ['two', 'second'],
  ['three', 'third'],
  ['five', 'fifth'],
  ['eight', 'eighth'],
  ['nine', 'ninth'],
  ['twelve', 'twelfth'],
])

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const cardinalText = (value: number): string => {
  if (value > 99) return String(value)
  const ones = small[value < 20 ? value : value % 10] ?? ''
  if (value < 20) return capital(ones)
  return capital(value % 10 === 0 ? (tens[value / 10] ?? '') : `${tens[Math.floor(value / 10)]}-${ones}`)
}

const ordinalText = (value: number): string =>
  value > 99
    ? ordinal(value)
    : capital(
        cardinalText(value)
          .toLowerCase()
          .replace(/[a-z]+$/, (last) => irregularOrdinals.get(last) ?? `${last.replace(/y$/, 'ie')}th`),
      )

const chineseDigits = [...'〇一二三四五六七八九']
const chinese = (value: number): string => {
  if (value > 99) return [...String(value)].map((digit) => chineseDigits[Number(digit)]).join('')
  const ten = Math.floor(value / 10)
  const ones = value % 10 === 0 && value > 0 ? '' : (chineseDigits[value % 10] ?? '')
  return `${ten > 1 ? chineseDigits[ten] : ''}${ten > 0 ? '十' : ''}${ones}`
}

const enclosed =
  (first: number) =>
  (value: number): string =>
    value >= 1 && value <= 20 ? String.fromCodePoint(first + value - 1) : String(value)

const digitsFrom =
  (zero: number) =>
  (value: number): string =>
    [...String(value)].map((digit) => String.fromCodePoint(zero + Number(digit))).join('')

const latin = 'abcdefghijklmnopqrstuvwxyz'
const russian = 'абвгдежзиклмнопрстуфхцчшщыэюя'

const formats = new Map<string, (value: number) => string>([
  ['upperRoman', (value) => roman(value).toUpperCase()],
  ['lowerRoman', roman],
  ['upperLetter', letters(latin.toUpperCase())],
  ['lowerLetter', letters(latin)],
  ['russianUpper', letters(russian.toUpperCase())],
  ['russianLower', letters(russian)],
  ['hebrew2', letters('אבגדהוזחטיכלמנסעפצקרשת')],
  ['arabicAlpha', letters('أبتثجحخدذرزسشصضطظعغفقكلمنهوي')],
  [
    'aiueoFullWidth',
    letters('アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン'),
  ],
  ['ganada', letters('가나다라마바사아자차카타파하')],
  ['decimalZero', (value) => String(value).padStart(2, '0')],
  ['ordinal', ordinal],
  ['cardinalText', cardinalText],
  ['ordinalText', ordinalText],
  ['numberInDash', (value) => `- ${value} -`],
  ['hex', (value) => value.toString(16).toUpperCase()],
  ['decimalFullWidth', digitsFrom(0xff10)],
  ['hindiNumbers', digitsFrom(0x966)],
  ['thaiNumbers', digitsFrom(0xe50)],
  ['decimalEnclosedCircle', enclosed(0x2460)],
  ['decimalEnclosedCircleChinese', enclosed(0x2460)],
  ['decimalEnclosedParen', enclosed(0x2474)],
  ['decimalEnclosedFullstop', enclosed(0x2488)],
  ['chineseCounting', chinese],
  ['chineseCountingThousand', chinese],
  ['japaneseCounting', chinese],
  ['ideographDigital', chinese],
  ['taiwaneseCounting', chinese],
  ['none', () => ''],
])

/** Roman numerals and repeated letters grow, so larger numbers are shown in digits. */
const maxNumeral = 780

/** Formats by Word's `numFmt`; an unknown format gives digits. */
export const formatListNumber = (value: number, format: string): string => {
  const write = formats.get(format)
  if (format === 'none' || (write && value >= 1 && value <= maxNumeral)) return write?.(value) ?? ''
  return String(value)
}
