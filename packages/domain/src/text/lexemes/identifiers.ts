/** One case, letters without case, or digits: no parts. */
const wholeWord = /^(?:\p{Lu}?[\p{Ll}\p{M}]+|\p{Lu}+|[\p{Lo}\p{Lm}\p{M}]+|\p{N}+)$/u
const wordParts = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+|[^\p{Lu}\p{Ll}\p{N}]+/gu
/** Hashes and keys have more, which say nothing. */
const maxWordParts = 8

/** Splits `HTTPServer` or `ERR4021`; drops single characters. */
export const partsOfWord = (word: string): readonly string[] => {
  if (wholeWord.test(word)) return []
  const found = word.match(wordParts) ?? []
  return found.length > 1 && found.length <= maxWordParts ? found.filter((part) => part.length > 1) : []
}

const separators = [/[/\\]+|::/, /[./\\]+|::/] as const
const hasSign = /[\p{L}\p{N}][^\p{L}\p{N}\p{M}]+[\p{L}\p{N}]/u

/** Returns names with signs of their own: `x.so` and `my-lib` of `usr/my-lib/x.so`, `foo_bar` of `app.foo_bar.run`. */
export const namesInPath = (path: string): ReadonlySet<string> =>
  new Set(
    separators.flatMap((separator) => path.split(separator).filter((name) => name !== path && hasSign.test(name))),
  )
