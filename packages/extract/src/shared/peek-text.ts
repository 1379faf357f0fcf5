/** Returns the beginning of a text, at least `units` long if the text is, and an iterable over the whole text. */
export const peekText = async (
  text: AsyncIterable<string>,
  units: number,
): Promise<{ head: string; all: AsyncIterable<string> }> => {
  const source = text[Symbol.asyncIterator]()
  let head = ''
  while (head.length < units) {
    const next = await source.next()
    if (next.done) break
    head += next.value
  }
  async function* all(): AsyncGenerator<string> {
    try {
      if (head) yield head
      for (let next = await source.next(); !next.done; next = await source.next()) yield next.value
    } finally {
      await source.return?.()
    }
  }
  return { head, all: all() }
}
