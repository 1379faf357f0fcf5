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

export const float32 = 1
export const int64 = 7

type Attribute = readonly [name: string, value: number]
export const node = (
  type: string,
  inputs: readonly string[],
  output: string,
  attributes: readonly Attribute[] = [],
): Part =>
  bytes(1, [
    ...inputs.map((name) => bytes(1, name)),
    bytes(2, output),
    bytes(4, type),
    ...attributes.map(([name, value]) => bytes(5, [bytes(1, name), number(3, value), number(20, 2)])),
  ])
/** Encodes an input or output. A dimension is a number or a dimension name. */
const value = (field: number, name: string, type: number, shape: readonly (number | string)[]): Part => {
  const dimensions = shape.map((size) => bytes(1, typeof size === 'number' ? number(1, size) : bytes(2, size)))
  return bytes(field, [bytes(1, name), bytes(2, bytes(1, [number(1, type), bytes(2, dimensions)]))])
}
const tensor = (name: string, type: number, shape: readonly number[], raw: Part): Part =>
  bytes(5, [...shape.map((size) => number(1, size)), number(2, type), bytes(9, raw), bytes(8, name)])
export const integers = (name: string, values: readonly number[], shape: readonly number[]): Part =>
  tensor(name, int64, shape, Buffer.from(BigInt64Array.from(values, BigInt).buffer))
export const floats = (name: string, values: readonly number[], shape: readonly number[]): Part =>
  tensor(name, float32, shape, Buffer.from(Float32Array.from(values).buffer))

/** Returns an ONNX file with the inputs of a BERT model; `parts` are its nodes and constants. */
export const bertModel = (
  name: string,
  parts: readonly Part[],
  output: { readonly name: string; readonly shape: readonly (number | string)[] },
): Part => {
  const inputs = ['input_ids', 'attention_mask', 'token_type_ids']
  const graph = bytes(7, [
    ...parts,
    bytes(2, name),
    ...inputs.map((input) => value(11, input, int64, [1, 'tokens'])),
    value(12, output.name, float32, output.shape),
  ])
  return Buffer.concat([number(1, 8), graph, bytes(8, number(2, 13))])
}
