const signs = (...pairs: readonly (readonly [first: number, signs: string])[]): ReadonlyMap<number, string> =>
  new Map(pairs.flatMap(([first, text]) => Array.from(text, (sign, index): [number, string] => [first + index, sign])))

/** By font and character code. */
const fonts: Readonly<Record<string, ReadonlyMap<number, string>>> = {
  wingdings: signs(
    ...([
      [0x21, '✏✂'],
      [0x28, '☎'],
      [0x2a, '✉'],
      [0x45, '☜☞☝☟'],
      [0x4a, '☺'],
      [0x4c, '☹'],
      [0x6c, '●'],
      [0x6e, '■☐'],
      [0x76, '❖'],
      [0x80, '⓪①②③④⑤⑥⑦⑧⑨⑩'],
      [0x8c, '❶❷❸❹❺❻❼❽❾❿'],
      [0x9f, '•'],
      [0xa7, '▪☐'],
      [0xab, '★'],
      [0xd8, '➢'],
      [0xdf, '←→↑↓↖↗↙↘←→↑↓'],
      [0xef, '⇦⇨⇧⇩⇔'],
      [0xfb, '✗✓☒☑'],
    ] as const),
  ),
  'wingdings 2': signs([0x4f, '✗✓☒☑'], [0xa3, '☐']),
  'wingdings 3': signs([0x66, '←→↑↓'], [0x70, '▲▼△▽◀▶◁▷'], [0x7d, '▶']),
  webdings: signs([0x61, '✔'], [0x72, '✖']),
  symbol: signs(
    ...([
      [0x41, 'ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ'],
      [0x61, 'αβχδεφγηιϕκλμνοπθρστυϖωξψζ'],
      [0xa3, '≤'],
      [0xa5, '∞'],
      [0xab, '↔←↑→↓°±'],
      [0xb3, '≥×∝∂•÷≠≡≈…'],
      [0xc7, '∩∪'],
      [0xce, '∈∉'],
      [0xd6, '√'],
      [0xdb, '⇔⇐⇑⇒⇓'],
      [0xe5, '∑'],
      [0xf2, '∫'],
    ] as const),
  ),
}

/**
 * Text as the font shows it. A font of signs only (`isPartial`) applies to signs within other text, which AutoCorrect
 * writes as letters with accents: `à` is →.
 */
export const symbolText = (text: string, font: string, isPartial: boolean): string => {
  const known = Object.hasOwn(fonts, font.toLowerCase()) ? fonts[font.toLowerCase()] : undefined
  if (!known) return text
  const replaced = (sign: string): string => known.get(sign.charCodeAt(0) & 0xff) ?? sign
  return isPartial
    ? text.replace(/(?<!\p{L})[\xa1-\xff\uf021-\uf0ff](?!\p{L})/gu, replaced)
    : text.replace(/[!-~\xa1-\xff\uf021-\uf0ff]/g, replaced)
}
