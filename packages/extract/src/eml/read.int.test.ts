import { attachment, encodedWord, mail, multipart, textPart } from '@cairn/testing/material/create-eml'
import { describe, expect, it } from 'vitest'
import { blocksOf, noteMessages } from '../docx/docx.fixture.ts'
import { type Read, readFile } from '../read-file.fixture.ts'

const read = (content: string, subject = 'Orchard'): Promise<Read> =>
  readFile('eml', Buffer.from(mail(subject, content), 'latin1'))
const headers =
  'text: From: Ann Moore <ann@example.org>\nTo: "Ben, the gardener" <ben@example.org>, carla@example.org\nDate: Mon, 02 Mar 2026 10:15:00 +0100 (CET)'
/** Returns the blocks that follow the subject and the headers. */
const bodyOf = (result: Read): string[] => blocksOf(result).slice(2)
const plain = (text: string, ...more: string[]) => textPart('text/plain', text, 'utf-8', '8bit', more)
const html = (text: string) => textPart('text/html', text, 'utf-8', 'quoted-printable')
const of = (type: string, body: string, ...more: string[]) => [`Content-Type: ${type}`, ...more, '', body].join('\r\n')

describe('a mail', () => {
  it('is read as subject, sender, recipients and paragraphs; its headers become properties', async () => {
    const result = await read(
      plain('First line\ngoes on.\n\n\n> quoted\n> reply\n \nLast.'),
      encodedWord('Äpfel & more'),
    )
    expect(blocksOf(result)).toEqual([
      'heading1: Äpfel & more',
      headers,
      'text: First line\ngoes on.',
      'text: > quoted\n> reply',
      'text: Last.',
    ])
    expect(result.events[0]).toEqual({
      event: 'properties',
      properties: {
        title: 'Äpfel & more',
        from: 'Ann Moore <ann@example.org>',
        to: '"Ben, the gardener" <ben@example.org>, carla@example.org',
        date: '2026-03-02T09:15:00.000Z',
        message_id: '<1@example.org>',
      },
    })
    expect(noteMessages(result)).toEqual([])
  })

  it('is decoded by its transfer encodings and charsets, stated or not', async () => {
    const word = 'Grüße an die schönen Mädchen und Bären in den heißen Öfen, wünscht der fröhliche Müller.'
    for (const encoding of ['8bit', 'quoted-printable', 'base64'] as const)
      for (const charset of ['utf-8', 'iso-8859-1', 'windows-1252'])
        expect(bodyOf(await read(textPart('text/plain', word, charset, encoding)))).toEqual([`text: ${word}`])
    const unstated = await read(
      `Content-Type: text/plain; charset=us-ascii\r\n\r\n${Buffer.from(word, 'latin1').toString('latin1')}`,
    )
    expect(bodyOf(unstated)).toEqual([`text: ${word}`])
    expect(unstated.notes).toEqual(['encoding_guessed'])
    const utf8 = await read(`\r\n${Buffer.from(word).toString('latin1')}`)
    expect([bodyOf(utf8), utf8.notes]).toEqual([[`text: ${word}`], []])
    const japanese = Buffer.from('1b24422547252242281b2842', 'hex').toString('latin1')
    expect(bodyOf(await read(`Content-Type: text/plain; charset=iso-2022-jp\r\n\r\n${japanese}`))[0]).toMatch(
      /^text: デア/,
    )
    const broken = await read(
      `Content-Type: text/plain; charset=utf-8\r\n\r\n${Buffer.from(word).toString('latin1')}\xff`,
    )
    expect([bodyOf(broken), broken.notes]).toEqual([[`text: ${word}\ufffd`], ['bytes_replaced']])
    const wrong = await read(`Content-Type: text/plain; charset=utf-8\r\n\r\n${word}`)
    expect([bodyOf(wrong), wrong.notes]).toEqual([[`text: ${word}`], ['encoding_guessed']])
  })

  it('uses the requested encoding if the mail states none', async () => {
    const bytes = Buffer.from(mail('x', '\r\nc\xf3digo'), 'latin1')
    expect(bodyOf(await readFile('eml', bytes, { encoding: 'windows-1250' }))).toEqual(['text: código'])
    await expect(readFile('eml', bytes, { encoding: 'x-none' })).rejects.toThrow('not known')
  })

  it('joins the lines of flowed text', async () => {
    const text = 'A long line that \r\ngoes on.\r\n> quoted \r\n> text\r\n-- \r\nAnn'
    expect(bodyOf(await read(`Content-Type: text/plain; format=flowed\r\n\r\n${text}`))).toEqual([
      'text: A long line that goes on.\n> quoted text\n-- \nAnn',
    ])
  })

  it('without a body has text only if it has a subject', async () => {
    expect((await readFile('eml', 'From: a@b.c\nTo: d@e.f\n\n')).failure).toBe('no_text')
    expect(blocksOf(await readFile('eml', 'From: a@b.c\nSubject: Noon\n\n'))[0]).toBe('heading1: Noon')
  })
})

describe('parts', () => {
  it('of an alternative are read once: plain text, or HTML if it has more text', async () => {
    const both = (text: string, page: string) =>
      multipart('alternative', 'a', [plain(text), multipart('related', 'r', [html(page)])])
    expect(bodyOf(await read(both('plain form', '<p>HTML form</p>')))).toEqual(['text: plain form'])
    expect(bodyOf(await read(both('', '<p>HTML form</p>')))).toEqual(['text: HTML form'])
    const long = 'What only the page says. '.repeat(10).trim()
    expect(bodyOf(await read(both('Open this in a browser.', `<p>${long}</p>`)))).toEqual([`text: ${long}`])
    const reversed = multipart('alternative', 'a', [html('<p>HTML</p>'), plain('text')])
    expect(bodyOf(await read(multipart('mixed', 'm', [reversed, plain('After.')])))).toEqual([
      'text: text',
      'text: After.',
    ])
  })

  it('in HTML are read as the text that is shown', async () => {
    const page =
      '<html><head><title>T</title><style>p{}</style></head><body><!-- note --><p>One &amp; two</p><script>x()</script><table><tr><td>a</td><td>b</td></tr></table><p>`<b>three</b>`</p></body></html>'
    expect(bodyOf(await read(html(page)))).toEqual([
      'text: One & two',
      'text: | a | b |\n| --- | --- |',
      'text: `three`',
    ])
    expect(bodyOf(await read(html(`<p>${'word '.repeat(30_000)}</p><p>end</p>`))).at(-1)).toBe('text: end')
  })

  it('that are attachments are noted with their names', async () => {
    const name = "filename*0*=utf-8''%C3%9Cbersicht%20; filename*1=2026.pdf"
    const result = await read(
      multipart('mixed', 'm', [
        plain('See below.'),
        attachment('plan.xlsx', Buffer.from('x')),
        of('application/pdf', 'x', `Content-Disposition: attachment; ${name}`),
        of('text/plain; name=notes.txt', 'x', 'Content-Disposition: attachment'),
        of('image/png', 'x', 'Content-ID: <1>'),
        of('text/x-patch', '+ a line', 'Content-Disposition: inline; filename=a.patch'),
      ]),
    )
    expect(bodyOf(result)).toEqual(['text: See below.', 'text: + a line'])
    expect(noteMessages(result)).toEqual([
      'content_not_read: Attachment "plan.xlsx" (application/octet-stream) was not read.',
      'content_not_read: Attachment "Übersicht 2026.pdf" (application/pdf) was not read.',
      'content_not_read: Attachment "notes.txt" (text/plain) was not read.',
      'content_not_read: An attachment of the type image/png was not read.',
    ])
  })

  it('that are messages are read below their own subject, in any transfer encoding', async () => {
    const inner = mail('Inner', multipart('alternative', 'a', [plain('inner text'), html('<p>inner page</p>')]))
    const result = await read(
      multipart('mixed', 'm', [
        plain('before'),
        of('message/rfc822', inner, 'Content-Disposition: attachment; filename=inner.eml'),
        of('message/rfc822', Buffer.from(inner).toString('base64'), 'Content-Transfer-Encoding: base64'),
        plain('after'),
      ]),
    )
    expect(bodyOf(result).filter((block) => block !== headers)).toEqual([
      'text: before',
      'heading2: Inner',
      'text: inner text',
      'heading2: Inner',
      'text: inner text',
      'heading1: Orchard',
      'text: after',
    ])
  })

  it('that are signed are read; an encrypted mail fails with the reason encrypted', async () => {
    const signature = of('application/pgp-signature; name=signature.asc', 'x')
    const signed = await read(multipart('signed', 's', [plain('signed text'), signature]))
    expect([bodyOf(signed), signed.notes]).toEqual([['text: signed text'], []])

    const encrypted = multipart('encrypted', 'e', [
      of('application/pgp-encrypted', 'Version: 1'),
      of('application/octet-stream', 'x'),
    ])
    const cms = (kind: string) =>
      of(`application/pkcs7-mime; ${kind}name=smime.p7m`, 'MIIB', 'Content-Transfer-Encoding: base64')
    for (const content of [
      encrypted,
      cms('smime-type=enveloped-data; '),
      cms(''),
      multipart('mixed', 'm', [encrypted]),
    ])
      expect((await read(content)).failure).toBe('encrypted')
    const partly = await read(multipart('mixed', 'm', [plain('The list adds this.'), encrypted]))
    expect([bodyOf(partly), noteMessages(partly)]).toEqual([
      ['text: The list adds this.'],
      ['content_not_read: An encrypted part of the mail was not read.'],
    ])
    expect((await read(cms('smime-type=signed-data; '))).notes).toEqual(['content_not_read'])
  })

  it('without a type, or without their boundary, are read as text', async () => {
    expect(bodyOf(await read('Content-Type: text\r\n\r\nplain'))).toEqual(['text: plain'])
    expect(bodyOf(await read('Content-Type: multipart/mixed\r\n\r\nno parts'))).toEqual(['text: no parts'])
    expect(bodyOf(await read('Content-Type: multipart/alternative; boundary=b\r\n\r\nno parts'))).toEqual([
      'text: no parts',
    ])
    const preamble = multipart('mixed', 'b', [plain('part')]).replace('\r\n\r\n', '\r\n\r\nA MIME message.\r\n')
    expect(bodyOf(await read(preamble))).toEqual(['text: part'])
  })

  it('of a digest are read as messages', async () => {
    const digest = multipart('digest', 'd', ['\r\nSubject: One\r\n\r\nfirst', 'Content-Type: text/plain\r\n\r\nsecond'])
    expect(bodyOf(await read(digest))).toEqual(['heading2: One', 'text: first', 'heading1: Orchard', 'text: second'])
  })

  it('that are too long are cut, with a note', async () => {
    const result = await read(plain(`${'word '.repeat(2_000_000)}\r\nend`))
    expect(result.notes).toEqual(['truncated'])
    expect(result.blocks.reduce((sum, { text }) => sum + text.length, 0)).toBeGreaterThan(8_000_000)
  })
})
