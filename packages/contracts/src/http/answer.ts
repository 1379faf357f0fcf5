import * as z from 'zod'
import { defaultForm } from '../api/answer-form.ts'
import { limits } from '../limits.ts'
import { codePointLength } from '../text/text.ts'
import { count, text, unpublished } from './common.ts'
import { keyFailures, operation } from './operation.ts'
import { hit, namespacesRule, needsThreshold, searchBody, thresholdInKioskMode, warnings } from './search.ts'

const queryRule = `must be a text of 1 to ${limits.queryLength} characters that is not blank`
const promptRule = `must be a text of at most ${limits.promptLength} characters`
const wellFormed = 'must be well-formed Unicode, without lone surrogates'

const prompt = z
  .string(promptRule)
  .refine((value) => codePointLength(value) <= limits.promptLength, promptRule)
  .refine((value) => value.isWellFormed(), wellFormed)
  .meta({ maxLength: limits.promptLength })

const historyRule = `must be an array of at most ${limits.historyMessages} messages, with at most ${limits.historyLength} characters in all`

const message = z
  .object({
    role: z.enum(['user', 'assistant']),
    content: z.string('must be a string').refine((value) => value.isWellFormed(), wellFormed),
  })
  .meta({ id: 'ChatMessage' })

const temperatureRule = 'must be a number from 0 to 2'

export const structuredResponse = z
  .object({
    enabled: z.boolean('must be true or false').default(false),
    schema: z
      .record(z.string(), z.unknown(), 'must be a JSON Schema')
      .optional()
      .describe(
        'JSON Schema of an object. Default: an answer with confidence, sources, summary, topics and follow-up questions.',
      ),
    tool_name: z
      .string('must be a string')
      .regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, hyphens or underscores')
      .default(defaultForm.name),
    tool_description: z
      .string('must be a string')
      .max(1_024, 'must have at most 1024 characters')
      .default(defaultForm.description),
  })
  .meta({ id: 'StructuredResponse' })

/** Allowed if `namespace` is empty, so that nothing is searched. */
export const directFields: readonly string[] = [
  'namespace',
  'query',
  'temperature',
  'chat_history',
  'footer_prompt',
  'header_prompt',
  'ai_model',
  'structured_response',
  'stream',
]

/** Also allowed then, but only with these values: some clients always send the defaults. */
export const retrievalDefaults: Readonly<Record<string, unknown>> = { top_k: 10, kiosk_mode: false, type: 'text' }

const { namespaces, top_k, kiosk_mode, threshold, filter } = searchBody.shape

export const answerBody = z
  .object({
    query: z
      .string(queryRule)
      .refine((query) => /\S/u.test(query) && codePointLength(query) <= limits.queryLength, queryRule)
      .refine((query) => query.isWellFormed(), wellFormed)
      .meta({
        description: 'The question. It may end in filters, as a search may.',
        minLength: 1,
        maxLength: limits.queryLength,
        pattern: String.raw`\S`,
      }),
    namespace: z
      .string('must be the name of a text namespace, or empty')
      .optional()
      .describe(
        'A text namespace to answer from. Empty: the model answers without passages, and search fields must have their default values.',
      ),
    namespaces: namespaces
      .optional()
      .describe(
        `Text namespaces to answer from by one search, in place of \`namespace\`. Without both: all text namespaces of the account, if there are at most ${limits.namespacesUnnamed}.`,
      ),
    top_k,
    kiosk_mode,
    threshold,
    filter,
    type: z.literal('text').default('text'),
    temperature: z.number(temperatureRule).min(0, temperatureRule).max(2, temperatureRule).default(0.7),
    ai_model: z
      .string('must be a string')
      .max(200, 'must have at most 200 characters')
      .optional()
      .describe(
        'Id of a configured model; any other id selects the default. `model` of the answer names the one used.',
      ),
    chat_history: z
      .array(message, historyRule)
      .max(limits.historyMessages, historyRule)
      .refine(
        (messages) => messages.reduce((sum, { content }) => sum + codePointLength(content), 0) <= limits.historyLength,
        historyRule,
      )
      .default([])
      .describe('Earlier turns of the conversation, oldest first.'),
    header_prompt: prompt.default('').describe('Instructions before the question.'),
    footer_prompt: prompt.default('').describe('Instructions after the question. Default: a clear and concise answer.'),
    structured_response: structuredResponse.optional(),
    stream: z
      .boolean('must be true or false')
      .default(false)
      .describe('Send the answer as server-sent events while it is generated. Not with `structured_response`.'),
  })
  .superRefine((body, context) => {
    needsThreshold(body, context)
    const fault = (name: 'stream' | 'namespaces', message: string) =>
      context.addIssue({ code: 'custom', message, path: [name], input: body[name] })
    if (body.stream && body.structured_response?.enabled) fault('stream', 'can not be used with structured_response')
    if (body.namespace !== undefined && body.namespaces) fault('namespaces', 'can not be sent with namespace')
  })
  .meta({
    id: 'Answer',
    'x-rules': [
      thresholdInKioskMode,
      { anyOf: [{ properties: { namespace: false } }, { properties: { namespaces: false } }] },
      {
        anyOf: [
          { properties: { stream: { const: false } } },
          { properties: { structured_response: { properties: { enabled: { const: false } } } } },
        ],
      },
      {
        anyOf: [
          { properties: { namespace: { minLength: 1 } } },
          {
            propertyNames: { enum: [...directFields, ...Object.keys(retrievalDefaults)] },
            properties: Object.fromEntries(
              Object.entries(retrievalDefaults).map(([name, value]) => [name, { const: value }]),
            ),
          },
        ],
      },
    ],
    examples: [
      { query: 'how is a path marked?', namespace: 'my-documents', top_k: 5 },
      { query: 'how is a path marked?', namespaces: ['my-documents', 'trail-log'] },
    ],
  })

export const sourcePassages = z
  .array(z.object({ start: count, end: count }))
  .describe('The parts of the item’s text that `text` consists of: offsets in Unicode code points, the end excluded.')

const source = hit
  .extend({
    text: text.describe(
      'The text, or of a long one the parts that are closest to the question, with `…` between them.',
    ),
    passages: sourcePassages,
  })
  .omit({ explanation: true, highlights: true, places: true, context: true, others: true })
  .meta({ id: 'AnswerSource' })

const answeredBody = z
  .object({
    answer: text,
    model: text.describe(
      'The model that answered. `extractive`: no model; the answer quotes sentences of the passages.',
    ),
    context_count: count.describe('Passages the answer was drawn from.'),
    query: text,
    sources: z
      .array(source)
      .describe('What the answer was drawn from, best first; where `answered` is false, what the search found.'),
    answered: z.boolean().describe('False: no passage answers the question, and `answer` says so.'),
    used_context: z.boolean().optional().describe('With structured_response: whether there were passages.'),
    structured_data: z
      .unknown()
      .optional()
      .describe('With structured_response: the object that matches its schema; null if it could not be filled in.'),
    warnings,
    // The last three fields again, for clients with camelCase names.
    contextCount: count.optional().meta(unpublished),
    usedContext: z.boolean().optional().meta(unpublished),
    structuredData: z.unknown().optional().meta(unpublished),
  })
  .meta({ id: 'Answered' })

export const answerOperations = {
  answer: operation({
    operationId: 'answer',
    specified: true,
    method: 'post',
    path: '/v1/answer',
    tag: 'Answers',
    summary: 'Answer a question',
    description:
      'Answers from the passages of text namespaces, which are searched together: the ones named or, if none is, all of the account. With an empty `namespace` the model answers alone. If nothing relevant is found, the answer says so, with `answered` false and a `context_count` of 0, and no model is called; `sources` has what the search found. Each model call costs the credits that the operator has set.',
    auth: 'key',
    scope: 'read',
    errors: 'data',
    request: {
      body: {
        schema: answerBody,
        maxElements: { namespaces: { elements: limits.namespacesPerSearch, rule: namespacesRule } },
      },
    },
    responses: {
      200: {
        description: 'The answer.',
        body: answeredBody,
        events:
          'With `stream`: `meta` (`model`, `context_count`, `sources`, `query`, `answered`), `token` (`delta`) repeatedly, then `done` (`answer`, `query`, `model`, `context_count`, `sources`, `answered`), or `error` (`message`).',
      },
    },
    failures: keyFailures({
      400: 'A field is not usable, a search field was sent with an empty `namespace` and a value other than its default, or no namespace is named and the account has too many.',
      404: 'One of the namespaces does not exist or is not yours, or the account has no text namespace.',
      409: 'The embedding model of the namespace is not available here; or `structured_response` has its own schema and no answering model is configured.',
      413: 'The body is larger than 10 MB.',
      422: 'The filter compares too many values or matches too much, or the index cannot answer it alone and too much would have to be read.',
      503: 'A part of the service is not available; try again after `Retry-After`. With an empty `namespace` also: no answering model is configured.',
    }),
  }),
}
