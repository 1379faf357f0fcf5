import { oneLine } from './clean-text.ts'

/** Some programs write an address or a file name instead of a description. */
const fileName = /^(?:\w+:\/\/\S*|\S*\.(?:bmp|emf|gif|jpe?g|png|svg|tiff?|webp|wmf))$/i

/** Returns undefined if the description is missing or only names a file. */
export const pictureText = (description: string | undefined): string | undefined => {
  const text = description && oneLine(description)
  return text && !fileName.test(text) ? `[Picture: ${text}]` : undefined
}
