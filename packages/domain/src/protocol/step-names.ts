/** `Each<'read, write'>` is `'read' | 'write'`. */
type Each<List extends string> = List extends `${infer First}, ${infer Rest}` ? First | Each<Rest> : List

/** Enter an account and a namespace and leave them again. */
export type Entering = 'accept' | 'delete' | 'delete file' | 'publish'
/** Leave on behalf of another process. */
export type Leaving = Entering | 'take over deletion' | 'recover' | 'settle published'
/** Each has two further steps. */
export type EnterStep = `${Entering}: enter ${'account' | 'namespace'}` | 'create namespace: reserve'
/** Check whether their request has been delayed for too long. */
export type InTimeStep = EnterStep | 'accept: record'
type Jobs = 'uploads' | 'files' | 'deletions'

/**
 * Step names by method. Tests interrupt the protocol at a step; simulations let other processes run there and trace the
 * names.
 */
export type StepName =
  | Each<'now, drop stale, mark failed, mark indexed, mark indexed: read, remove claimed file, close entry'>
  | `accept: ${Each<'insert items, look for files, overwrite items, queue, read items, record, remove record'>}`
  | `accept: ${Each<'replace removed items, reserve one more'>}`
  | `accounts: ${Each<'get, insert, page, reserving, update'>}`
  | `take over deletion: ${Each<'claim file, items done, read, read file, read items, read namespace, remove items, take'>}`
  | `take over upload: ${Each<'queue, read, read items'>}`
  | `change metadata${'' | ': read'}`
  | `chunks: ${Each<'count of namespace, find of namespace, get, get published, latest without bodies, mark indexed'>}`
  | `chunks: ${Each<'page, rest of page'>}`
  | `chunks: ${Each<'of version, published of file, remove, remove of namespace'>}`
  | `chunk page without bodies: ${Each<'page, rest of page'>}`
  | `count: ${Each<'advance, files, items, read'>}`
  | `create namespace: ${Each<'insert, leave account, look for the name'>}`
  | `daily usage: ${Each<'add, create rows, find old, page, prune, read'>}`
  | `delete: ${Each<'list moved items, queue, read items, read moved items, read namespace, record, remove items'>}`
  | `delete file: ${Each<'claim record, decide for another, decided meanwhile, list again, queue, read, read again'>}`
  | `delete file: ${Each<'record, remove record, revoke grant'>}`
  | `delete namespace: ${Each<'mark, record'>}`
  | `evaluations: ${Each<'count of namespace, find of namespace, find old, get, insert, of namespace'>}`
  | `evaluations: ${Each<'read namespace, remove again, remove of namespace, remove old'>}`
  | `events: ${Each<'after, begin counter, close, count of namespace, find of namespace, find old, first, prune'>}`
  | `events: ${Each<'draw, expire, pass'>}`
  | `events: ${Each<'release number, last, read counter, read numbers, remove of namespace'>}`
  | `files: ${Each<'by name, bytes removed, count live, count outdated, drop stale, fail, keep bytes, latest states'>}`
  | `files: ${Each<'page, read for another try, read to complete, record progress, reprocess, wake job'>}`
  | `files: ${Each<'with failed bytes'>}`
  | `grants: ${Each<'count of namespace, due, end multipart, extend, find of namespace, get, insert, page, read'>}`
  | `grants: ${Each<'move reservation, record check, remove, remove of namespace, renew, revoke'>}`
  | `submit: ${Each<'checkpoint, insert chunks, read file, record'>}`
  | `index audit: ${Each<'chunks page, chunks rest of page, items, mark lost, set passages'>}`
  | `installation: ${Each<'find accounts, insert, read, read again'>}`
  | `items: ${Each<'count, find of namespace, get, latest states, page, page without bodies, read open requests'>}`
  | `items: ${Each<'remove of namespace, searchable, states'>}`
  | `keys: ${Each<'get, insert, of account, read, set state, used'>}`
  | `model probes: ${Each<'get, insert, update'>}`
  | `namespaces: ${Each<'begin reextraction, begin reindex, by name, change reextraction, change reindex, deleted'>}`
  | `namespaces: ${Each<'deleting, end reindex, flip, get, keep query, of account, open, page, read before end'>}`
  | `namespaces: ${Each<'read before flip, reextracting, reindexing, retired, set embedding, set points renewed'>}`
  | `orphans: ${Each<'approve, find old, forget, get, insert, page, update'>}`
  | `publish: ${Each<'look for items, move live, read file, read open requests, wait for requests'>}`
  | `recheck: ${Each<'read job, remove record'>}`
  | `record event${Each<', : read, : read accepted, : read deleted items, : read file, : read items'>}`
  | `recover: ${Each<'read created namespace, read deletion, read file, read its namespace, read open, read upload'>}`
  | `recover account: ${Each<'leave, read'>}`
  | `register: ${Each<'count again, insert, over the limit, pause, read file, read grant, read namespace'>}`
  | `register: ${Each<'other metadata, read changed, read reservation, remove again, replace, unchanged, withdraw'>}`
  | `release namespace: ${Each<'free the name, give back, read, read job, retire the id'>}`
  | `remove forgotten${Each<', : find, : read deletion'>}`
  | `remove marked${Each<', : read, : read deletion, : read namespace'>}`
  | `reopen: ${Each<'find items processing, queue, read'>}`
  | `repeatable requests: ${Each<'find expired, finish, insert, read, read to take, release, remove expired, renew'>}`
  | `repeatable requests: ${Each<'take, take over'>}`
  | `reserve: ${Each<'file, pause, read, record, restore'>}`
  | `storage: ${Each<'files, open PUTs, open multipart uploads, reserved for PUTs, reserved for parts'>}`
  | `sum account: ${Each<'assign, read, read namespaces'>}`
  | `tasks: ${Each<'advance, done, get, insert, read for lease, release, renew, take lease'>}`
  | `uploads: ${Each<'newest, read to complete'>}`
  | `usage: ${Each<'add, add within, begin period, begin periods, get, read'>}`
  | `${Leaving}: ${Each<'leave account, leave namespace, read account, read namespace'>}`
  | `${Entering}: leave ${'account' | 'namespace'} unused`
  | EnterStep
  | `${EnterStep}: why not`
  | `${InTimeStep}: time`
  | `${Jobs}: ${Each<'count due, count of namespace, due of account, find due, find of namespace, finish'>}`
  | `${Jobs}: ${Each<'find old, find unfinished, get, last ended, many, next account, prune'>}`
  | `${Jobs}: ${Each<'read for lease, read for requeue, remove of namespace, renew lease, requeue, take lease'>}`
