import { accountsContract } from './accounts/accounts.contract.ts'
import { dailyUsageContract } from './accounts/daily-usage.contract.ts'
import { keysContract } from './accounts/keys.contract.ts'
import { storageContract } from './accounts/storage.contract.ts'
import { usageContract } from './accounts/usage.contract.ts'
import { eventsContract } from './events/events.contract.ts'
import { fileMetadataContract } from './files/file-metadata.contract.ts'
import { filesContract } from './files/files.contract.ts'
import { deletingFilesContract } from './files/files-deleted.contract.ts'
import { publishingFilesContract } from './files/files-published.contract.ts'
import { grantsContract } from './files/grants.contract.ts'
import { objectOwnersContract } from './files/object-owners.contract.ts'
import { uploadCleanUpContract } from './files/upload-clean-up.contract.ts'
import { acceptContract } from './items/accept.contract.ts'
import { acceptAmongOthersContract } from './items/accept-among-others.contract.ts'
import { deleteItemsContract } from './items/delete-items.contract.ts'
import { deletionsContract } from './items/deletions.contract.ts'
import { indexingContract } from './items/indexing.contract.ts'
import { itemsContract } from './items/items.contract.ts'
import { takeOverDeletionContract } from './items/take-over-deletion.contract.ts'
import { uploadsContract } from './items/uploads.contract.ts'
import { dueJobsContract } from './jobs/due-jobs.contract.ts'
import { repeatableRequestsContract } from './jobs/repeatable-requests.contract.ts'
import { tasksContract } from './jobs/tasks.contract.ts'
import { countsContract } from './namespaces/counts.contract.ts'
import { evaluationsContract } from './namespaces/evaluations.contract.ts'
import { indexAuditContract } from './namespaces/index-audit.contract.ts'
import { modelProbesContract } from './namespaces/model-probes.contract.ts'
import { namespacesContract } from './namespaces/namespaces.contract.ts'
import { openGroup, type StoreContract } from './protocol/store.fixture.ts'

/**
 * Tests that every engine behind the metadata port must pass: one behaviour per test, written against the port alone.
 */
export const storeContract = (contract: StoreContract): void => {
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
  takeOverDeletionContract(group)
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
}
