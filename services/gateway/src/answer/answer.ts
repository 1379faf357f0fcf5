import { nothingFoundIn, notSaid } from '@cairn/contracts/api/answer-form'
import { invalidField } from '@cairn/contracts/api/failures'
import { operations } from '@cairn/contracts/api/operations'
import { AppError, type JsonValue } from '@cairn/contracts/errors'
import { answerBody, directFields, retrievalDefaults } from '@cairn/contracts/http/answer'
import { limits } from '@cairn/contracts/limits'
import type { AnswerModel, AnswerRequest } from '@cairn/domain/ports/answerer'
import { passagesOf, type Source } from '@cairn/domain/text/passages'
import type { Quote } from '@cairn/domain/text/quotes/choose'
import type { BodyOf } from '@cairn/runtime/http/endpoint'
import { parse } from '@cairn/runtime/http/parse'
import { accountEndpoint, type Call } from '../call.ts'
import type { AnswerPorts } from '../deps.ts'
import type { ReadableNamespace } from '../gate.ts'
import { itemBytes, type ResponseBudget } from '../response-budget.ts'
import { warningsOfBody, withWarnings } from '../search/body-warnings.ts'
import { defaultMode } from '../search/search.ts'
import { type NamespaceSearch, type PublishedHit, publishedHit } from '../search/search-namespaces.ts'
import type { UsageMeter } from '../usage-meter.ts'
import { markAnswerNamesDeprecated, presentAnswerNames } from './earlier-names.ts'
import { formOf } from './form.ts'
import { namespacesToAsk } from './namespaces-to-ask.ts'
import { quoteNamespaces } from './quote-namespaces.ts'
import { streamAnswer } from './stream-answer.ts'
import { formOfText, type Written, writeAnswer } from './write-answer.ts'

export type AnswerDeps = AnswerPorts & {
  readonly meter: UsageMeter
  readonly legacyCamelCase: boolean
  readonly searchNamespaces: NamespaceSearch
  readonly responseBudget: ResponseBudget
}
type Sent = BodyOf<typeof operations.answer>

/** Rejects search fields without a namespace, unless they have their default values, which some clients always send. */
const refuseSearchFields = (body: object, sent: Readonly<Record<string, unknown>>): void => {
  const isUsable = (name: string) =>
    directFields.includes(name) || (Object.hasOwn(retrievalDefaults, name) && sent[name] === retrievalDefaults[name])
  const other = Object.keys(body).find((name) => !isUsable(name))
  if (other === undefined) return
  const defaults = Object.entries(retrievalDefaults).map(([name, value]) => `${name} ${JSON.stringify(value)}`)
  throw invalidField(
    other,
    `can not be sent without a namespace; only ${directFields.join(', ')} can, and the defaults of the search: ${defaults.join(', ')}`,
  )
}

/** Answers without a language model, by quoting the sources. */
const quoting: AnswerModel = { id: 'extractive', credits: 1 }

const noModel = 'no answering model is configured on this server'

const refuseWithoutModel = (isDirect: boolean, isOwnForm: boolean): void => {
  if (isDirect) {
    const remedy = 'name a namespace to answer from, or have the operator set CAIRN_ANSWER_URL and CAIRN_ANSWER_MODEL'
    throw new AppError('unavailable', `${noModel}; ${remedy}`, { retryAfterSeconds: 60 })
  }
  if (isOwnForm) throw new AppError('conflict', `structured_response can have no schema of its own: ${noModel}`)
}

type FoundSource = Source<PublishedHit>

type FoundSources = {
  readonly sources: readonly FoundSource[]
  /** Set without a language model, which would decide itself what answers. */
  readonly quote?: Quote
}

const findSources = async (
  deps: AnswerDeps,
  call: Call,
  sent: Sent,
  namespaces: readonly ReadableNamespace[],
): Promise<FoundSources> => {
  const bytes = Math.min(sent.top_k, limits.topK) * itemBytes
  // The hits have their whole texts until the passages are chosen.
  const { release } = await deps.responseBudget.reserve(call.account.id, bytes, call.signal)
  call.onEnd(release)
  const { results } = await deps.searchNamespaces({
    readable: call.readable,
    namespaces: namespaces.map(({ name }) => name),
    query: sent.query,
    topK: sent.top_k,
    threshold: sent.kiosk_mode ? (sent.threshold ?? 0) : 0,
    mode: defaultMode({ isKiosk: sent.kiosk_mode, threshold: sent.threshold }),
    isModeChosen: false,
    filter: sent.filter,
    signal: call.signal,
  })
  const found = await passagesOf(results, sent.query, {
    ...deps,
    turn: { caller: call.account.id, signal: call.signal },
  })
  release()
  const sources = found.map((source) => ({ ...publishedHit(source), passages: source.passages }))
  if (deps.answerer || found.length === 0) return { sources }
  const quote = await quoteNamespaces(deps, call, namespaces, sent.query, found)
  // In kiosk mode the caller has chosen the relevant content.
  return { sources, quote: { ...quote, isAnswer: quote.isAnswer || sent.kiosk_mode } }
}

type Answered = {
  readonly context_count: number
  readonly used_context?: boolean
  readonly structured_data?: JsonValue
}

/** Clients with earlier names read these. */
const withEarlierNames = <B extends Answered>(body: B) => ({
  ...body,
  contextCount: body.context_count,
  ...(body.used_context !== undefined && { usedContext: body.used_context, structuredData: body.structured_data }),
})

const placeOf = (names: readonly string[]): string =>
  names.length === 1 ? `"${names[0]}"` : `${names.length} namespaces`

export const answer = (deps: AnswerDeps) =>
  accountEndpoint(operations.answer, async (call) => {
    const { answerer, meter } = deps
    const { body, isEarlier } = presentAnswerNames(call.sentBody, deps.legacyCamelCase)
    if (isEarlier) markAnswerNamesDeprecated(call)
    const sent = parse(answerBody, body)
    const isDirect = sent.namespace === ''
    const asker = { accountId: call.account.id, signal: call.signal }
    const model = answerer?.modelFor(sent.ai_model) ?? quoting
    const formRequest = sent.structured_response?.enabled ? sent.structured_response : undefined
    if (isDirect) refuseSearchFields(body as object, sent)
    if (!answerer) refuseWithoutModel(isDirect, formRequest?.schema !== undefined)
    const { form, isOwn = false } = formRequest ? await formOf(formRequest, asker) : {}
    const names = sent.namespaces ?? (sent.namespace === undefined ? undefined : [sent.namespace])
    const namespaces = isDirect ? [] : await namespacesToAsk(call.readable, names)
    const searched = namespaces.map(({ name }) => name)
    const { sources, quote }: FoundSources = isDirect
      ? { sources: [] }
      : await findSources(deps, call, sent, namespaces)
    const isAnswered = isDirect || (sources.length > 0 && (answerer !== undefined || quote?.isAnswer === true))
    const request: AnswerRequest = {
      model: model.id,
      query: sent.query,
      passages: isDirect ? undefined : sources.map(({ id, text, score }) => ({ id, text, score })),
      history: sent.chat_history,
      headerPrompt: sent.header_prompt,
      footerPrompt: sent.footer_prompt,
      temperature: sent.temperature,
    }
    const notFound = quote ? notSaid(quote.text) : nothingFoundIn(placeOf(searched))
    // A question costs credits whatever its outcome.
    const payer = { accountId: call.account.id, keyId: call.keyId }
    if (isAnswered) await meter.charge(payer, model.credits - 1, ...searched)
    // `countInNamespaces` counts requests that name their namespaces, once they have succeeded.
    const count = () => names || meter.countIn(call.account.id, searched)
    const used = isAnswered ? sources.length : 0
    const about = { model: model.id, context_count: used, sources, query: sent.query, answered: isAnswered }
    const warned = () => withWarnings(call, warningsOfBody(body, answerBody))
    const quoted = isAnswered && quote ? quote.text : notFound
    if (sent.stream) {
      count()
      const pieces = isAnswered && answerer ? answerer.write(request, { signal: call.signal }) : [quoted]
      return { status: 200, events: await streamAnswer(pieces, { ...about, ...warned() }, deps.log) }
    }

    const write = async (): Promise<Written> => {
      if (isAnswered && answerer) return writeAnswer(answerer, { ...request, ...(form && { form }) }, asker)
      return { text: quoted, ...(form && !isOwn && { data: formOfText(quoted, sources.slice(0, used)) }) }
    }
    const { text, data } = await write()
    count()
    const answered = {
      answer: text,
      ...about,
      ...(form && { used_context: used > 0, structured_data: (data ?? null) as JsonValue }),
      ...warned(),
    }
    return { status: 200, body: isEarlier ? withEarlierNames(answered) : answered }
  })
