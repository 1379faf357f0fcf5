/** Languages, by ISO 639-1 code, whose word endings keyword search ignores; `none`: no endings are ignored. */
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

/** Language of namespaces created without one. */
export const defaultLanguage: Language = 'en'
