import { oneLine } from './clean-text.ts'

/** Matches an address or a file name, which some programs write instead of a picture's description. */
const fileName = /^(?:\w+:\/\/\S*|\S*\.(?:bmp|emf|gif|jpe?g|png|svg|tiff?|webp|wmf))$/i

/** Returns the text that replaces a picture; undefined if the description is missing or only names a file. */
export const pictureText = (description: string | undefined): string | undefined => {
  const text = description && oneLine(description)
  return text && !fileName.test(text) ? `[Picture: ${text}]` : undefined
}
