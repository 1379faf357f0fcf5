import { oneLine } from './clean-text.ts'
import { type Relation, readSmallXml } from './office-part.ts'
import type { CheckedZip } from './zip-check.ts'

const maxPoints = 10_000

/** Texts of a SmartArt diagram, each followed by its children, as in the text pane. */
const readDiagram = async (zip: CheckedZip, part: string, maxBytes: number): Promise<string[]> => {
  const texts = new Map<string, string>()
  const children = new Map<string, { readonly id: string; readonly order: number }[]>()
  const below = new Set<string>()
  let point: string | undefined
  let inText = false
  await readSmallXml(
    zip,
    part,
    {
      open(name, attribute) {
        if (name === 'pt' && texts.size < maxPoints) {
          point = attribute('modelId') ?? ''
          texts.set(point, '')
        } else if (name === 'cxn' && (attribute('type') ?? 'parOf') === 'parOf' && below.size < maxPoints) {
          const [from, id] = [attribute('srcId') ?? '', attribute('destId') ?? '']
          const known = children.get(from) ?? []
          children.set(from, known)
          known.push({ id, order: Number(attribute('srcOrd')) || 0 })
          below.add(id)
        } else if (name === 't') inText = true
        else if (name === 'br' && point !== undefined) texts.set(point, `${texts.get(point)}\n`)
      },
      close(name) {
        if (name === 't') inText = false
        else if (name === 'p' && point !== undefined) texts.set(point, `${texts.get(point)}\n`)
        else if (name === 'pt') point = undefined
      },
      text(text) {
        // A `dgm:t` holds `a:p` elements, and white space between them.
        if (inText && point !== undefined) texts.set(point, texts.get(point) + text)
      },
    },
    maxBytes,
  )

  const ordered: string[] = []
  const waiting = [...texts.keys()].filter((id) => !below.has(id)).toReversed()
  // Points in a cycle have no root, so points not reached come last.
  const rest = new Set(texts.keys())
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (!rest.delete(id)) continue
    ordered.push(id)
    const next = (children.get(id) ?? []).toSorted((a, b) => b.order - a.order)
    for (const child of next) waiting.push(child.id)
  }
  return [...ordered, ...rest].map((id) => oneLine(texts.get(id) ?? '')).filter(Boolean)
}

/** Leaves out diagrams beyond `maxBytes` in total. */
export const readDiagrams = async (
  zip: CheckedZip,
  relations: readonly Relation[],
  maxBytes: number,
): Promise<ReadonlyMap<string, readonly string[]>> => {
  const diagrams = new Map<string, readonly string[]>()
  let left = maxBytes
  for (const { id, type, target } of relations) {
    if (type !== 'diagramData') continue
    left -= zip.entries.get(target)?.uncompressedSize ?? 0
    if (left >= 0) diagrams.set(id, await readDiagram(zip, target, maxBytes))
  }
  return diagrams
}
