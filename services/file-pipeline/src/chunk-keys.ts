/**
 * Keys of a chunk's metadata that no property of a file replaces, also when a chunk lacks the key: `page: 3` in front
 * matter is not a page, and `is_summary` makes no summary.
 */
export const ourKeys: ReadonlySet<string> = new Set([
  'id',
  'text',
  'metadata',
  'source',
  'title',
  'page_title',
  'running_text',
  'heading',
  'page',
  'sheet',
  'row_from',
  'row_to',
  'path',
  'offset_from',
  'offset_to',
  'ocr_confidence',
  'chunk_index',
  'summary_chunk_id',
  'is_summary',
])
