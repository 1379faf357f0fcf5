import { createHash } from 'node:crypto'
import type { Field, FieldFilter } from '@cairn/contracts/documents/metadata-filter'
import type { Lexemes, Point, PointAddress, PointFilter } from '@cairn/domain/ports/vector-index'
import type { Schemas } from '@qdrant/js-client-rest'
import { lengthClassOf, lengthOf, wordWeight } from '../bm25.ts'
import { packLexemes, unpackLexemes } from '../pack-lexemes.ts'
import type { Qdrant } from './client.ts'
import { orderNumbers } from './order.ts'

/** Chosen at random. It must never change: every point would be stored a second time. */
const cairnNamespace = '2f1b6c0e-7d5a-4c1e-9b54-6f0f3a8e21d7'

/** RFC 9562, version 5. */
export const uuidOfName = (namespace: string, name: string): string => {
  const digest = createHash('sha1')
    .update(Buffer.from(namespace.replaceAll('-', ''), 'hex'))
    .update(name)
    .digest()
  digest.writeUInt8((digest.readUInt8(6) & 0x0f) | 0x50, 6)
  digest.writeUInt8((digest.readUInt8(8) & 0x3f) | 0x80, 8)
  return digest.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** The JSON list differs for any two addresses that differ in any part. */
export const pointIdOf = ({ namespaceId, itemId, version, passage }: PointAddress): string =>
  uuidOfName(cairnNamespace, JSON.stringify([namespaceId, itemId, version, passage]))

/** Ids contain no U+0000, so different pairs never collide. */
export const itemVersionOf = (itemId: string, version: string): string => `${itemId}\0${version}`

/**
 * JSON in UTF-8 can't represent lone surrogates: such a text becomes U+0000 and the hexadecimal bytes of its UTF-16
 * units, as does a text that begins with U+0000, so that different texts never collide.
 */
export const keywordOf = (text: string): string =>
  text.isWellFormed() && !text.startsWith('\0') ? text : `\0${Buffer.from(text, 'utf16le').toString('hex')}`

export const addressFields = ['namespace_id', 'item_id', 'version', 'passage']

/** The dense vector has no name. */
export const sparseVector = 'lexemes'
/**
 * Passage length for which the weights in sparse vectors are exact. A collection's weights can't follow the average of
 * each namespace: they only select points, whose score is computed from `packed_lexemes`.
 */
const nominalLength = 120

const toSparse = ({ ids, counts }: Lexemes, length: number): Schemas['SparseVector'] => ({
  indices: Array.from(ids),
  values: Array.from(counts, (count) => wordWeight(count, lengthClassOf(length), nominalLength)),
})

/** `lexemes` is indexed, to count the points that contain a lexeme. */
const lexemeFields = (lexemes: Lexemes, length: number) => ({
  lexemes: Array.from(lexemes.ids),
  length,
  packed_lexemes: Buffer.from(packLexemes(lexemes)).toString('base64'),
})

/**
 * `k` is the key, one of `t`, `n`, `b` a text, number or boolean, and `d` a date. A client's key is a value here, never
 * the name of a field.
 */
const toPayload = ({ key, value, date }: Field) => ({
  k: keywordOf(key),
  ...(typeof value === 'string' ? { t: keywordOf(value) } : {}),
  ...(typeof value === 'number' ? { n: value } : {}),
  ...(typeof value === 'boolean' ? { b: `${value}` } : {}),
  ...(date === undefined ? {} : { d: date }),
})

type FieldTest = Extract<FieldFilter, { readonly key: string }>

/** Returns none if the field only has to exist. */
const toValueTest = (test: FieldTest): Schemas['FieldCondition'][] => {
  if ('exists' in test) return []
  if ('compare' in test) return [{ key: test.with === 'number' ? 'n' : 'd', range: { [test.compare]: test.bound } }]
  const { is } = test
  if (typeof is === 'number') return [{ key: 'n', range: { gte: is, lte: is } }]
  return [typeof is === 'boolean' ? has('b', `${is}`) : has('t', keywordOf(is))]
}

const nested = (key: string, tests: Schemas['FieldCondition'][]): Schemas['Condition'] => ({
  nested: { key: 'fields', filter: { must: [has('k', keywordOf(key)), ...tests] } },
})

type TextTest = { readonly key: string; readonly is: string }
const isTextTest = (filter: FieldFilter): filter is TextTest => 'is' in filter && typeof filter.is === 'string'

/** At least one must hold. All texts of a list form one condition, because a list may have hundreds. */
const toAlternatives = (filters: readonly FieldFilter[]): Schemas['Condition'][] => {
  const texts = Map.groupBy(filters.filter(isTextTest), ({ key }) => key)
  return [
    ...[...texts].map(([key, tests]) =>
      nested(key, [{ key: 't', match: { any: [...new Set(tests.map(({ is }) => keywordOf(is)))] } }]),
    ),
    ...filters.filter((filter) => !isTextTest(filter)).map(toFieldCondition),
  ]
}

const toFieldCondition = (filter: FieldFilter): Schemas['Condition'] => {
  if ('and' in filter) return { must: filter.and.map(toFieldCondition) }
  if ('or' in filter) return { should: toAlternatives(filter.or) }
  if ('not' in filter) return { must_not: [toFieldCondition(filter.not)] }
  return nested(filter.key, toValueTest(filter))
}

export const toRecord = (point: Point, unit: Float32Array): Schemas['PointStruct'] => {
  const { namespaceId, itemId, version, passage, terms, words, lexemes, fields } = point
  const length = lexemes ? lengthOf(lexemes.counts) : 0
  const dense = Array.from(unit)
  return {
    id: pointIdOf(point),
    vector: lexemes ? { '': dense, [sparseVector]: toSparse(lexemes, length) } : dense,
    payload: {
      namespace_id: namespaceId,
      item_id: itemId,
      version,
      item_version: itemVersionOf(itemId, version),
      passage,
      terms: terms.map(keywordOf),
      words: words.map(keywordOf),
      order: orderNumbers(namespaceId, itemId),
      ...(fields ? { fields: fields.map(toPayload) } : {}),
      ...(lexemes ? lexemeFields(lexemes, length) : {}),
    },
  }
}

type AddressPayload = {
  readonly namespace_id: string
  readonly item_id: string
  readonly version: string
  readonly passage: number
}

export const toAddress = ({ payload }: Pick<Schemas['Record'], 'payload'>): PointAddress => {
  const { namespace_id, item_id, version, passage } = payload as AddressPayload
  return { namespaceId: namespace_id, itemId: item_id, version, passage }
}

export const wordFields = [...addressFields, 'length', 'packed_lexemes']

export const toLexemes = ({ payload }: Pick<Schemas['Record'], 'payload'>) => {
  const { length, packed_lexemes: packed } = payload as { readonly length?: number; readonly packed_lexemes?: string }
  if (length === undefined || packed === undefined) return undefined
  return { length, ...unpackLexemes(Buffer.from(packed, 'base64')) }
}

export const has = (key: string, value: string | number): Schemas['FieldCondition'] => ({ key, match: { value } })

/** Points with every term and every word that meet the other conditions. */
export const toFilter = (
  namespaceId: string,
  { terms, words, fields }: PointFilter = { terms: [], words: [] },
  others: readonly Schemas['FieldCondition'][] = [],
): Schemas['Filter'] => ({
  must: [
    has('namespace_id', namespaceId),
    ...[...new Set(terms)].map((term) => has('terms', keywordOf(term))),
    ...[...new Set(words)].map((word) => has('words', keywordOf(word))),
    ...(fields ? [toFieldCondition(fields)] : []),
    ...others,
  ],
})

export async function* scrollPages(
  { request }: Pick<Qdrant, 'request'>,
  collection: string,
  page: Omit<Schemas['ScrollRequest'], 'offset'>,
) {
  for (let offset: Schemas['ExtendedPointId'] | undefined; ; ) {
    const from = offset === undefined ? {} : { offset }
    const { points, next_page_offset: next } = await request((client) =>
      client.scroll(collection, { ...page, ...from }),
    )
    yield points
    if (typeof next !== 'string' && typeof next !== 'number') return
    offset = next
  }
}
