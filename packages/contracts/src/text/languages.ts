/** ISO 639-1. Keyword search ignores their word endings; `none` ignores none. */
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

/** For namespaces created without a language. */
export const defaultLanguage: Language = 'en'
