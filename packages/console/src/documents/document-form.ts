import type { SentDocument, Upload } from '@cairn/client'
import type { Tone } from '../parts.tsx'

export type MetadataPair = { readonly name: string; readonly value: string }

/** Leaves out incomplete metadata pairs. */
export const documentOf = (id: string, text: string, pairs: readonly MetadataPair[]): SentDocument => ({
  ...Object.fromEntries(
    pairs.filter(({ name, value }) => name.trim() && value.trim()).map(({ name, value }) => [name, value]),
  ),
  id,
  text,
})

/** Describes an uploaded document. `undefined`: its upload has not been read yet. */
export const uploadBadge = (
  upload: Pick<Upload, 'state' | 'finished_at' | 'documents'> | undefined,
): { readonly tone: Tone; readonly label: string } => {
  if (!upload?.finished_at) return { tone: 'busy', label: upload?.state ?? 'accepted' }
  if (upload.documents[0]?.outcome === 'failed') return { tone: 'bad', label: 'failed' }
  return { tone: 'good', label: 'searchable' }
}
