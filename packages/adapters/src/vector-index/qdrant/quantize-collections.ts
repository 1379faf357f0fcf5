import { connectQdrant, type QdrantConnection } from './client.ts'
import { installedCollections, int8, type Quantization } from './collections.ts'

/**
 * May run any number of times. Qdrant converts the vectors in the background and stays available. Returns the names of
 * changed collections. Rejects with the AppErrors of `Qdrant.request`.
 */
export const quantizeCollections = async (
  options: QdrantConnection & { readonly prefix: string; readonly quantization: Quantization },
): Promise<string[]> => {
  const { prefix, quantization, ...connection } = options
  const qdrant = connectQdrant(connection)
  const changed: string[] = []
  for await (const { name, info } of installedCollections(qdrant, prefix)) {
    const isQuantized = Boolean(info.config.quantization_config)
    if (isQuantized === (quantization === 'int8')) continue
    await qdrant.request((client) =>
      client.updateCollection(name, { quantization_config: quantization === 'int8' ? int8 : 'Disabled' }),
    )
    changed.push(name)
  }
  return changed.sort()
}
