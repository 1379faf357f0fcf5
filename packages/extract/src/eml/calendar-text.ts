import { oneLine } from '../shared/clean-text.ts'

type Property = { readonly value: string; readonly parameters: string }

const unescaped = (value: string): string =>
  value.replace(/\\(.)/g, (_, sign: string) => (/n/i.test(sign) ? '\n' : sign)).trim()

const time = ({ value, parameters }: Property): string => {
  const zone = value.endsWith('Z') ? ' UTC' : (/TZID="?([^";:]+)/i.exec(parameters)?.[1] ?? '').replace(/^/, ' ')
  return value.replace(/^(\d{4})(\d\d)(\d\d)/, '$1-$2-$3').replace(/T(\d\d)(\d\d)\d*Z?$/, ` $1:$2${zone}`)
}

const person = ({ value, parameters }: Property): string => {
  const address = value.replace(/^mailto:/i, '')
  const name = /(?:^|;)CN=(?:"([^"]*)"|([^;:]*))/i.exec(parameters)
  const known = name?.[1] ?? name?.[2] ?? ''
  return known === '' || known === address ? address : `${known} <${address}>`
}

const fields: readonly (readonly [label: string, name: string, text: (property: Property) => string])[] = [
  ['Event', 'SUMMARY', ({ value }) => unescaped(value)],
  ['Status', 'STATUS', ({ value }) => value.toLowerCase()],
  ['Start', 'DTSTART', time],
  ['End', 'DTEND', time],
  ['Duration', 'DURATION', ({ value }) => value],
  ['Due', 'DUE', time],
  ['Repeats', 'RRULE', ({ value }) => (/FREQ=(\w+)/i.exec(value)?.[1] ?? '').toLowerCase()],
  ['Place', 'LOCATION', ({ value }) => unescaped(value)],
  ['Organizer', 'ORGANIZER', person],
  ['Attendees', 'ATTENDEE', person],
]

/** Returns the events of a calendar (RFC 5545) as `label: value` lines, each with its description below. */
export const calendarText = (calendar: string): string => {
  const open: string[] = []
  const texts: string[] = []
  let event = new Map<string, Property[]>()
  for (const line of calendar
    .replace(/\r\n?/g, '\n')
    .replace(/\n[ \t]/g, '')
    .split('\n')) {
    const [, written, parameters = '', value = ''] = /^([\w-]+)((?:;(?:"[^"]*"|[^":])*)?):(.*)$/.exec(line) ?? []
    const name = written?.toUpperCase() ?? ''
    const isEvent = /^V(?:EVENT|TODO|JOURNAL)$/.test(open.at(-1) ?? '')
    if (name === 'BEGIN') {
      open.push(value.trim().toUpperCase())
      if (open.length === 2) event = new Map()
    } else if (name === 'END') {
      open.pop()
      if (!isEvent) continue
      const lines = fields.flatMap(([label, field, text]) => {
        const all = event.get(field)?.map((property) => oneLine(text(property))) ?? []
        return all.join('') === '' ? [] : [`${label}: ${all.join(', ')}`]
      })
      const description = unescaped(event.get('DESCRIPTION')?.[0]?.value ?? '')
      texts.push([lines.join('\n'), description].filter((text) => text !== '').join('\n\n'))
    } else if (isEvent) {
      const known = event.get(name) ?? []
      event.set(name, known)
      known.push({ value, parameters })
    }
  }
  return texts.join('\n\n')
}
