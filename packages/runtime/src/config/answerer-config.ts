import { type ConfigRule, secret, setting, wholeNumber } from '@cairn/contracts/settings'
import * as z from 'zod'

/** Parses `published=served` or `published=served@credits`, separated by commas. Default: 1 credit. */
const modelMap = z.string().transform((text, context) => {
  const models = new Map<string, { readonly model: string; readonly credits: number }>()
  for (const part of text.split(',').map((one) => one.trim())) {
    if (part === '') continue
    const [, id, model, credits = '1'] = /^([^=]+)=(.+?)(?:@(\d{1,4}))?$/.exec(part) ?? []
    if (id === undefined || model === undefined || Number(credits) < 1 || models.has(id.trim())) {
      context.addIssue({
        code: 'custom',
        message: 'must be id=model or id=model@credits, separated by commas, each id once',
      })
      return z.NEVER
    }
    models.set(id.trim(), { model: model.trim(), credits: Number(credits) })
  }
  return models
})

/** Writes the answers of `POST /v1/answer` and of the edge store. */
export const answererConfig = {
  // An OpenAI-compatible /chat/completions, with the version: http://localhost:11434/v1. Unset: the gateway's answers
  // quote the best sentences found, and the edge store gives none.
  answerUrl: setting('CAIRN_ANSWER_URL', z.url().optional()),
  answerApiKey: secret('CAIRN_ANSWER_API_KEY', z.string().min(1).optional()),
  // For requests without a known model: an id of CAIRN_ANSWER_MODELS, or the server's own name of a model.
  answerModel: setting('CAIRN_ANSWER_MODEL', z.string().min(1).optional()),
  // Clients' model ids, the server's names and credits per call: anthropic.claude-sonnet-4-6=qwen3:32b@3,…
  answerModels: setting('CAIRN_ANSWER_MODELS', modelMap.default(new Map())),
  // Includes retries.
  answerTimeoutMs: setting('CAIRN_ANSWER_TIMEOUT_MS', wholeNumber({ min: 1_000, max: 600_000 }).default(60_000)),
}

export const answererRule: ConfigRule = ({ answerUrl, answerModel }) =>
  (answerUrl === undefined) === (answerModel === undefined)
    ? []
    : [`${answerUrl === undefined ? 'CAIRN_ANSWER_URL' : 'CAIRN_ANSWER_MODEL'}: is required with the other of the two`]
