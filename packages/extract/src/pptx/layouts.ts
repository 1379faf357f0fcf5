import { type Relation, readXml, relationsOf } from '../shared/office-part.ts'
import { handlersOf, xmlSteps } from '../shared/xml-steps.ts'
import type { CheckedZip } from '../shared/zip-check.ts'
import type { Box, Bullet, Bullets, Placeholder, Shape } from './shape.ts'
import { shapeReader } from './shapes.ts'
import { levelHandlers } from './text-steps.ts'

/** What a placeholder of a slide inherits from its layout and from the master. */
export type Inherited = {
  readonly box?: Box
  readonly bullet: (level: number) => Bullet | undefined
}

type Part = {
  readonly placeholders: readonly Pick<Shape, 'placeholder' | 'box' | 'bullets'>[]
  /** By level; only masters have them. */
  readonly body: Bullets
  /** Text of shapes that are not placeholders; every slide with this layout shows it. */
  readonly texts: readonly string[]
  readonly master?: string
}

const maxParts = 100
const maxPlaceholders = 200
const maxTexts = 100
const maxTextUnits = 1000

const flat = (shapes: readonly Shape[]): Shape[] => shapes.flatMap((shape) => [shape, ...flat(shape.children)])

/** Layouts name a placeholder by its content, such as `chart`; masters have one body placeholder for all contents. */
const kindOf = ({ type }: Placeholder): string =>
  /^(?:title|ctrTitle)$/.test(type) ? 'title' : /^(?:dt|ftr|sldNum|hdr)$/.test(type) ? type : 'body'

const readPart = async (zip: CheckedZip, part: string): Promise<Part> => {
  const relations = await relationsOf(zip, part)
  const reader = shapeReader()
  const body: Bullets = new Map()
  const styles = xmlSteps(handlersOf({ bodyStyle: () => ({ children: levelHandlers(() => body) }) }))
  const both = {
    open(name: string, attribute: (name: string) => string | undefined) {
      reader.handler.open(name, attribute)
      styles.open(name, attribute)
    },
    close(name: string) {
      reader.handler.close?.(name)
      styles.close?.(name)
    },
    text: (text: string) => reader.handler.text?.(text),
  }
  for await (const _ of readXml(zip, part, both));
  const shapes = flat(reader.shapes)
  const texts = shapes
    .filter(({ placeholder, isHidden }) => !placeholder && !isHidden)
    .map(({ paragraphs }) =>
      paragraphs
        .map(({ text }) => text)
        .join(' ')
        .trim(),
    )
    .filter((text) => text !== '')
  const master = relations.find(({ type }) => type === 'slideMaster')?.target
  return {
    placeholders: shapes
      .filter(({ placeholder }) => placeholder)
      .slice(0, maxPlaceholders)
      .map(({ placeholder, box, bullets }) => ({ ...(placeholder && { placeholder }), ...(box && { box }), bullets })),
    body,
    texts: texts.slice(0, maxTexts).map((text) => text.slice(0, maxTextUnits)),
    ...(master !== undefined && zip.entries.has(master) && { master }),
  }
}

export const layoutReader = (zip: CheckedZip) => {
  const parts = new Map<string, Part>()
  const texts = new Set<string>()
  const partOf = async (name: string | undefined): Promise<Part | undefined> => {
    if (name === undefined || !zip.entries.has(name)) return undefined
    const known = parts.get(name)
    if (known) return known
    if (parts.size >= maxParts) parts.clear()
    const read = await readPart(zip, name)
    parts.set(name, read)
    for (const text of read.texts) if (texts.size < maxTexts) texts.add(text)
    return read
  }

  return {
    texts: (): ReadonlySet<string> => texts,
    /** Returns a function that resolves what the shapes of a slide with these relations inherit. */
    async of(relations: readonly Relation[]): Promise<(shape: Shape) => Inherited> {
      const layout = await partOf(relations.find(({ type }) => type === 'slideLayout')?.target)
      const master = await partOf(layout?.master)
      return ({ placeholder }) => {
        if (!placeholder) return { bullet: () => undefined }
        const kind = kindOf(placeholder)
        const own = layout?.placeholders
        const inLayout =
          own?.find((other) => placeholder.index !== '' && other.placeholder?.index === placeholder.index) ??
          own?.find((other) => other.placeholder && kindOf(other.placeholder) === kind)
        const inMaster = master?.placeholders.find((other) => other.placeholder && kindOf(other.placeholder) === kind)
        const box = inLayout?.box ?? inMaster?.box
        return {
          ...(box && { box }),
          bullet: (level) =>
            inLayout?.bullets.get(level) ??
            inMaster?.bullets.get(level) ??
            (kind === 'body' ? master?.body.get(level) : undefined),
        }
      }
    },
  }
}
