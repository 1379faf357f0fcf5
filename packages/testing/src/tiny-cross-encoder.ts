import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bertModel, float32, int64, integers, node } from './onnx-writer.ts'

/** The score is the number of the text's tokens that equal the first token of the query, minus one. */
const model = bertModel(
  'cross-encoder',
  [
    node('Gather', ['input_ids', 'second'], 'asked', [['axis', 1]]),
    node('Equal', ['input_ids', 'asked'], 'equal'),
    node('Cast', ['equal'], 'matches', [['to', int64]]),
    node('Mul', ['matches', 'token_type_ids'], 'inText'),
    node('ReduceSum', ['inText', 'axes'], 'count', [['keepdims', 1]]),
    node('Sub', ['count', 'one'], 'less'),
    node('Cast', ['less'], 'logits', [['to', float32]]),
    integers('second', [1], [1]),
    integers('axes', [1], [1]),
    integers('one', [1], [1]),
  ],
  { name: 'logits', shape: [1, 1] },
)

const words = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', 'stone', 'path', 'bread', '.']
const special = (id: string, type: number) => ({ SpecialToken: { id, type_id: type } })
const sequence = (id: string, type: number) => ({ Sequence: { id, type_id: type } })
const tokenizer = {
  version: '1.0',
  added_tokens: words.slice(0, 4).map((content, id) => ({ id, content, special: true })),
  normalizer: {
    type: 'BertNormalizer',
    clean_text: true,
    handle_chinese_chars: true,
    strip_accents: null,
    lowercase: true,
  },
  pre_tokenizer: { type: 'BertPreTokenizer' },
  post_processor: {
    type: 'TemplateProcessing',
    single: [special('[CLS]', 0), sequence('A', 0), special('[SEP]', 0)],
    pair: [special('[CLS]', 0), sequence('A', 0), special('[SEP]', 0), sequence('B', 1), special('[SEP]', 1)],
    special_tokens: {
      '[CLS]': { id: '[CLS]', ids: [2], tokens: ['[CLS]'] },
      '[SEP]': { id: '[SEP]', ids: [3], tokens: ['[SEP]'] },
    },
  },
  decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
  model: {
    type: 'WordPiece',
    unk_token: '[UNK]',
    continuing_subword_prefix: '##',
    max_input_chars_per_word: 100,
    vocab: Object.fromEntries(words.map((word, id) => [word, id])),
  },
}

/**
 * Writes a cross-encoder in ONNX with its tokenizer to a folder. The tokenizer knows the words stone, path and bread.
 * The logit of a pair is how often the first word of the query occurs in the text, minus one.
 */
export const writeTinyCrossEncoder = (folder: string, file = 'onnx/model.onnx'): void => {
  mkdirSync(join(folder, 'onnx'), { recursive: true })
  writeFileSync(join(folder, file), model)
  writeFileSync(join(folder, 'tokenizer.json'), JSON.stringify(tokenizer))
}
