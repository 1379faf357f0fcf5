import { bertTokenizer, type ModelSource } from '../embedder/model/local-models.ts'

/** Names for `CAIRN_RERANK_LOCAL_MODEL`. */
export const rerankModels = {
  'ms-marco-MiniLM-L6-v2': {
    name: 'ms-marco-MiniLM-L6-v2',
    files: {
      'onnx/model_quantized.onnx': 'e9d8ebf845c413e981c175bfe49a3bfa9b3dcce2a3ba54875ee5df5a58639fbe',
      'tokenizer.json': bertTokenizer,
    },
    hub: { repository: 'Xenova/ms-marco-MiniLM-L-6-v2', revision: 'a09144355adeed5f58c8ed011d209bf8ee5a1fec' },
  },
} as const satisfies Readonly<Record<string, ModelSource>>

export type RerankModelName = keyof typeof rerankModels
