import { type ExpectedByKind, fails, says } from './outcomes.ts'

/**
 * Outcome of random byte changes in the archive. If the bytes of a size or a flag were changed, the archive looks like
 * a zip bomb or encrypted.
 */
const battered = says('own', 'damaged', 'content_mismatch', 'expands_too_large', 'encrypted')

/** Outcomes of the kinds of damage that apply to every archive. */
export const archive: ExpectedByKind = {
  empty: fails('empty_file'),
  truncated: fails('damaged', 'content_mismatch', 'empty_file'),
  'truncated-by-a-little': fails('damaged'),
  beheaded: fails('content_mismatch'),
  'one-bit': battered,
  'many-bits': battered,
  zeroed: battered,
  noise: battered,
  doubled: battered,
  swapped: battered,
  inserted: battered,
  appended: says('own', 'damaged'),
  'twice-over': says('own', 'damaged'),
  'only-noise': fails('content_mismatch'),
  'only-zeros': fails('content_mismatch'),
  'a-program': fails('content_mismatch'),
  'a-picture': fails('content_mismatch'),
  'a-web-page': fails('content_mismatch'),
  'zip-bomb': fails('expands_too_large'),
  'zip-lying-small': fails('expands_too_large'),
  'zip-lying-compressed': fails('damaged', 'expands_too_large'),
  'zip-wrong-sum': says('own', 'damaged'),
  'zip-many-entries': fails('expands_too_large'),
  'zip-miscounted': says('own', 'damaged', 'content_mismatch', 'expands_too_large'),
  'zip-names-outside': says('own', 'damaged'),
  'zip-same-names': fails('damaged'),
  'zip-part-missing': says('own', 'damaged', 'content_mismatch'),
  'zip-only-directory': fails('content_mismatch', 'damaged'),
  'zip-of-nothing': fails('content_mismatch', 'damaged'),
  'xxe-file': fails('damaged'),
  'xxe-url': fails('damaged'),
  'billion-laughs': fails('damaged'),
}

const officeArchive: ExpectedByKind = {
  ...archive,
  'zip-lying-large': fails('expands_too_large'),
  'zip-overlapping': fails('expands_too_large'),
  'zip-nested': says('own'),
  'xxe-parameter': fails('damaged'),
  'xxe-external-dtd': fails('damaged'),
  'xxe-public-dtd': fails('damaged'),
  'quadratic-entity': fails('damaged'),
  'recursive-entity': fails('damaged'),
  'xml-cut': says('own', 'damaged', 'no_text', 'content_mismatch'),
  'xml-altered': says('own', 'damaged', 'content_mismatch'),
  'xml-deep': fails('damaged', 'no_text', 'too_large_to_process', 'value_too_large'),
  'xml-in-utf-16': says('own'),
  'another-main-part': fails('content_mismatch'),
}

export const expectedDocx: ExpectedByKind = {
  ...officeArchive,
  'external-links': fails('no_text'),
  'picture-outside': fails('no_text'),
  'no-text': fails('no_text'),
  'tables-in-tables': says(/deep/, 'damaged', 'value_too_large', 'too_large_to_process'),
  'wide-span': says(/wide/),
  'lists-without-end': says(/x/),
  'style-of-itself': says('own'),
}

export const expectedXlsx: ExpectedByKind = {
  ...officeArchive,
  'last-cell-only': says(/the last cell/),
  'huge-dimension': says(/only this/),
  'cells-beyond-the-end': says(/[xyzw]/, 'no_text'),
  'huge-merge': says(/merged/),
  'prototype-names': says(/__proto__/),
  'million-strings': says(/s999999/),
  'strings-that-are-not-there': fails('no_text'),
  'formula-that-acts': says(/WEBSERVICE/),
  'external-workbook': says(/kept value/),
  'dates-out-of-time': says('letters', 'no_text'),
  'styles-that-are-not-there': says(/1/),
  'sheet-without-rows': fails('no_text'),
  'rows-out-of-order': says(/nine/),
  'wide-row': says(/w/),
}

export const expectedPptx: ExpectedByKind = {
  ...officeArchive,
  'external-links': says(/kept text/),
  'part-outside': says(/kept text/),
  'no-text': fails('no_text'),
  'groups-in-groups': fails('value_too_large'),
  'groups-within-limits': says(/deep/),
  'many-shapes': says(/many/),
  'many-runs': says(/r/),
  'wide-span': says(/wide/, 'too_large_to_process'),
  'table-that-grows': fails('too_large_to_process'),
  'places-out-of-space': says(/somewhere/),
  'levels-without-end': says(/level/),
  'one-slide-many-times': says('own'),
  'layout-of-itself': says('own'),
  'notes-of-itself': says(/kept text/),
}
