import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'

/** Returns hexadecimal digits. */
export const sha256Of = async (path: string, signal?: AbortSignal): Promise<string> => {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path, { signal })) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
