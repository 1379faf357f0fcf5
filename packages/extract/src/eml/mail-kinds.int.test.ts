import { attachment, mail, multipart, textPart } from '@cairn/testing/material/create-eml'
import { describe, expect, it } from 'vitest'
import { blocksOf, noteMessages } from '../docx/docx.fixture.ts'
import { type Read, readFile } from '../read-file.fixture.ts'

const bytesOf = (content: string): Buffer => Buffer.from(mail('Orchard', content), 'latin1')
const read = (content: string): Promise<Read> => readFile('eml', bytesOf(content))
/** Returns the blocks that follow the subject and the headers. */
const bodyOf = (result: Read): string[] => blocksOf(result).slice(2)
const plain = (text: string, ...more: string[]) => textPart('text/plain', text, 'utf-8', '8bit', more)
const html = (text: string) => textPart('text/html', text, 'utf-8', 'quoted-printable')
const line = 'From ann@example.org Mon Mar  2 10:15:00 2026\n'

describe('a file with a mail', () => {
  it.each([line, `\n \n${line}`, `>${line}`, '\r\n'])('may begin with %j', async (before) => {
    const bytes = Buffer.concat([Buffer.from(before), bytesOf(plain('One mail.'))])
    expect(bodyOf(await readFile('eml', bytes))).toEqual(['text: One mail.'])
  })

  it('is refused if it contains several mails', async () => {
    for (const length of [1, 65_500, 200_000]) {
      const first = Buffer.from(`${line}${mail('One', `\n${'a'.repeat(length)}\n\n`).replaceAll('\r', '')}`)
      const second = await readFile('eml', Buffer.concat([first, Buffer.from(line), bytesOf(plain('Two'))]))
      expect(second.failure).toBe('content_mismatch')
    }
    const inner = `Content-Type: message/rfc822\n\n${line}${mail('Inner', '\ninner text')}`
    const outer = Buffer.from(line + mail('Outer', multipart('mixed', 'm', [plain('outer text'), inner])))
    expect(blocksOf(await readFile('eml', outer)).filter((block) => !block.includes('From:'))).toEqual([
      'heading1: Outer',
      'text: outer text',
      'heading2: Inner',
      'text: inner text',
    ])
  })
})

describe('an HTML part', () => {
  const both = (text: string, page: string) => read(multipart('alternative', 'a', [plain(text), html(page)]))

  it('is read besides a plain part with other text', async () => {
    const page = '<p>The gate is shut from May.</p>'
    for (const stub of [
      'View this mail in your browser.',
      'This message was sent as HTML. Please use a program that shows it, or ask the sender for a copy on paper.',
      'Not shown.',
    ])
      expect(bodyOf(await both(stub, page))).toEqual(['text: The gate is shut from May.'])
  })

  it('is not read besides a plain part with the same text or more', async () => {
    const text = 'The gate is shut from May, see https://orchard.example/gate in a browser.'
    expect(bodyOf(await both(text, '<p>The gate is shut from <b>May</b>.</p>'))).toEqual([`text: ${text}`])
    expect(bodyOf(await both('Come to the barn at noon, all of you.', '<p>Only a picture</p>'))).toHaveLength(1)
  })
})

describe('encodings', () => {
  it.each([
    '\r\n-- \r\nThis list is run by the office',
    '____________\r\nOrchard mailing list\r\norchard@lists.example.org',
  ])('of Base64 leave the plain footer %j as it is', async (footer) => {
    for (const text of ['Äpfel für Zürich', 'Äpfel für Zürich.', `${'Die Bäume sind geschnitten. '.repeat(8)}Grüße`]) {
      const result = await read(`${textPart('text/plain', text, 'utf-8', 'base64')}\r\n${footer}`)
      const [first, ...rest] = bodyOf(result)
      expect([first, rest.join('\n'), result.notes]).toEqual([`text: ${text}`, expect.stringContaining('list'), []])
    }
  })

  it('of Base64 in one line of megabytes are read in bounded time and memory', async () => {
    const body = Buffer.from('word '.repeat(1_500_000)).toString('base64')
    const result = await read(
      `Content-Type: text/plain\r\nContent-Transfer-Encoding: base64\r\n\r\n${body}\r\nfooter of a list`,
    )
    expect(result.blocks.at(-1)?.text).toBe('footer of a list')
  })

  it('include UTF-7', async () => {
    const body = 'Content-Type: text/plain; charset=utf-7\r\n\r\nDie +AMQ-pfel sind da +- reif.'
    expect(bodyOf(await read(body))).toEqual(['text: Die Äpfel sind da + reif.'])
  })

  it('of files within a text are noted and left out', async () => {
    const encoded = 'begin 644 notes.txt\n#0V%T\n`\nend'
    const base64 = 'begin-base64 644 cat.bin\nQ2F0\n===='
    const result = await read(plain(`Before.\n\n${encoded}\n\n${base64}\nAfter.\nbegin 644 men strong\nend`))
    expect(bodyOf(result)).toEqual(['text: Before.', 'text: After.\nbegin 644 men strong\nend'])
    expect(noteMessages(result)).toEqual([
      'content_not_read: Attachment "notes.txt" (uuencoded) was not read.',
      'content_not_read: Attachment "cat.bin" (uuencoded) was not read.',
    ])
  })
})

describe('an invitation', () => {
  const calendar = [
    'BEGIN:VCALENDAR',
    'BEGIN:VTIMEZONE\nBEGIN:STANDARD\nDTSTART:19701025T030000\nEND:STANDARD\nEND:VTIMEZONE',
    'BEGIN:VEVENT',
    'SUMMARY:Pruning\\, first round\n  of the year',
    'DTSTART;TZID="Europe/Prague":20260310T140000',
    'DTEND:20260310T150000Z',
    'LOCATION:Barn',
    'ORGANIZER;CN=Ann Moore:mailto:ann@example.org',
    'ATTENDEE;CN="Ben; the gardener";ROLE=CHAIR:mailto:ben@example.org',
    'ATTENDEE:mailto:carla@example.org',
    'DESCRIPTION:Bring saws.\\nAnd gloves.',
    'BEGIN:VALARM\nDESCRIPTION:Reminder\nEND:VALARM',
    'END:VEVENT',
    'END:VCALENDAR',
  ].join('\n')
  const event = [
    'text: Event: Pruning, first round of the year',
    'Start: 2026-03-10 14:00 Europe/Prague',
    'End: 2026-03-10 15:00 UTC',
    'Place: Barn',
    'Organizer: Ann Moore <ann@example.org>',
    'Attendees: Ben; the gardener <ben@example.org>, carla@example.org',
  ].join('\n')
  const part = textPart('text/calendar; method=REQUEST', calendar, 'utf-8', '8bit')

  it('is read as title, times, place, people and description', async () => {
    const result = await read(part)
    expect([bodyOf(result), result.notes]).toEqual([[event, 'text: Bring saws.\nAnd gloves.'], []])
    const day = 'BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:Fair\nDTSTART;VALUE=DATE:20260701\nEND:VEVENT\nEND:VCALENDAR'
    expect(bodyOf(await read(textPart('text/calendar', day, 'utf-8', 'base64')))).toEqual([
      'text: Event: Fair\nStart: 2026-07-01',
    ])
  })

  it('is read once, and does not repeat the text of the mail', async () => {
    const text = 'You are invited.\n\nBring saws.\nAnd gloves.'
    const attached = attachment('invite.ics', Buffer.from(calendar)).replace('octet-stream', 'ics')
    const result = await read(multipart('mixed', 'm', [multipart('alternative', 'a', [plain(text), part]), attached]))
    expect(bodyOf(result)).toEqual(['text: You are invited.', 'text: Bring saws.\nAnd gloves.', event])
  })
})

describe('addresses in plain text', () => {
  const visit = 'MTEyLVRaTS03NjYAAAGHO5WGueMTEyLVRaTS03NjYAAAGHO5WGueMTEyLVRaTS03NjYAAAGH'

  it('lose long tracking parameters', async () => {
    const click = `https://click.mailer.example/ls/${visit}?upn=${visit}`
    const text = `Saws <${click}> and nets (${click}).\n> ${click}\n${click}\nSee ${click} or https://orchard.example/a?b=c.`
    expect(bodyOf(await read(plain(text)))).toEqual([
      'text: Saws and nets.\n>',
      'text: See https://click.mailer.example or https://orchard.example/a?b=c.',
    ])
  })

  it('keep meaningful parameters', async () => {
    const page = 'https://orchard.example/guides/how-to-prune-old-apple-trees-without-harm-in-the-valley'
    const wrapped = `https://eur01.safelinks.example/?url=${encodeURIComponent(page)}&data=${visit}`
    expect(bodyOf(await read(plain(`${page}\n${page}?utm_source=letter&id=${visit}\n(${wrapped})`)))).toEqual([
      `text: ${page}\n${page}\n(${page})`,
    ])
  })
})
