import { attachment, encodedWord, mail, multipart, textPart } from './create-eml.ts'
import type { Mutations } from './mutation.ts'

const plain = (text: string) => textPart('text/plain', text, 'utf-8', '8bit')
const mixed = (parts: readonly string[]): string => multipart('mixed', 'b', parts)
const sent = (content: string): Buffer => Buffer.from(mail('Orchard', content), 'latin1')
const nested = (depth: number, wrap: (inner: string, level: number) => string, text: string): string => {
  let content = plain(text)
  for (let level = 0; level < depth; level++) content = wrap(content, level)
  return content
}

const mailboxLine = 'From ann@example.org Mon Mar  2 10:15:00 2026\r\n'

export const emlMutations: Mutations = {
  'headers-only': () => Buffer.from('From: a@example.org\r\nTo: b@example.org\r\n\r\n'),
  'no-mail': () => Buffer.from('A text about a meeting.\n\nIt was at noon.\n'),
  'a-note-with-colons': () => Buffer.from('Note: buy seeds\nWhere: the market\n\nAnd salt.\n'),
  envelope: ({ bytes }) => Buffer.concat([Buffer.from(`\r\n${mailboxLine}`), bytes]),
  mailbox: ({ bytes }) =>
    Buffer.concat([Buffer.from(mailboxLine), bytes, Buffer.from(`\r\n\r\n${mailboxLine}`), bytes]),
  'huge-header': ({ hugeBytes }) =>
    Buffer.concat([
      Buffer.from('From: a@example.org\r\nSubject: '),
      Buffer.alloc(hugeBytes, 'a'),
      Buffer.from('\r\n\r\ntext'),
    ]),
  'million-headers': () => sent(`${'X-Header: x\r\n'.repeat(1_000_000)}\r\ntext`),
  'headers-never-ended': ({ hugeBytes }) =>
    Buffer.concat([sent('X-A: 1\r\n'), Buffer.alloc(hugeBytes, 'X-Header: x\r\n')]),
  'encoded-words-without-end': ({ random }) =>
    sent(
      `Cc: ${random.pick(['=?utf-8?Q?', '=?utf-8?B?YQ==?= ', '=?x?=?x?', '=?utf-8?Q?=E2?= '] as const).repeat(30_000)}\r\n\r\nkept text`,
    ),
  'parameters-without-end': () =>
    sent(
      `Content-Type: text/plain; ${Array.from({ length: 20_000 }, (_, index) => `name*${index}*=utf-8''a`).join('; ')}\r\n\r\nkept text`,
    ),
  'comments-without-end': () => sent(`Content-Type: text/plain ${'('.repeat(100_000)}\r\n\r\nkept text`),
  'parts-in-parts': () => sent(nested(5_000, (inner, level) => multipart('mixed', `b${level}`, [inner]), 'deep')),
  'messages-in-messages': () =>
    sent(nested(200, (inner, level) => `Content-Type: message/rfc822\r\n\r\n${mail(`Level ${level}`, inner)}`, 'deep')),
  'encoded-messages-in-messages': () =>
    sent(
      nested(
        12,
        (inner) =>
          `Content-Type: message/rfc822\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(mail('Inner', inner), 'latin1').toString('base64')}`,
        'deep',
      ),
    ),
  'many-parts': () => sent(mixed(Array.from({ length: 50_000 }, () => plain('part')))),
  'some-parts': () => sent(mixed(Array.from({ length: 500 }, () => plain('part')))),
  'boundary-never-ended': () => sent(mixed([plain('kept text')]).replace('--b--', '')),
  'boundary-of-the-parent': () => sent(mixed([mixed([plain('kept text')])])),
  'boundaries-everywhere': () => sent(mixed([plain('kept text\n--b'.repeat(3_000))])),
  'boundary-missing': () => sent(`Content-Type: multipart/mixed\r\n\r\n--b\r\n${plain('text')}\r\n--b--\r\n`),
  'base64-broken': () =>
    sent(
      'Content-Type: text/plain\r\nContent-Transfer-Encoding: base64\r\n\r\na2VwdCB0ZXh0IGhlcmU=!!!***\u00ff%%%\r\nkept====text',
    ),
  'quoted-printable-broken': () =>
    sent(
      `Content-Type: text/plain\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nkept text =ZZ=\r\n=${'='.repeat(50_000)}`,
    ),
  'huge-text': ({ hugeBytes }) => sent(plain('word '.repeat(hugeBytes / 5))),
  'huge-line-in-base64': ({ hugeBytes }) =>
    sent(
      `Content-Type: text/plain\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.alloc(hugeBytes, 'word ').toString('base64')}`,
    ),
  'huge-attachment': ({ hugeBytes }) =>
    sent(mixed([plain('kept text'), attachment('huge.bin', Buffer.alloc(hugeBytes))])),
  'only-line-ends': ({ hugeBytes }) => sent(plain('\n'.repeat(hugeBytes / 4))),
  'huge-html': ({ hugeBytes, random }) => {
    const unit = random.pick(['<', '<p>a', '<!--', '<script>', '<a href="', '<td>', '&amp;', '</style>', '`'] as const)
    return sent(
      textPart('text/html', `<p>kept text</p>${unit.repeat(Math.ceil(hugeBytes / 2 / unit.length))}`, 'utf-8', '8bit'),
    )
  },
  'html-that-acts': ({ canaryFile, canaryUrl }) =>
    sent(
      textPart(
        'text/html',
        `<p>kept text</p><img src="${canaryUrl}"><link href="${canaryUrl}"><iframe src="file://${canaryFile}"></iframe><script src="${canaryUrl}"></script>`,
        'utf-8',
        '8bit',
      ),
    ),
  'external-body': ({ canaryFile, canaryUrl }) =>
    sent(
      mixed([
        plain('kept text'),
        `Content-Type: message/external-body; access-type=URL; URL="${canaryUrl}"\r\n\r\nContent-Type: text/plain\r\n\r\n`,
        `Content-Type: message/external-body; access-type=local-file; name="${canaryFile}"\r\n\r\n`,
      ]),
    ),
  'unknown-charset': ({ random }) =>
    sent(
      `Content-Type: text/plain; charset=${random.pick(['x-nothing', '__proto__', 'utf-7', 'base64', ''])}\r\n\r\nkept text`,
    ),
  'control-characters': () => sent(plain('kept\u0000 \u0001\u0007text \u001b[31m\u007f')),
  'names-that-act': () =>
    sent(
      mixed([
        plain('kept text'),
        attachment(`../../${'a'.repeat(5_000)}`, Buffer.from('x')),
        attachment('__proto__', Buffer.from('x')),
      ]),
    ),
  'header-names-of-objects': () =>
    sent(`__proto__: x\r\nconstructor: ${encodedWord('x')}\r\nContent-Type: text/plain\r\n\r\nkept text`),
  encrypted: () =>
    sent(
      multipart('encrypted; protocol="application/pgp-encrypted"', 'b', [
        'Content-Type: application/pgp-encrypted\r\n\r\nVersion: 1',
        'Content-Type: application/octet-stream\r\n\r\n-----BEGIN PGP MESSAGE-----',
      ]),
    ),
}
