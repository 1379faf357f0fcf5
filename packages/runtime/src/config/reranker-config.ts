import { type ConfigRule, secret, setting, wholeNumber } from '@cairn/contracts/settings'
import * as z from 'zod'

/** Orders the hits of a search with `rerank`. */
export const rerankerConfig = {
  // Full URL with the API of Cohere, Jina or text-embeddings-inference: https://api.jina.ai/v1/rerank. Unset: searches
  // can't be reranked.
  rerankUrl: setting('CAIRN_RERANK_URL', z.url().optional()),
  // A cross-encoder in ONNX and its tokenizer.json, run in this process in place of a server.
  rerankModelDir: setting('CAIRN_RERANK_MODEL_DIR', z.string().min(1).optional()),
  // Runs in this process and is fetched once into the cache.
  rerankLocalModel: setting('CAIRN_RERANK_LOCAL_MODEL', z.enum(['ms-marco-MiniLM-L6-v2']).optional()),
  rerankApiKey: secret('CAIRN_RERANK_API_KEY', z.string().min(1).optional()),
  // cohere is also the form of Jina, Voyage and vLLM.
  rerankForm: setting('CAIRN_RERANK_FORM', z.enum(['cohere', 'tei']).default('cohere')),
  // The server's name of the model, required with cohere. In this process: its name in answers; default: that of the
  // model or folder.
  rerankModel: setting('CAIRN_RERANK_MODEL', z.string().min(1).optional()),
  // Includes retries.
  rerankTimeoutMs: setting('CAIRN_RERANK_TIMEOUT_MS', wholeNumber({ min: 100, max: 60_000 }).default(5_000)),
}

/** Allows at most one reranker, and requires what a server needs. */
export const rerankerRule: ConfigRule = (config) => {
  const choices = {
    CAIRN_RERANK_URL: config['rerankUrl'],
    CAIRN_RERANK_MODEL_DIR: config['rerankModelDir'],
    CAIRN_RERANK_LOCAL_MODEL: config['rerankLocalModel'],
  }
  const [first, ...others] = Object.entries(choices).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  if (others.length > 0) return [`${others.join(', ')}: cannot be set together with ${first}`]
  return first === 'CAIRN_RERANK_URL' && config['rerankForm'] === 'cohere' && config['rerankModel'] === undefined
    ? ['CAIRN_RERANK_MODEL: is required with CAIRN_RERANK_URL, unless CAIRN_RERANK_FORM is tei']
    : []
}
