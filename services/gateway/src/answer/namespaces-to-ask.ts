import { invalidField, notTextBased } from '@cairn/contracts/api/failures'
import { AppError } from '@cairn/contracts/errors'
import { limits } from '@cairn/contracts/limits'
import type { Readable, ReadableNamespace } from '../gate.ts'

const all = async (readable: Readable): Promise<readonly ReadableNamespace[]> => {
  const texts = (await readable.namespaces()).filter(({ type }) => type === 'text')
  if (texts.length > limits.namespacesUnnamed)
    throw invalidField(
      'namespaces',
      `must name those to ask: there are ${texts.length} text namespaces, and without names at most ${limits.namespacesUnnamed} are asked`,
    )
  if (texts.length === 0)
    throw new AppError('notFound', 'There is no text namespace to answer from', {
      body: { error: 'Namespace not found', suggestion: 'Create one with POST /v1/namespaces.' },
    })
  return texts
}

/** Returns at least one text namespace: those that are named, else all of the account. */
export const namespacesToAsk = async (
  readable: Readable,
  names: readonly string[] | undefined,
): Promise<readonly ReadableNamespace[]> => {
  if (!names) return all(readable)
  const named = await Promise.all([...new Set(names)].map((name) => readable.namespace(name)))
  const other = named.find(({ type }) => type !== 'text')
  if (other) throw notTextBased(other.name)
  return named
}
