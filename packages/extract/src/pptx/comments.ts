import { type Relation, readSmallXml } from '../shared/office-part.ts'
import type { CheckedZip } from '../shared/zip-check.ts'

const maxAuthors = 10_000
const maxComments = 10_000
const maxUnits = 4 * 1024 * 1024

/** Older and newer programs use different parts. */
export const readAuthors = async (
  zip: CheckedZip,
  relations: readonly Relation[],
): Promise<ReadonlyMap<string, string>> => {
  const authors = new Map<string, string>()
  for (const { type, target } of relations) {
    if (type !== 'commentAuthors' && type !== 'authors') continue
    await readSmallXml(zip, target, {
      open(name, attribute) {
        if (!/^(?:cmAuthor|author)$/.test(name) || authors.size >= maxAuthors) return
        authors.set(attribute('id') ?? '', (attribute('name') ?? '').slice(0, 200))
      },
    })
  }
  return authors
}

/** Includes replies; each comment names its author. */
export const readComments = async (
  zip: CheckedZip,
  part: string,
  authors: ReadonlyMap<string, string>,
): Promise<string[]> => {
  const comments: string[] = []
  let units = 0
  /** A reply is nested in its comment, before or after the comment's text. */
  const open: { author: string; text: string }[] = []
  let isText = false
  await readSmallXml(zip, part, {
    open(name, attribute) {
      if (name === 'cm' || name === 'reply')
        open.push({ author: authors.get(attribute('authorId') ?? '') ?? '', text: '' })
      isText = name === 't' || name === 'text'
    },
    close(name) {
      const comment = open.at(-1)
      if (name === 'p' && comment) comment.text += '\n'
      if ((name === 'cm' || name === 'reply') && comment) {
        open.pop()
        const text = comment.text.trim()
        if (text !== '' && comments.length < maxComments)
          comments.push(`Comment${comment.author === '' ? '' : ` by ${comment.author}`}: ${text}`)
      }
      isText = false
    },
    text(more) {
      const comment = open.at(-1)
      units += more.length
      if (isText && comment && units < maxUnits) comment.text += more
    },
  })
  return comments
}
