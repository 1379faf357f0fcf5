import * as z from 'zod'
import { count, text } from './common.ts'
import { keyFailures, operationsOf } from './operation.ts'

const model = z
  .object({
    name: text.describe('The value of `model` when a namespace is created or reindexed.'),
    provider: text.describe(
      '`local`: runs in the service. `openai`: a server for embeddings. `lexical`: words only, without a model.',
    ),
    dimension: count,
    is_default: z.boolean().describe('Whether new namespaces get it.'),
    state: z
      .enum(['ready', 'loading', 'failed', 'idle'])
      .describe('`idle`: it is loaded when it is used first. `failed`: it can not be used now.'),
    progress: z.number().min(0).max(1).optional().describe('While `loading`, as far as it is known.'),
    unread_scripts: z
      .array(text)
      .optional()
      .describe('Scripts that the model does not read, by name. Absent where the model was not measured.'),
  })
  .meta({ id: 'Model' })

export const modelOperations = operationsOf(
  { tag: 'Namespaces', auth: 'key', errors: 'data' },
  {
    listModels: {
      method: 'get',
      path: '/v1/models',
      scope: 'read',
      summary: 'List the models that namespaces can have',
      request: {},
      responses: {
        200: { description: 'The models.', body: z.object({ models: z.array(model) }).meta({ id: 'ModelList' }) },
      },
      failures: keyFailures({}),
    },
  },
)
