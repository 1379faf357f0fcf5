import { AppError } from '@cairn/contracts/errors'
import type { Answerer } from '@cairn/domain/ports/answerer'
import type { Clock } from '@cairn/domain/ports/clock'
import { openaiAnswerer } from './openai.ts'

/** The runtime's answerer configuration describes each setting. */
export type AnswererSettings = {
  readonly answerUrl?: string | undefined
  readonly answerApiKey?: string | undefined
  readonly answerModel?: string | undefined
  readonly answerModels: ReadonlyMap<string, { readonly model: string; readonly credits: number }>
  readonly answerTimeoutMs: number
}

/** Returns undefined if no model is configured: answers are then quoted. */
export const configuredAnswerer = (settings: AnswererSettings, clock: Clock): Answerer | undefined => {
  const { answerUrl: baseUrl, answerModel, answerModels: models } = settings
  if (baseUrl === undefined) return undefined
  if (answerModel === undefined) throw new AppError('invalid', 'CAIRN_ANSWER_MODEL must be set with CAIRN_ANSWER_URL')
  const allModels = models.has(answerModel)
    ? models
    : new Map([...models, [answerModel, { model: answerModel, credits: 1 }]])
  return openaiAnswerer({
    baseUrl,
    models: allModels,
    defaultModel: answerModel,
    timeoutMs: settings.answerTimeoutMs,
    clock,
    apiKey: settings.answerApiKey,
  })
}
