import { expect, it } from 'vitest'
import * as z from 'zod'
import { answererConfig, answererRule } from './answerer-config.ts'
import { readConfig } from './config.ts'

const read = (env: Record<string, string>) => readConfig(z.object(answererConfig), env, [answererRule])

it('needs nothing', () => {
  expect(read({})).toMatchObject({ answerModels: new Map(), answerTimeoutMs: 60_000 })
})

it('reads what models are called, and what they cost', () => {
  const { answerModels } = read({
    CAIRN_ANSWER_URL: 'http://localhost:11434/v1',
    CAIRN_ANSWER_MODEL: 'small',
    CAIRN_ANSWER_MODELS: 'small=qwen3:4b, meta.llama3-3-70b-instruct-v1:0=llama3.3:70b@3,',
  })
  expect([...answerModels]).toEqual([
    ['small', { model: 'qwen3:4b', credits: 1 }],
    ['meta.llama3-3-70b-instruct-v1:0', { model: 'llama3.3:70b', credits: 3 }],
  ])
})

it.each(['small', '=a', 'a=', 'a=b@0', 'a=b,a=c'])('refuses %o', (models) => {
  expect(() => read({ CAIRN_ANSWER_MODELS: models })).toThrow(
    'CAIRN_ANSWER_MODELS: must be id=model or id=model@credits',
  )
})

it('wants address and model together', () => {
  expect(() => read({ CAIRN_ANSWER_URL: 'http://localhost:1/v1' })).toThrow('CAIRN_ANSWER_MODEL: is required')
  expect(() => read({ CAIRN_ANSWER_MODEL: 'm' })).toThrow('CAIRN_ANSWER_URL: is required')
})
