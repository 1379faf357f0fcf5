import { expect, it } from 'vitest'
import * as z from 'zod'
import { readConfig } from './config.ts'
import { rerankerConfig, rerankerRule } from './reranker-config.ts'

const url = { CAIRN_RERANK_URL: 'http://localhost:8080/rerank', CAIRN_RERANK_MODEL: 'judge' }
const folder = { CAIRN_RERANK_MODEL_DIR: '/models/judge' }
const named = { CAIRN_RERANK_LOCAL_MODEL: 'ms-marco-MiniLM-L6-v2' }
const read = (env: Record<string, string>) => readConfig(z.object(rerankerConfig), env, [rerankerRule])

it.each([{}, url, folder, named, { ...named, CAIRN_RERANK_MODEL: 'judge' }])('accepts %j', (env) => {
  expect(() => read(env)).not.toThrow()
})

it.each([
  [{ ...url, ...folder }, 'CAIRN_RERANK_MODEL_DIR: cannot be set together with CAIRN_RERANK_URL'],
  [{ ...folder, ...named }, 'CAIRN_RERANK_LOCAL_MODEL: cannot be set together with CAIRN_RERANK_MODEL_DIR'],
  [
    { ...url, ...folder, ...named },
    'CAIRN_RERANK_MODEL_DIR, CAIRN_RERANK_LOCAL_MODEL: cannot be set together with CAIRN_RERANK_URL',
  ],
  [{ CAIRN_RERANK_URL: url.CAIRN_RERANK_URL }, 'CAIRN_RERANK_MODEL: is required with CAIRN_RERANK_URL'],
  [{ CAIRN_RERANK_LOCAL_MODEL: 'another' }, 'CAIRN_RERANK_LOCAL_MODEL'],
])('refuses %j', (env, reason) => {
  expect(() => read(env)).toThrow(reason)
})
