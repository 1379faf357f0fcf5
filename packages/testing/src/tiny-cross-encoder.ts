import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

type Part = Buffer

/** Protocol Buffers fields, the wire format of ONNX files (onnx.proto, IR version 8). */
const varint = (value: number): Part => {
  const bytes: number[] = []
  let rest = value
  while (rest > 0x7f) {
    bytes.push((rest % 0x80) | 0x80)
    rest = Math.floor(rest / 0x80)
  }
  return Buffer.from([...bytes, rest])
}
const number = (field: number, value: number): Part => Buffer.concat([varint(field * 8), varint(value)])
const bytes = (field: number, content: string | Part | readonly Part[]): Part => {
  const body =
    typeof content === 'string' ? Buffer.from(content) : Array.isArray(content) ? Buffer.concat(content) : content
  return Buffer.concat([varint(field * 8 + 2), varint((body as Part).length), body as Part])
}

const float32 = 1
const int64 = 7

type Attribute = readonly [name: string, value: number]
const node = (type: string, inputs: readonly string[], output: string, attributes: readonly Attribute[] = []): Part =>
  bytes(1, [
    ...inputs.map((name) => bytes(1, name)),
    bytes(2, output),
    bytes(4, type),
    ...attributes.map(([name, value]) => bytes(5, [bytes(1, name), number(3, value), number(20, 2)])),
  ])
/** Encodes a value of the graph. A dimension is a number or a dimension name. */
const value = (field: number, name: string, type: number, shape: readonly (number | string)[]): Part => {
  const dimensions = shape.map((size) => bytes(1, typeof size === 'number' ? number(1, size) : bytes(2, size)))
  return bytes(field, [bytes(1, name), bytes(2, bytes(1, [number(1, type), bytes(2, dimensions)]))])
}
const constant = (name: string, values: readonly number[], shape: readonly number[]): Part =>
  bytes(5, [
    ...shape.map((size) => number(1, size)),
    number(2, int64),
    ...values.map((one) => number(7, one)),
    bytes(8, name),
  ])

/**
 * Graph of the model. The score is the number of the text's tokens that equal the first token of the query, minus one,
 * so 0 means one match.
 */
const graph = bytes(7, [
  node('Gather', ['input_ids', 'second'], 'asked', [['axis', 1]]),
  node('Equal', ['input_ids', 'asked'], 'equal'),
  node('Cast', ['equal'], 'matches', [['to', int64]]),
  node('Mul', ['matches', 'token_type_ids'], 'inText'),
  node('ReduceSum', ['inText', 'axes'], 'count', [['keepdims', 1]]),
  node('Sub', ['count', 'one'], 'less'),
  node('Cast', ['less'], 'logits', [['to', float32]]),
  bytes(2, 'cross-encoder'),
  constant('second', [1], [1]),
  constant('axes', [1], [1]),
  constant('one', [1], [1]),
  ...['input_ids', 'attention_mask', 'token_type_ids'].map((name) => value(11, name, int64, [1, 'tokens'])),
  value(12, 'logits', float32, [1, 1]),
])

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
  writeFileSync(join(folder, file), Buffer.concat([number(1, 8), graph, bytes(8, number(2, 13))]))
  writeFileSync(join(folder, 'tokenizer.json'), JSON.stringify(tokenizer))
}
