import * as z from 'zod'
import { checkFileMetadata } from '../files/file-metadata.ts'
import { fileExtensions } from '../files/file-rules.ts'
import { limits } from '../limits.ts'
import { count, text, unpublished } from './common.ts'

const required = ({ input }: { readonly input?: unknown }) => (input === undefined ? 'is required' : 'must be a string')

/** `checkFileName` checks it. */
const sentName = z
  .string({ error: required })
  .min(1, 'is required')
  .meta({
    id: 'SentFileName',
    description: `Relative path of the file below the namespace, at most ${limits.fileNameBytes} bytes of UTF-8 and ${limits.fileNameSegmentBytes} between slashes, ending in one of ${fileExtensions.join(', ')}. No backslash, no control characters, no segment that is empty, \`.\` or \`..\`. Composed and decomposed spellings are one name.`,
    examples: ['reports/2026/summary.pdf'],
  })

/** For clients that sent `fileName`. */
export const legacyText = text.optional().meta(unpublished)

export const size = z
  .int()
  .min(1, 'must be at least 1')
  .max(limits.fileBytes, `must be at most ${limits.fileBytes} (5 GB)`)

const metadataText = `An object of at most ${limits.metadataKeys} keys and ${limits.metadataBytes} bytes of JSON. It is added to the metadata of each chunk, where filters find it; the keys of the chunk itself, such as \`source\`, \`title\` and \`page\`, come first.`

/** Parsed to compact JSON. */
export const sentMetadata = z
  .unknown()
  .transform((value, context) => {
    const checked = checkFileMetadata(value)
    if (checked.ok) return checked.json
    context.addIssue({ code: 'custom', message: checked.requirement, input: value })
    return z.NEVER
  })
  .meta({
    id: 'SentFileMetadata',
    type: 'object',
    additionalProperties: {},
    description: metadataText,
    examples: [{ department: 'sales', year: 2026 }],
  })

const uploadedMetadata = sentMetadata
  .optional()
  .describe(`Metadata of the file. ${metadataText} Without this field, the file keeps the metadata that it has.`)

export const uploadUrlBody = z
  .object({
    file_name: sentName,
    file_size: size.optional().describe('Bytes of the file. If set, the URL accepts only a file of exactly this size.'),
    metadata: uploadedMetadata,
  })
  .meta({ id: 'CreateUploadUrl' })

const namesRule = `must be an array of at most ${limits.fileNamesPerDelete} strings`

const fileNamesToDelete = z.array(z.string('must be a string'), namesRule).max(limits.fileNamesPerDelete, namesRule)

export const deleteFilesBody = z
  .object({
    file_name: z.string('must be a string').optional(),
    file_names: fileNamesToDelete.optional(),
    // Former names.
    fileName: z.string({ error: required }).optional().meta(unpublished),
    fileNames: fileNamesToDelete.optional().meta(unpublished),
  })
  .meta({
    id: 'DeleteFiles',
    description: `All names of the body and the query together, at least one and at most ${limits.fileNamesPerDelete}.`,
  })

export const grantBody = z
  .object({
    upload_url: text.describe(
      'URL for the PUT of the file. Secret: anyone who has it can upload the file until it expires.',
    ),
    key: text.describe('Ends in `<owner_id>/<namespace_name>/<file_name>`.'),
    content_type: text.describe('Must be sent as Content-Type.'),
    expires_in: count.describe('Seconds.'),
    method: z.literal('PUT'),
    hint: text.describe('How to upload the file, for people.'),
    uploadUrl: legacyText,
    contentType: legacyText,
    expiresIn: count.optional().meta(unpublished),
  })
  .meta({ id: 'UploadUrl' })

export const uploadForm = z
  .object({
    file: z.custom<unknown>().meta({
      type: 'string',
      format: 'binary',
      description:
        'The file, at most 10 MB (10 · 1024 · 1024 bytes). Its file name, with or without a path, becomes the name of the file.',
    }),
    metadata: text
      .optional()
      .describe(`JSON. ${metadataText} Without this field, the file keeps the metadata that it has.`),
  })
  .meta({ id: 'UploadForm' })

const specifiedName = 'In camelCase, as in the Moorcheh API.'

export const uploadedBody = z
  .object({
    success: z.literal(true),
    message: text,
    namespace: text,
    fileName: text.describe(specifiedName),
    fileSize: count.describe(`Bytes. ${specifiedName}`),
  })
  .meta({ id: 'FileUploaded' })

const uploadId = z
  .string({ error: required })
  .min(1, 'is required')
  .max(2_048, 'must be the upload_id of an upload in parts')

const partNumber = z.int().min(1).max(limits.partNumber)

export const startMultipartBody = z
  .object({
    file_name: sentName,
    upload_id: uploadId.optional().describe('An upload in progress, to get URLs for more parts or new URLs.'),
    first_part: partNumber.default(1),
    parts: z.int().min(1).max(limits.partsPerRequest).default(100).describe('Number of URLs.'),
    metadata: uploadedMetadata,
  })
  .meta({ id: 'StartMultipart' })

export const completeMultipartBody = z
  .object({
    file_name: sentName,
    upload_id: uploadId,
    parts: z
      .array(
        z.object({
          part: partNumber,
          etag: z
            .string({ error: required })
            .min(1, 'must not be empty')
            .max(1_024, 'must have at most 1,024 characters')
            .describe('As returned by the PUT.'),
        }),
      )
      .min(1)
      .max(limits.partNumber),
  })
  .meta({ id: 'CompleteMultipart' })

export const abortMultipartBody = z.object({ file_name: sentName, upload_id: uploadId }).meta({ id: 'AbortMultipart' })

export const multipartBody = z
  .object({
    upload_id: text,
    key: text,
    content_type: text,
    method: z.literal('PUT'),
    part_size: count.describe('Recommended bytes. All parts but the last need at least 5 MB (5 · 1024 · 1024 bytes).'),
    expires_in: count.describe('Seconds until each URL expires; request new ones with `upload_id`.'),
    parts: z.array(z.object({ part: partNumber, upload_url: text })),
    hint: text,
  })
  .meta({ id: 'MultipartUpload' })

export const completedBody = z
  .object({ success: z.literal(true), message: text, namespace: text, file_name: text, size: count, etag: text })
  .meta({ id: 'MultipartCompleted' })

export const abortedBody = z
  .object({ success: z.literal(true), message: text, namespace: text, file_name: text })
  .meta({ id: 'MultipartAborted' })
