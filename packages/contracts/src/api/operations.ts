import { adminOperations } from '../http/admin.ts'
import { answerOperations } from '../http/answer.ts'
import { consoleOperations } from '../http/console.ts'
import { deletionOperations } from '../http/deletions.ts'
import { documentOperations } from '../http/documents.ts'
import { evaluationOperations } from '../http/evaluations.ts'
import { eventOperations } from '../http/events.ts'
import { fileOperations, getSignedContent } from '../http/files.ts'
import { healthOperations } from '../http/health.ts'
import { modelOperations } from '../http/models.ts'
import { namespaceOperations } from '../http/namespaces.ts'
import type { Operation } from '../http/operation.ts'
import { reextractionOperations } from '../http/reextraction.ts'
import { reindexOperations } from '../http/reindex.ts'
import { retryOperations } from '../http/retries.ts'
import { searchOperations } from '../http/search.ts'
import { uploadOperations } from '../http/uploads.ts'
import { usageOperations } from '../http/usage.ts'
import { vectorOperations } from '../http/vectors.ts'

/** In the order of the generated documents. */
export const operations = {
  ...namespaceOperations,
  ...modelOperations,
  ...documentOperations,
  ...vectorOperations,
  ...fileOperations,
  getSignedContent,
  ...searchOperations,
  ...answerOperations,
  ...uploadOperations,
  ...retryOperations,
  ...deletionOperations,
  ...reindexOperations,
  ...reextractionOperations,
  ...evaluationOperations,
  ...eventOperations,
  ...usageOperations,
  ...consoleOperations,
  ...adminOperations,
  ...healthOperations,
}

export const operationList: readonly Operation[] = Object.values(operations)
