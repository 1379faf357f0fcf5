import type { Json } from '../json/json.ts'

const at = '2026-03-01T12:00:00.000Z'
const upload_id = 'upload_01m8ddd4a18ayjbeda124fg79q'
const namespace = 'my-documents'
const refunds = 'Return anything within 30 days. Your card is credited within five business days.'
const leave = 'New parents get 16 weeks of paid leave.'

const ofNamespace = {
  namespace_name: namespace,
  type: 'text',
  vector_dimension: null,
  model: 'all-MiniLM-L6-v2',
  language: 'en',
  item_count: 2,
  created_at: at,
}
const hits = [
  { id: 'refunds', score: 0.543767, label: 'High Relevance', text: refunds, metadata: { topic: 'sales' }, namespace },
  { id: 'leave', score: 0.506874, label: 'High Relevance', text: leave, metadata: { topic: 'people' }, namespace },
]
const uploaded = [
  { id: 'refunds', status: 'processing', character_count: refunds.length },
  { id: 'leave', status: 'processing', character_count: leave.length },
]
const chunk = (id: string, text: string) => ({
  id,
  version: upload_id,
  created_at: at,
  is_summary: false,
  text,
  metadata: {},
})
const page = {
  status: 'success',
  message: '2 items',
  namespace,
  statistics: {
    total_items: 2,
    total_text_chunks: 2,
    total_summary_chunks: 0,
    created_at_min: at,
    created_at_max: at,
    source_counts: { api: 2 },
  },
  items: [chunk('leave', leave), chunk('refunds', refunds)],
  pagination: { limit: 100, has_more: false, next_token: null },
  execution_time: 0.001,
}

const file_name = 'reports/2026/summary.pdf'
const etag = '5eb63bbbe01eeed093cb22bb8f5acdc3'
const file = { size: 183_264, etag, published_etag: etag, last_modified: at, chunks: 42 }
const metadata = { department: 'sales', year: 2026 }
const fileStatus = {
  file_name,
  namespace,
  state: 'completed',
  stage: 'done',
  progress: { page: 12, pages: 12, chunks: 42, summaries: 1 },
  attempts: 1,
  reason: null,
  message: null,
  remedy: null,
  retryable: false,
  notes: [{ code: 'read_by_ocr', message: 'Page 7 was read by OCR, confidence 91 of 100.', place: { page: 7 } }],
  options: {},
  metadata,
  ...file,
  chunk_id_prefix: 'reports/2026/summary.pdf_chunk_',
  summaries: 1,
  passages: { reused: 0, embedded: 43 },
  previous_version_searchable: false,
  extraction_version: 1,
  outdated: false,
  bytes_removed_at: null,
  unchanged_at: null,
  upload_expires_at: null,
  created_at: at,
  updated_at: '2026-03-01T12:00:09.000Z',
  finished_at: '2026-03-01T12:00:09.000Z',
  estimated_completion: null,
  next_attempt_at: null,
  timings: { fetching: 0.1, reading: 6.2, indexing: 2.4, publishing: 0.1 },
}

/**
 * By operation and status. Tools that make examples from a schema take the lowest number and the first name of each
 * field, such as a score of 0 that is a close match.
 */
export const responseExamples: Readonly<Record<string, Readonly<Record<number, Json>>>> = {
  createNamespace: {
    201: {
      status: 'success',
      message: `Namespace "${namespace}" created`,
      namespace_name: namespace,
      type: 'text',
      vector_dimension: null,
    },
  },
  listNamespaces: { 200: { namespaces: [ofNamespace] } },
  getNamespace: { 200: ofNamespace },
  uploadDocuments: {
    202: {
      status: 'success',
      message: '2 documents accepted and being processed',
      upload_id,
      namespace_name: namespace,
      documents_processed: 2,
      processing_status: 'in_progress',
      estimated_completion: '2026-03-01T12:00:02.000Z',
      uploaded_documents: uploaded,
      submitted_ids: ['refunds', 'leave'],
    },
  },
  getDocuments: {
    200: {
      status: 'success',
      message: '1 of 1 items found',
      namespace_name: namespace,
      requested_ids: 1,
      found_items: 1,
      items: [{ id: 'refunds', text: refunds, metadata: { topic: 'sales' } }],
    },
  },
  fetchTextData: { 200: page },
  filterTextData: { 200: page },
  search: {
    200: {
      results: hits,
      execution_time: 0.011,
      timings: {
        parse_validate: 0.001,
        validate_namespace: 0.001,
        prepare_vector: 0.003,
        fetch_data: 0.005,
        format_response: 0.001,
        total: 0.011,
      },
      optimization_info: {
        fetch_strategy: 'single_phase_with_early_filtering',
        initial_fetch: 'complete_data_with_early_filtering',
        complete_fetch: 'no_additional_fetch_needed',
        points_read: 2,
      },
    },
  },
  getFileStatus: { 200: fileStatus },
  updateFile: {
    202: {
      ...fileStatus,
      state: 'queued',
      stage: 'waiting',
      progress: {},
      previous_version_searchable: true,
      finished_at: null,
      passages: null,
      timings: {},
    },
  },
  pageFiles: {
    200: {
      namespace_name: namespace,
      files: [
        { file_name, state: 'completed', reason: null, ...file, notes: 1, metadata, created_at: at, updated_at: at },
      ],
      pagination: { limit: 100, has_more: false, next_token: null },
    },
  },
  createDownloadUrl: {
    200: {
      file_name,
      download_url: 'https://cairn.example.org/v1/downloads/qkYp3vB1uQ',
      expires_in: 900,
      expires_at: '2026-03-01T12:15:00.000Z',
    },
  },
  answer: {
    200: {
      answer: 'Your card is credited within five business days.',
      model: 'extractive',
      context_count: 1,
      sources: [{ ...hits[0], passages: [{ start: 0, end: refunds.length }] }],
      query: 'when do I get my money back?',
      answered: true,
    },
  },
}
