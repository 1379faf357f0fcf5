import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { AppError } from '@cairn/contracts/errors'
import { sentId } from '@cairn/contracts/http/common'
import { limits } from '@cairn/contracts/limits'
import { codePointLength } from '@cairn/contracts/text/text'
import * as z from 'zod'

/** Items by id, and files by name; at least one of the lists has elements. */
export type Question = {
  readonly question: string
  readonly expected: readonly string[]
  readonly files: readonly string[]
}
/** In an order that does not depend on that of the lines. */
export type QuestionSet = { readonly questions: readonly Question[]; readonly hash: string }

const maxBytes = 64 * 1024 * 1024
const maxExpected = 100

const questionRule = `must be a text of 1 to ${limits.queryLength} characters that is not blank`
const expectedRule = `must be an array of 1 to ${maxExpected} ids`
const filesRule = `must be an array of 1 to ${maxExpected} file names`

const schema = z
  .strictObject(
    {
      question: z
        .string(questionRule)
        .refine(
          (text) => /\S/u.test(text) && codePointLength(text) <= limits.queryLength && text.isWellFormed(),
          questionRule,
        ),
      expected: z.array(sentId, expectedRule).min(1, expectedRule).max(maxExpected, expectedRule).optional(),
      files: z
        .array(z.string(filesRule).min(1, filesRule), filesRule)
        .min(1, filesRule)
        .max(maxExpected, filesRule)
        .optional(),
    },
    {
      error: (issue) =>
        issue.code === 'unrecognized_keys' ? `has an unknown field: ${issue.keys.join(', ')}` : 'must be an object',
    },
  )
  .refine(({ expected, files }) => expected !== undefined || files !== undefined, 'must have expected or files')

const unique = (texts: readonly string[] = []): string[] => [...new Set(texts)].sort()

const parseLine = (line: string, where: string): Question => {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    throw new AppError('invalid', `${where} is not JSON`)
  }
  const parsed = schema.safeParse(value)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new AppError('invalid', `${where}: ${[issue?.path.join('.'), issue?.message].filter(Boolean).join(' ')}`)
  }
  const { question, expected, files } = parsed.data
  // Composed and decomposed spellings of a file name are one name.
  return { question, expected: unique(expected), files: unique(files?.map((name) => name.normalize('NFC'))) }
}

const readText = async (path: string): Promise<string> => {
  const cause = (error: unknown) => (error as NodeJS.ErrnoException).code ?? String(error)
  const file = await open(path).catch((error: unknown) => {
    throw new AppError('invalid', `${path} can't be read (${cause(error)})`, { cause: error })
  })
  try {
    const pieces: Buffer[] = []
    let bytes = 0
    // Devices and pipes state no size.
    for await (const piece of file.createReadStream({ autoClose: false })) {
      bytes += (piece as Buffer).length
      if (bytes > maxBytes) throw new AppError('invalid', `${path} is larger than ${maxBytes} bytes`)
      pieces.push(piece as Buffer)
    }
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces))
  } catch (error) {
    if (error instanceof AppError) throw error
    if (error instanceof TypeError) throw new AppError('invalid', `${path} is not UTF-8`, { cause: error })
    throw new AppError('invalid', `${path} can't be read (${cause(error)})`, { cause: error })
  } finally {
    await file.close()
  }
}

/** Reads JSON lines. AppError `invalid` names the first line that is wrong. */
export const readQuestions = async (path: string): Promise<QuestionSet> => {
  const lines = (await readText(path)).split('\n')
  const parsed = lines.flatMap((line, index) =>
    line.trim() === '' ? [] : [parseLine(line, `${path}, line ${index + 1}`)],
  )
  if (parsed.length === 0) throw new AppError('invalid', `${path} has no questions`)
  if (parsed.length > limits.evaluationQuestions)
    throw new AppError(
      'invalid',
      `${path} has ${parsed.length} questions; at most ${limits.evaluationQuestions} are allowed`,
    )
  const keyed = parsed.map((question) => ({
    question,
    key: JSON.stringify([question.question, question.expected, question.files]),
  }))
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
  const hash = createHash('sha256')
    .update(keyed.map(({ key }) => key).join('\n'))
    .digest('hex')
  return { questions: keyed.map(({ question }) => question), hash }
}
