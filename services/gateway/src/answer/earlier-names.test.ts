import { expect, it } from 'vitest'
import { presentAnswerNames } from './earlier-names.ts'

it('reads earlier names, the present ones winning', () => {
  const body = {
    aiModel: 'old',
    ai_model: 'new',
    chatHistory: [],
    structuredResponse: { enabled: true, toolName: 'a', tool_description: 'b' },
  }
  expect(presentAnswerNames(body, true)).toEqual({
    body: {
      ai_model: 'new',
      chat_history: [],
      structured_response: { enabled: true, tool_name: 'a', tool_description: 'b' },
    },
    isEarlier: true,
  })
})

it('leaves alone what is no name of ours', () => {
  const schema = { properties: { aiModel: {}, toolName: {} } }
  const body = { query: 'x', structured_response: { enabled: true, schema } }
  expect(presentAnswerNames(body, true)).toEqual({ body, isEarlier: false })
  for (const other of [undefined, null, 'text', [{ aiModel: 'x' }]])
    expect(presentAnswerNames(other, true)).toEqual({ body: other, isEarlier: false })
})

it('knows no earlier names where they are not allowed', () => {
  expect(presentAnswerNames({ aiModel: 'x' }, false)).toEqual({ body: { aiModel: 'x' }, isEarlier: false })
})
