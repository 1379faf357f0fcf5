import iconv from 'iconv-lite'

/** Frequent non-ASCII letters of each language. Encodings of the Latin script differ only in such letters. */
const western = ['äöüß', 'éèêàçùôîûëïâœ', 'áéíóúñü', 'ãõáéíóúâêôçà', 'àèéìòù', 'åäöé', 'æøåé', 'ðþýáéíóúæö', 'ëéïöü']
const central = ['ąćęłńóśźż', 'áčďéěíňóřšťúůýž', 'áäčďéíľĺňóôŕšťúýž', 'áéíóöőúüű', 'ăâîşţ', 'čćđšž']
const turkish = ['ışğüöçiâ']
const baltic = ['ąčęėįšųūž', 'āčēģīķļņšūž', 'äöõüšž']

const families: readonly (readonly [encoding: string, languages: readonly string[]])[] = [
  ['windows-1252', western],
  ['windows-1250', central],
  ['iso-8859-2', central],
  ['windows-1254', turkish],
  ['windows-1257', baltic],
  ['iso-8859-15', western],
]

const latin = /^(?:iso-8859-(?:1|2|9|15)|windows-125[0247])$/i

const coverage = (sample: Buffer, encoding: string, languages: readonly string[]): number => {
  const letters =
    iconv
      .decode(sample, encoding)
      .toLowerCase()
      .match(/[\P{ASCII}&&[\p{L}\uFFFD\p{Sc}\p{No}\p{Sk}]]/gv) ?? []
  if (letters.length === 0) return 0
  return Math.max(
    ...languages.map((known) => letters.filter((letter) => known.includes(letter)).length / letters.length),
  )
}

/**
 * A statistical guess mistakes unknown languages for known ones; it stays unless the letters clearly fit another
 * encoding better. `sure` is the share of letters that fit.
 */
export const amongLatin = (sample: Buffer, guess: string): { readonly encoding: string; readonly sure: number } => {
  if (!latin.test(guess)) return { encoding: guess, sure: 1 }
  // The second encoding of each pair extends the first one.
  const own = /^iso-8859-1$/i.test(guess)
    ? 'windows-1252'
    : /^iso-8859-9$/i.test(guess)
      ? 'windows-1254'
      : guess.toLowerCase()
  const scores = families.map(([encoding, languages]) => ({ encoding, sure: coverage(sample, encoding, languages) }))
  const stays = scores.find(({ encoding }) => encoding === own) ?? { encoding: own, sure: 0 }
  // ISO-8859-15 differs from windows-1252 in eight characters, so a single letter that fits is enough.
  const margin = (encoding: string) => (own === 'windows-1252' && encoding === 'iso-8859-15' ? 0 : 0.1)
  return scores.reduce(
    (best, one) => (one.sure > Math.max(best.sure, stays.sure + margin(one.encoding)) ? one : best),
    stays,
  )
}
