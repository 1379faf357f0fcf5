import type { ExtractEvent } from '../block.ts'
import { pageEvents } from '../html/page.ts'
import { htmlParser } from '../html/parse.ts'
import { blockWriter } from '../shared/block-writer.ts'
import { notReadCounter } from '../shared/not-read.ts'

export const htmlText = (html: string): { readonly text: string; readonly notes: readonly ExtractEvent[] } => {
  const parser = htmlParser()
  parser.write(html)
  const [writer, notRead] = [blockWriter({}), notReadCounter()]
  const events = [...pageEvents(parser.end(), { writer, notRead, keepsHidden: false, isOfSite: false })]
  for (const message of notRead.messages()) events.push(...writer.note('content_not_read', message))
  return {
    text: events.flatMap((one) => (one.event === 'block' ? [one.block.text] : [])).join('\n\n'),
    notes: events.filter(({ event }) => event === 'note'),
  }
}
