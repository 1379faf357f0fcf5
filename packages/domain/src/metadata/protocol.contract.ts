import { acceptContract } from './contract/accept.contract.ts'
import { acceptAmongOthersContract } from './contract/accept-among-others.contract.ts'
import { accountsContract } from './contract/accounts.contract.ts'
import { adoptDeletionContract } from './contract/adopt-deletion.contract.ts'
import { countsContract } from './contract/counts.contract.ts'
import { dailyUsageContract } from './contract/daily-usage.contract.ts'
import { deadLettersContract } from './contract/dead-letters.contract.ts'
import { deleteItemsContract } from './contract/delete-items.contract.ts'
import { deletionsContract } from './contract/deletions.contract.ts'
import { dueJobsContract } from './contract/due-jobs.contract.ts'
import { evaluationsContract } from './contract/evaluations.contract.ts'
import { eventsContract } from './contract/events.contract.ts'
import { fileMetadataContract } from './contract/file-metadata.contract.ts'
import { filesContract } from './contract/files.contract.ts'
import { deletingFilesContract } from './contract/files-deleted.contract.ts'
import { publishingFilesContract } from './contract/files-published.contract.ts'
import { type MetadataContract, openGroup } from './contract/fixture.ts'
import { grantsContract } from './contract/grants.contract.ts'
import { indexAuditContract } from './contract/index-audit.contract.ts'
import { indexingContract } from './contract/indexing.contract.ts'
import { itemsContract } from './contract/items.contract.ts'
import { keysContract } from './contract/keys.contract.ts'
import { modelProbesContract } from './contract/model-probes.contract.ts'
import { namespacesContract } from './contract/namespaces.contract.ts'
import { objectOwnersContract } from './contract/object-owners.contract.ts'
import { repeatableRequestsContract } from './contract/repeatable-requests.contract.ts'
import { storageContract } from './contract/storage.contract.ts'
import { tasksContract } from './contract/tasks.contract.ts'
import { uploadCleanUpContract } from './contract/upload-clean-up.contract.ts'
import { uploadsContract } from './contract/uploads.contract.ts'
import { usageContract } from './contract/usage.contract.ts'

/**
 * Tests that every engine behind the metadata port must pass: one behaviour per test, written against the port alone.
 */
export const metadataContract = (contract: MetadataContract): void => {
  const group = openGroup(contract)
  accountsContract(group)
  keysContract(group)
  namespacesContract(group)
  objectOwnersContract(group)
  itemsContract(group)
  indexingContract(group)
  acceptContract(group)
  acceptAmongOthersContract(group)
  deleteItemsContract(group)
  adoptDeletionContract(group)
  uploadsContract(group)
  uploadCleanUpContract(group)
  dueJobsContract(group)
  deletionsContract(group)
  countsContract(group)
  filesContract(group)
  fileMetadataContract(group)
  publishingFilesContract(group)
  deletingFilesContract(group)
  grantsContract(group)
  storageContract(group)
  usageContract(group)
  dailyUsageContract(group)
  tasksContract(group)
  modelProbesContract(group)
  repeatableRequestsContract(group)
  eventsContract(group)
  evaluationsContract(group)
  indexAuditContract(group)
  deadLettersContract(group)
}
