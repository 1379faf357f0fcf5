import { oneLine } from './clean-text.ts'

/** Programs write the address or the name of a picture where its description belongs. */
const fileName = /^(?:\w+:\/\/\S*|\S*\.(?:bmp|emf|gif|jpe?g|png|svg|tiff?|webp|wmf))$/i

/** Returns the text that stands in place of a picture; undefined if it has no description. */
export const pictureText = (description: string | undefined): string | undefined => {
  const text = description && oneLine(description)
  return text && !fileName.test(text) ? `[Picture: ${text}]` : undefined
}
