import { isInRange } from './version-range.ts'

/** Content of `scripts/denied-images.json`, which is maintained by hand. */
export type ImagePolicy = {
  readonly denied: readonly {
    readonly image: string
    /** A range of versions; a date in a tag counts as year.month.day. */
    readonly versions: string
    readonly reason: string
    /** Files that may name the image all the same, each with the reason. */
    readonly allowedIn?: Readonly<Record<string, string>>
  }[]
}

/** Returns the first three numbers of a tag, as in `v1.8.0` or `RELEASE.2025-09-07T16-13-09Z`; missing ones are 0. */
const versionOf = (tag: string): string => {
  const [major = '', minor = '', patch = ''] = tag.match(/\d+/g) ?? []
  return [major, minor, patch].map(Number).join('.')
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

/**
 * Returns a sentence for each denied image that a file names (by path: its content), and for each exception that is no
 * longer needed.
 */
export const imageFaults = (files: ReadonlyMap<string, string>, { denied }: ImagePolicy): string[] =>
  denied.flatMap(({ image, versions, reason, allowedIn = {} }) => {
    const pattern = new RegExp(`(?<![\\w./-])(?:docker\\.io/)?(?:library/)?${escaped(image)}:([\\w][\\w.-]*)`, 'g')
    const named = [...files].flatMap(([file, text]) =>
      [...text.matchAll(pattern)].flatMap(([, tag = '']) =>
        /\d[.-]\d/.test(tag) && isInRange(versionOf(tag), versions) ? [{ file, tag }] : [],
      ),
    )
    const unneeded = Object.keys(allowedIn).filter((file) => !named.some((one) => one.file === file))
    return [
      ...named.flatMap(({ file, tag }) => (file in allowedIn ? [] : [`${file}: ${image}:${tag} is denied: ${reason}`])),
      ...unneeded.map((file) => `${file} may name ${image} by scripts/denied-images.json, and does not`),
    ]
  })
