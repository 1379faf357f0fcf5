/**
 * Metadata keys of a chunk that a file's properties never set, even if the chunk lacks the key: `page: 3` in front
 * matter is not a page, and `is_summary` does not make the chunk a summary.
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
