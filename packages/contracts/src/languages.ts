/** Languages whose endings don't count in a search by words, by ISO 639-1; `none`: every ending counts. */
export const languages = [
  'ar',
  'ca',
  'cs',
  'da',
  'de',
  'en',
  'es',
  'eu',
  'fi',
  'fr',
  'ga',
  'hu',
  'hy',
  'it',
  'nl',
  'no',
  'pt',
  'ro',
  'ru',
  'sl',
  'sv',
  'ta',
  'tr',
  'none',
] as const
export type Language = (typeof languages)[number]

/** Language of namespaces that name none. */
export const defaultLanguage: Language = 'en'
