/** `head` has at least `units` if the text has; `all` is the whole text. */
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
