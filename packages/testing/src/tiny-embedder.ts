import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bertModel, floats, node } from './onnx-writer.ts'
import material from './tiny-embedder.json' with { type: 'json' }

/**
 * A model of the kind of multilingual-e5-small: Unigram tokens of SentencePiece, mean pooling, prefixes. Its vocabulary
 * was trained by sentencepiece 0.2.3 (normalization `nmt_nfkc`, ids as in XLM-RoBERTa) on 28 sentences in 15 languages.
 * The ids and starts in `tiny-embedder.json` are those of Hugging Face's tokenizers 0.23.3 in Rust with the same
 * vocabulary and its precompiled normalizer; the ids of sentencepiece are equal. The vectors are means of rows of
 * `table`, of length 1, computed by NumPy from the ids of `query: ` or `passage: `, the text and the special tokens.
 */
export const tinyEmbedder = {
  dimension: 8,
  pooling: 'mean',
  prefixes: { query: 'query: ', document: 'passage: ' },
  references: material.texts,
} as const

const tokens = material.tokens.split(' ')
const special = ['<s>', '<pad>', '</s>', '<unk>', '<mask>']

/** The content of its `tokenizer.json`; the precompiled normalizer is left out, because JavaScript has its own. */
export const tinyTokenizer = {
  version: '1.0',
  added_tokens: special.map((content) => ({
    id: tokens.indexOf(content),
    content,
    special: true,
    lstrip: content === '<mask>',
  })),
  normalizer: { type: 'Precompiled', precompiled_charsmap: '' },
  pre_tokenizer: {
    type: 'Sequence',
    pretokenizers: [
      { type: 'WhitespaceSplit' },
      { type: 'Metaspace', replacement: '▁', str_rep: '▁', add_prefix_space: true },
    ],
  },
  post_processor: {
    type: 'TemplateProcessing',
    single: [
      { SpecialToken: { id: '<s>', type_id: 0 } },
      { Sequence: { id: 'A', type_id: 0 } },
      { SpecialToken: { id: '</s>', type_id: 0 } },
    ],
    pair: [],
    special_tokens: {
      '<s>': { id: '<s>', ids: [0], tokens: ['<s>'] },
      '</s>': { id: '</s>', ids: [2], tokens: ['</s>'] },
    },
  },
  decoder: { type: 'Metaspace', replacement: '▁', add_prefix_space: true },
  model: { type: 'Unigram', unk_id: 3, vocab: tokens.map((token, id) => [token, material.scores[id] ?? 0] as const) },
}

/** The vector of each token: eight numbers without a pattern. */
const table = Array.from({ length: tokens.length * tinyEmbedder.dimension }, (_, index) => Math.sin(index + 1))

/** Writes the model to a folder, with the file names of the hub. */
export const writeTinyEmbedder = (folder: string): void => {
  const model = bertModel(
    'embedder',
    [
      node('Gather', ['table', 'input_ids'], 'last_hidden_state', [['axis', 0]]),
      floats('table', table, [tokens.length, tinyEmbedder.dimension]),
    ],
    { name: 'last_hidden_state', shape: [1, 'tokens', tinyEmbedder.dimension] },
  )
  mkdirSync(join(folder, 'onnx'), { recursive: true })
  writeFileSync(join(folder, 'onnx', 'model_quantized.onnx'), model)
  writeFileSync(join(folder, 'tokenizer.json'), JSON.stringify(tinyTokenizer))
}
