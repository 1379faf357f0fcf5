// The extractor alone: reads each file in a child process and discards the blocks.
import { atOnce } from '@cairn/contracts/flow/at-once'
import { runExtractor } from '@cairn/extract/child/run-extractor'
import { answerQuestions, optionsOf } from '../harness/subject.ts'

export type ExtractorOptions = { readonly scratch: string; readonly memoryMegabytes: number }
export type ExtractorLoad = {
  readonly paths: readonly string[]
  /** Number of files read at once. */
  readonly concurrency: number
}

const { scratch, memoryMegabytes } = optionsOf<ExtractorOptions>()

/** Reads a file; resolves to the number of blocks. */
const readOne = async (path: string): Promise<number> => {
  let blocks = 0
  const memoryBytes = memoryMegabytes * 1024 ** 2
  for await (const { event } of runExtractor({ type: 'pdf', path, options: {} }, { scratch, memoryBytes }))
    if (event === 'block') blocks += 1
  return blocks
}

const read = async ({ paths, concurrency }: ExtractorLoad): Promise<number> =>
  (await atOnce(concurrency, paths, readOne)).reduce((sum, blocks) => sum + blocks, 0)

answerQuestions({ read }, async () => undefined)
