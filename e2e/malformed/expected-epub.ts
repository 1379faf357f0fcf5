import { archive } from './expected-office.ts'
import { type ExpectedByKind, fails, says } from './outcomes.ts'

export const expectedEpub: ExpectedByKind = {
  ...archive,
  // Text after the unterminated document type is read as if the document type had ended.
  'doctype-without-end': says('own', 'damaged'),
  'chapter-with-entities': says('own'),
  'package-cut': fails('damaged'),
  'package-deep': fails('value_too_large'),
  'contents-deep': says('own', 'value_too_large'),
  'contents-cut': says('own'),
  'chapter-missing': says('own'),
  'chapters-missing': fails('damaged'),
  'container-missing': fails('content_mismatch'),
  'package-elsewhere': fails('damaged'),
  'chapters-elsewhere': fails('damaged'),
  'chapter-many-times': says('own'),
  'names-of-prototypes': says('own'),
  'chapter-deep': says(/deep/),
  'pictures-elsewhere': says(/text/),
  'encrypted-chapters': fails('encrypted'),
  'encrypted-fonts': says('own'),
  'another-type': fails('content_mismatch'),
  'no-text': fails('no_text'),
}
