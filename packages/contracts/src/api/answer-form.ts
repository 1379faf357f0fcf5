/** Used if the request has no schema. */
export const defaultForm = {
  name: 'structured_answer',
  description: 'The answer with what it rests on',
  schema: {
    type: 'object',
    properties: {
      answer: { type: 'string', description: 'The answer to the question.' },
      confidence: { type: 'number', minimum: 0, maximum: 1, description: 'How sure the answer is.' },
      sources: {
        type: 'array',
        description: 'The passages the answer rests on.',
        items: {
          type: 'object',
          properties: { id: { type: 'string' }, relevance: { type: 'string', enum: ['high', 'medium', 'low'] } },
          required: ['id', 'relevance'],
        },
      },
      summary: { type: 'string', maxLength: 200 },
      topics: { type: 'array', items: { type: 'string' } },
      follow_up_questions: { type: 'array', items: { type: 'string' } },
    },
    required: ['answer', 'confidence'],
  },
} as const

/** Answers without a model when nothing relevant was found. */
export const nothingFoundIn = (place: string): string => `Nothing relevant was found in ${place}.`

/** Answers when the sources do not say it; `nearest` is what comes closest. */
export const notSaid = (nearest: string): string => `The files do not say it. Nearest: ${nearest}`
