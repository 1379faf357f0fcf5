import { type ExpectedByKind, fails, says } from './outcomes.ts'

/** Outcome of content that is not text, which is recognized by its bytes or its decoded characters. */
const noText = fails('content_mismatch', 'unknown_encoding')
const battered = says('letters', 'content_mismatch', 'unknown_encoding', 'no_text')

const bytes: ExpectedByKind = {
  empty: fails('empty_file'),
  truncated: says('letters', 'empty_file', 'no_text', 'unknown_encoding'),
  'truncated-by-a-little': says('own'),
  beheaded: says('letters', 'unknown_encoding'),
  'one-bit': says('own', 'content_mismatch'),
  'many-bits': battered,
  zeroed: battered,
  noise: battered,
  doubled: battered,
  swapped: battered,
  inserted: battered,
  appended: battered,
  'twice-over': says('own'),
  'only-noise': says('letters', 'content_mismatch', 'unknown_encoding', 'no_text'),
  'only-zeros': noText,
  'a-program': noText,
  'a-picture': noText,
  'a-web-page': says(/<title>x/),
  'no-letter-in-the-middle': says('letters'),
  'another-encoding-in-the-middle': says('letters', 'content_mismatch', 'unknown_encoding'),
  'half-in-utf-16': says('letters', 'content_mismatch', 'unknown_encoding'),
  'odd-utf-16': says('letters'),
  'lone-surrogates': says('letters'),
  // The encoding declared by the byte order mark is used, even if it is wrong.
  'lying-byte-order-mark': says(/./u, 'content_mismatch', 'unknown_encoding', 'no_text'),
  'byte-order-marks-within': says('letters'),
  'zeros-within': says('letters', 'content_mismatch'),
  'control-characters': says('letters', 'content_mismatch', 'unknown_encoding'),
  'cut-in-a-letter': says('letters'),
  'one-endless-line': says(/aaaa|word|日|a, b/),
  'only-blanks': fails('no_text'),
  'only-line-ends': fails('no_text'),
  'many-combining-marks': says(/a\u0301/),
}

export const expectedText: ExpectedByKind = bytes

export const expectedCsv: ExpectedByKind = {
  ...bytes,
  'a-web-page': fails('content_mismatch'),
  'cells-that-act': says(/=cmd\|'\/C calc'!A0/),
  'huge-field': says(/after/),
  'quote-never-closed': says('letters'),
  'quotes-everywhere': says('letters'),
  'million-columns': says(/c/),
  'ragged-rows': says(/x/),
  'only-delimiters': fails('no_text'),
  'only-a-header': says(/id/),
  'header-of-the-same': says(/1/),
  'line-ends-mixed': says(/x/),
  'delimiters-mixed': says(/x/),
}

/** Outcome of text that is not JSON: nothing is kept, and the failure code gives the reason. */
const brokenJson = fails('damaged', 'content_mismatch', 'value_too_large', 'unknown_encoding')
const batteredJson = says('own', ...brokenJson.codes, 'no_text')

export const expectedJson: ExpectedByKind = {
  empty: fails('empty_file'),
  truncated: says('own', 'damaged', 'empty_file'),
  'truncated-by-a-little': says('own', 'damaged'),
  beheaded: says('own', 'damaged', 'content_mismatch'),
  'one-bit': batteredJson,
  'many-bits': batteredJson,
  zeroed: batteredJson,
  noise: batteredJson,
  doubled: batteredJson,
  swapped: batteredJson,
  inserted: batteredJson,
  appended: batteredJson,
  'twice-over': says('own'),
  'only-noise': brokenJson,
  'only-zeros': fails('content_mismatch'),
  'a-program': fails('content_mismatch'),
  'a-picture': fails('content_mismatch'),
  'a-web-page': fails('content_mismatch'),
  'no-letter-in-the-middle': batteredJson,
  'another-encoding-in-the-middle': batteredJson,
  'half-in-utf-16': brokenJson,
  'odd-utf-16': says('letters', 'damaged'),
  'lone-surrogates': brokenJson,
  'lying-byte-order-mark': says('own', ...brokenJson.codes),
  'byte-order-marks-within': batteredJson,
  'zeros-within': batteredJson,
  'control-characters': batteredJson,
  'cut-in-a-letter': brokenJson,
  'one-endless-line': brokenJson,
  // Some characters that look blank are not white space in JSON.
  'only-blanks': fails('no_text', 'damaged', 'content_mismatch'),
  'only-line-ends': fails('no_text', 'damaged'),
  'many-combining-marks': brokenJson,
  'deep-arrays': fails('value_too_large'),
  'deep-arrays-open': fails('value_too_large'),
  'deep-objects': fails('value_too_large'),
  'huge-string': fails('value_too_large'),
  'huge-string-open': fails('value_too_large'),
  'huge-key': fails('value_too_large'),
  'huge-number': fails('value_too_large'),
  'many-keys': says(/k0/, 'value_too_large'),
  'prototype-keys': says(/kept/),
  'same-keys': says(/first|second|third/),
  'numbers-without-measure': says(/1e99999/),
  // An escaped half of a surrogate pair is valid JSON; its text is the replacement character.
  'not-quite-json': says(/\ufffd/, 'damaged', 'content_mismatch'),
  'broken-at-the-end': fails('damaged'),
  'lines-some-broken': fails('damaged'),
  'bare-values': says(/text|true|1|null/, 'no_text'),
  'comma-flood': fails('damaged'),
}

export const expectedMarkdown: ExpectedByKind = {
  ...bytes,
  // The page's tags and script are left out.
  'a-web-page': says(/^x\b/m),
  'deep-quotes': says(/deep/),
  'deep-lists': says(/item/),
  'brackets-without-end': says('letters'),
  'fence-never-closed': says('own'),
  'front-matter-never-closed': says('own'),
  'front-matter-that-acts': says('own'),
  'front-matter-of-aliases': says(/text/),
  'pictures-and-pages-elsewhere': says(/text/),
  'wide-table': says(/b/),
  'headings-only': says(/h1/),
  'references-without-end': says(/r1/),
}

/**
 * Outcome of damaged pages: a page that lost its beginning may have no markup left there, and a page that lost its
 * `main` has text elsewhere.
 */
const batteredPage = says('letters', 'content_mismatch', 'unknown_encoding', 'no_text')

export const expectedHtml: ExpectedByKind = {
  ...Object.fromEntries(Object.keys(bytes).map((kind) => [kind, batteredPage])),
  empty: fails('empty_file'),
  truncated: says('letters', 'empty_file', 'no_text', 'content_mismatch'),
  'truncated-by-a-little': says('own'),
  'twice-over': says('own'),
  'only-noise': fails('content_mismatch'),
  'only-zeros': noText,
  'a-program': noText,
  'a-picture': noText,
  'a-web-page': says(/^x$/m),
  'one-endless-line': fails('content_mismatch'),
  'only-blanks': fails('content_mismatch'),
  'only-line-ends': fails('content_mismatch'),
  'many-combining-marks': fails('content_mismatch'),
  'deep-elements': says(/deep/),
  'deep-tables': says(/deep/),
  'elements-never-closed': says(/x/, 'too_large_to_process'),
  'markup-that-multiplies': says(/x/, 'too_large_to_process'),
  'wide-cell': says(/wide/, 'too_large_to_process'),
  'many-attributes': says(/text/),
  'huge-attribute': says(/after/),
  'huge-comment': says(/after/),
  'huge-tag': says(/before/, 'too_large_to_process'),
  'comment-never-closed': says('letters', 'no_text'),
  'script-never-closed': says('letters', 'no_text'),
  'quote-never-closed': says('letters', 'no_text'),
  'text-everywhere-but-in-elements': says('own'),
  'brackets-without-end': says(/before/),
  'tags-wrongly-nested': says(/x/),
  'entities-of-everything': says(/kept/),
  'things-elsewhere': says(/text/),
  'doctype-that-acts': says(/text/),
  'encoding-that-lies': says('letters', 'unknown_encoding'),
  'only-navigation': says(/where to go/),
  'only-hidden': fails('no_text'),
  'no-text': fails('no_text'),
}
