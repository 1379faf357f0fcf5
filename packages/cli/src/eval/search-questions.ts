import type { Cairn, Search } from '@cairn/client'
import { AppError } from '@cairn/contracts/errors'
import { atOnce } from '@cairn/contracts/flow/at-once'
import type { SearchMode } from '@cairn/contracts/http/search'
import type { Context } from '../command.ts'
import type { Question } from './read-questions.ts'
import { type Score, scoreHits } from './score-hits.ts'

const searchesAtOnce = 4

type Options = {
  readonly cairn: Cairn
  readonly namespace: string
  readonly mode: SearchMode
  readonly topK: number
}

const searchOf = ({ question, expected }: Question, { namespace, mode, topK }: Options): Search => ({
  query: question,
  namespaces: [namespace],
  top_k: topK,
  mode,
  // Ten different files instead of ten chunks, of which many may be of one file.
  ...(expected.length === 0 && { group_by: 'file' }),
})

export const searchQuestions = async (
  { note, isTerminal, signal }: Pick<Context, 'note' | 'isTerminal' | 'signal'>,
  questions: readonly Question[],
  options: Options,
): Promise<Score[]> => {
  const { cairn, namespace, mode } = options
  let done = 0
  const showProgress = () => {
    if (isTerminal) note(`\r\x1b[K  ${mode}  ${done} of ${questions.length} questions`)
  }
  try {
    return await atOnce(searchesAtOnce, questions, async (question) => {
      const { results, degraded } = await cairn.search(searchOf(question, options), { signal })
      if (degraded)
        throw new AppError(
          'unavailable',
          `The index of "${namespace}" is incomplete and is being repaired; run the evaluation again later`,
        )
      done += 1
      showProgress()
      return scoreHits(question, results)
    })
  } finally {
    if (isTerminal && done > 0) note('\n')
  }
}
