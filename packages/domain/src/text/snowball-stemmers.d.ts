declare module 'snowball-stemmers' {
  /** Throws for a language without a stemmer. */
  export const newStemmer: (language: string) => { stem(word: string): string }
}
