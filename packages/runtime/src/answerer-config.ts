import * as z from 'zod'
import { type ConfigRule, secret, setting, wholeNumber } from './config.ts'

/** `published=served` or `published=served@credits`, separated by commas. */
const modelMap = z.string().transform((text, context) => {
  const models = new Map<string, { readonly model: string; readonly credits: number }>()
  for (const part of text.split(',').map((one) => one.trim())) {
    if (part === '') continue
    const [, id, model, credits = '1'] = /^([^=]+)=(.+?)(?:@(\d{1,4}))?$/.exec(part) ?? []
    if (id === undefined || model === undefined || Number(credits) < 1 || models.has(id.trim())) {
      context.addIssue({ code: 'custom', message: 'must be id=model or id=model@credits, separated by commas, each id once' })
      return z.NEVER
    }
    models.set(id.trim(), { model: model.trim(), credits: Number(credits) })
  }
  return models
})

/** Who writes the answers of `POST /v1/answer`, and those of the edge store. */
export const answererConfig = {
  // Any server with an OpenAI-compatible /chat/completions (OpenAI, Ollama, vLLM), up to and with the version: http://localhost:11434/v1
  // Without it answers are the best sentences of what was found.
  answerUrl: setting('CAIRN_ANSWER_URL', z.url().optional()),
  answerApiKey: secret('CAIRN_ANSWER_API_KEY', z.string().min(1).optional()),
  // The model of whoever asks for none, or for one that is not configured: an id of CAIRN_ANSWER_MODELS, or the server's own name of it.
  answerModel: setting('CAIRN_ANSWER_MODEL', z.string().min(1).optional()),
  // What clients call models, what the server calls them, and what a call costs in credits: anthropic.claude-sonnet-4-6=qwen3:32b@3,…
  answerModels: setting('CAIRN_ANSWER_MODELS', modelMap.default(new Map())),
  // Milliseconds an answer may take, tries included.
  answerTimeoutMs: setting('CAIRN_ANSWER_TIMEOUT_MS', wholeNumber({ min: 1_000, max: 600_000 }).default(60_000)),
}

export const answererRule: ConfigRule = ({ answerUrl, answerModel }) =>
  (answerUrl === undefined) === (answerModel === undefined)
    ? []
    : [`${answerUrl === undefined ? 'CAIRN_ANSWER_URL' : 'CAIRN_ANSWER_MODEL'}: is required with the other of the two`]
