import { CairnError } from './error.ts'

/** A path (Node, Deno and Bun), a Blob or File, or a stream of bytes. */
export type FileContent = string | Blob | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>

export type FileSource = {
  /** Own name of the content, if it has one. */
  readonly name: string | undefined
  /** Bytes; undefined for a stream. */
  readonly size: number | undefined
  /** The last part may be smaller. Can be called only once. */
  parts(partSize: number): AsyncGenerator<Blob>
}

const blobSource = (blob: Blob): FileSource => ({
  name: 'name' in blob && typeof blob.name === 'string' ? blob.name : undefined,
  size: blob.size,
  parts: async function* (partSize) {
    for (let from = 0; from < blob.size; from += partSize) yield blob.slice(from, from + partSize)
  },
})

const pathSource = async (path: string): Promise<FileSource> => {
  // Not a literal, so that bundlers for browsers do not try to resolve the module.
  const moduleName = 'node:fs/promises'
  const { open, stat } = (await import(/* @vite-ignore */ /* webpackIgnore: true */ moduleName).catch(() => {
    throw new CairnError('unsupported', 'There are no paths here: send a Blob or a stream')
  })) as typeof import('node:fs/promises')
  const { size } = await stat(path)
  return {
    name: path.split(/[/\\]/).at(-1),
    size,
    parts: async function* (partSize) {
      const file = await open(path)
      try {
        for (let from = 0; from < size; from += partSize) {
          const buffer = new Uint8Array(Math.min(partSize, size - from))
          let filled = 0
          while (filled < buffer.length) {
            const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, from + filled)
            if (bytesRead === 0) throw new CairnError('invalid', `${path} became shorter while it was being read`)
            filled += bytesRead
          }
          yield new Blob([buffer])
        }
      } finally {
        await file.close()
      }
    },
  }
}

/** Not every platform can iterate streams with `for await`. */
const chunksOf = async function* (stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  let isWhole = false
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value
    isWhole = true
  } finally {
    if (!isWhole) await reader.cancel().catch(() => undefined)
  }
}

const streamSource = (stream: AsyncIterable<Uint8Array>): FileSource => ({
  name: undefined,
  size: undefined,
  parts: async function* (partSize) {
    let held: Uint8Array<ArrayBuffer>[] = []
    let bytes = 0
    for await (const chunk of stream) {
      for (let from = 0; from < chunk.length; ) {
        // Copied, because a producer may reuse the buffer.
        const piece = new Uint8Array(chunk.subarray(from, from + partSize - bytes))
        from += piece.length
        bytes += piece.length
        held.push(piece)
        if (bytes < partSize) continue
        yield new Blob(held)
        held = []
        bytes = 0
      }
    }
    if (bytes > 0) yield new Blob(held)
  },
})

export const openSource = async (content: FileContent): Promise<FileSource> => {
  if (typeof content === 'string') return pathSource(content)
  if (content instanceof Blob) return blobSource(content)
  return streamSource('getReader' in content ? chunksOf(content) : content)
}
