import { fileReasons } from '@cairn/contracts/files/file-reasons'
import type { Truth } from '@cairn/testing/material/material'
import type { Brought } from './bring.ts'
import type { Expected } from './outcomes.ts'

const plain = (text: string): string => text.replace(/\s+/gu, '')
const gram = 6

const gramsOf = function* (text: string): Generator<string> {
  const units = plain(text)
  for (let index = 0; index + gram <= units.length; index += 1) yield units.slice(index, index + gram)
}

/** Whether the texts share a sequence with the undamaged file that is too long to be chance. */
const isOfTheFile = (texts: readonly string[], truth: Truth): boolean => {
  const known = new Set(truth.sentences.flatMap(({ text }) => [...gramsOf(text)]))
  return texts.some((text) => gramsOf(text).some((part) => known.has(part)))
}

/**
 * Whether at least half of the characters are letters, digits, punctuation, symbols or white space; replacement
 * characters do not count.
 */
const isPrintable = (texts: readonly string[]): boolean => {
  const all = texts.join('')
  const shown = all.match(/[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}\n\t]/gu)?.length ?? 0
  const lost = all.split('\ufffd').length - 1
  return [...all].length > 0 && (shown - lost) * 2 >= [...all].length
}

const textFault = ({ texts }: Brought, text: NonNullable<Expected['text']>, truth: Truth): string | undefined => {
  if (texts.length === 0) return 'completed without a chunk'
  if (text === 'own') return isOfTheFile(texts, truth) ? undefined : 'its text is not that of the sound file'
  if (text === 'letters') return isPrintable(texts) ? undefined : 'its text is nothing that can be read'
  return texts.some((one) => text.test(one)) ? undefined : `its text has nothing like ${text}`
}

/** Returns how the outcome of a file differs from the expected one; undefined if it does not. */
export const endFault = (brought: Brought, expected: Expected, truth: Truth): string | undefined => {
  const { state, reason, attempts } = brought
  if (attempts > 1) return `its work was started ${attempts} times`
  const wanted = [...expected.codes, ...(expected.text === undefined ? [] : ['completed'])].join(', ')
  if (state === 'failed') {
    if (reason === null || !Object.hasOwn(fileReasons, reason)) return `failed for no reason that is known: ${reason}`
    return expected.codes.some((code) => code === reason)
      ? undefined
      : `failed with ${reason}, where it should end with ${wanted}`
  }
  if (expected.text === undefined) return `completed, where it should end with ${wanted}`
  return textFault(brought, expected.text, truth)
}
