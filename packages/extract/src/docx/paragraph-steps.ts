import type { DocxFlow, ParagraphProperties } from '../shared/flow.ts'
import { type Attribute, type Handler, handlersOf, type NamedHandlers, on, skip } from '../shared/xml-steps.ts'
import type { DocxContext } from './context.ts'

export const paragraphHandlers = (context: DocxContext): NamedHandlers => {
  const { flow } = context
  const properties = handlersOf(propertyHandlers(flow))
  return {
    p: () => {
      flow.beginParagraph()
      return { end: () => context.endParagraph() }
    },
    pPr: () => ({ children: properties, end: () => flow.endProperties() }),
  }
}

const propertyHandlers = (flow: DocxFlow): NamedHandlers => {
  const change = (act: (properties: ParagraphProperties, attribute: Attribute) => void): Handler =>
    on((attribute) => {
      const { properties } = flow
      if (properties) act(properties, attribute)
    })
  const set = (key: 'styleId' | 'numId' | 'ilvl'): Handler =>
    change((properties, attribute) => {
      const value = attribute('val')
      if (value !== undefined) properties[key] = value
    })
  const joins = change((properties) => {
    properties.joins = true
  })
  const ofMark = handlersOf({ del: joins, moveFrom: joins, rPrChange: skip })
  return {
    pStyle: set('styleId'),
    numId: set('numId'),
    ilvl: set('ilvl'),
    outlineLvl: change((properties, attribute) => {
      const level = Number(attribute('val'))
      if (Number.isInteger(level) && level >= 0) properties.outline = level
    }),
    framePr: change((properties, attribute) => {
      if (['drop', 'margin'].includes(attribute('dropCap') ?? '')) properties.joins = true
    }),
    rPr: () => ({ children: ofMark }),
    pPrChange: skip,
    numberingChange: skip,
    sectPr: skip,
  }
}
