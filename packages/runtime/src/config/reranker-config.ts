import { type ConfigRule, secret, setting, wholeNumber } from '@cairn/contracts/settings'
import * as z from 'zod'

/** Settings of the model that orders the hits of a search with `rerank`. */
export const rerankerConfig = {
  // Full URL of the rerank endpoint of a server with the API of Cohere, Jina or text-embeddings-inference:
  // https://api.jina.ai/v1/rerank, http://localhost:8080/rerank. Unset: searches can't be reranked.
  rerankUrl: setting('CAIRN_RERANK_URL', z.url().optional()),
  // A folder with a cross-encoder in ONNX and its tokenizer.json, which runs in this process, in place of a server.
  rerankModelDir: setting('CAIRN_RERANK_MODEL_DIR', z.string().min(1).optional()),
  // A cross-encoder by name, which runs in this process and is fetched once into the cache.
  rerankLocalModel: setting('CAIRN_RERANK_LOCAL_MODEL', z.enum(['ms-marco-MiniLM-L6-v2']).optional()),
  rerankApiKey: secret('CAIRN_RERANK_API_KEY', z.string().min(1).optional()),
  // The form of requests: cohere (also Jina, Voyage, vLLM) or tei.
  rerankForm: setting('CAIRN_RERANK_FORM', z.enum(['cohere', 'tei']).default('cohere')),
  // The server's name of the model; required in the form cohere. For a model in this process: its name in answers;
  // default: the name of the model or of its folder.
  rerankModel: setting('CAIRN_RERANK_MODEL', z.string().min(1).optional()),
  // Milliseconds that reranking may take, including retries.
  rerankTimeoutMs: setting('CAIRN_RERANK_TIMEOUT_MS', wholeNumber({ min: 100, max: 60_000 }).default(5_000)),
}

/** Allows one reranker at most, and requires what a server needs. */
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
