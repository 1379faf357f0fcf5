import { type ExpectedByKind, fails, says } from './outcomes.ts'

/** Outcome of random byte changes: OCR may read some of the pixels, or none. */
const battered = says('letters', 'damaged', 'content_mismatch', 'no_text', 'expands_too_large', 'too_large_to_process')

export const expectedPicture: ExpectedByKind = {
  empty: fails('empty_file'),
  truncated: { ...battered, codes: [...battered.codes, 'empty_file'] },
  'truncated-by-a-little': battered,
  beheaded: fails('content_mismatch'),
  'one-bit': battered,
  'many-bits': battered,
  zeroed: battered,
  noise: battered,
  doubled: battered,
  swapped: battered,
  inserted: battered,
  appended: battered,
  'twice-over': battered,
  'only-noise': fails('content_mismatch'),
  'only-zeros': fails('content_mismatch'),
  'a-program': fails('content_mismatch'),
  'a-picture': fails('damaged', 'expands_too_large', 'no_text'),
  'a-web-page': fails('content_mismatch'),
  blank: fails('no_text'),
  'png-bomb': fails('expands_too_large'),
  'png-that-claims-less': fails('no_text', 'damaged', 'too_large_to_process'),
  'png-without-pixels': fails('no_text', 'damaged'),
  'tiff-that-claims-more': fails('expands_too_large'),
  'tiff-in-a-circle': fails('damaged', 'no_text'),
  'tiff-without-fields': fails('damaged', 'no_text'),
  'tiff-that-ends': fails('damaged'),
  'jpeg-that-ends': fails('damaged'),
  'webp-that-ends': fails('damaged'),
}
