/** Embedded once by every thread that loads a model: another model of the same size would fill namespaces with vectors no search finds. */
export const fingerprintText = 'A namespaced data service stores text, vectors and files.'

/** The signs of its vector, one bit a dimension, from a forward pass with the unquantised weights of all-MiniLM-L6-v2. */
const signs = Buffer.from('SJ852r9r4tubWi4U54RAQJ7athWPSO3MNQ9M6anyqBuwgsWbRdb+YMjHOd/5+ylK', 'base64')

/** Share of the signs that agree: about 0.5 for any other model, above 0.9 for every quantisation of this one. */
export const fingerprintAgreement = (vector: Float32Array): number => {
  let agreeing = 0
  for (const [index, value] of vector.entries()) {
    const positive = ((signs[index >> 3] ?? 0) >> (index & 7)) & 1
    if (value > 0 === (positive === 1)) agreeing += 1
  }
  return agreeing / vector.length
}
