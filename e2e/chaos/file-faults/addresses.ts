import { setTimeout as pause } from 'node:timers/promises'
import { untilRead } from '../files/file-load.ts'
import { shortAddress } from '../files/short-address.ts'
import { slowPut } from '../files/slow-put.ts'
import type { Scene, Tried } from './scene.ts'

const readWithinMs = 120_000
/**
 * Time for an object that was sent after its file's deletion to be removed. The store is polled for such objects every
 * 30 s.
 */
const goneWithinMs = 90_000
const staysForMs = 35_000
const tryEveryMs = 1_000
const name = 'addressed.txt'
const other = 'addressed-otherwise.txt'

const bytes = new TextEncoder().encode('The address of this file is tried in every way that it must not be good for.\n')

/**
 * B27: checks that the store itself rejects each misuse of an upload URL, and that bytes sent again after a deletion
 * are removed.
 */
export const misuseAddresses = async ({ system, stores, account, place }: Scene): Promise<Tried> => {
  const { upload_url: url, content_type: contentType } = await place.client.grant(name)
  const namespace = await stores.store.namespaces.get(place.namespaceId)
  if (!namespace) throw new Error(`the namespace of ${account.accountId} is gone`)
  const short = await shortAddress(stores, namespace, 'too-late.txt', 1)
  await pause(2_500)
  const ask = async (of: Partial<Parameters<typeof slowPut>[0]>) =>
    (await slowPut({ url, bytes, contentType, ms: 0, ...of }))?.status ?? 0
  const forged = new URL(url)
  forged.searchParams.set('X-Amz-Expires', '604800')
  const answers: Readonly<Record<string, number>> = {
    DELETE: await ask({ method: 'DELETE' }),
    GET: (await fetch(url, { headers: { 'content-type': contentType } })).status,
    'another type': await ask({ contentType: 'text/html' }),
    'another key': await ask({ url: url.replace(name, other) }),
    'another account': await ask({ url: url.replace(account.accountId, system.accounts[1]?.accountId ?? '') }),
    'a longer life': await ask({ url: forged.href }),
    'after its end': await ask({ url: short.url }),
  }
  // S3 takes a POST for a form upload and may reject its format before it checks authorization: any 4xx is correct.
  const posted = await ask({ method: 'POST' })
  const early = await stores.files.head(place.keyOf(name))
  const taken = await ask({})
  const unread = await untilRead(stores, [{ place, name }], readWithinMs)
  const deleted = await place.client.remove(name)
  const replayed = await ask({})
  const until = performance.now() + goneWithinMs
  while ((await stores.files.head(place.keyOf(name))) && performance.now() < until) await pause(tryEveryMs)
  // Waits to see that the file does not reappear.
  await pause(staysForMs)
  const object = await stores.files.head(place.keyOf(name))
  const record = await stores.store.files.byName(place.namespaceId, name)
  const listed = (await place.client.list()).map(({ file_name }) => file_name)
  return {
    figures: { ...answers, POST: posted, 'as it is meant': taken, 'once more after the deletion': replayed },
    broken: [
      ...unread,
      ...Object.entries(answers).flatMap(([what, status]) =>
        status === 403 ? [] : [`B27: ${what}: ${status} in place of 403`],
      ),
      ...(posted >= 400 && posted < 500 ? [] : [`B27: POST: ${posted}`]),
      ...(early ? ['B27: something was stored by an address that was misused'] : []),
      ...(taken === 200 && deleted === 'deleted'
        ? []
        : [`B27: a PUT as it is meant: ${taken}, its deletion: ${deleted}`]),
      ...(object || record || listed.includes(name)
        ? [`I5: ${name}, sent once more after it was deleted, is there`]
        : []),
      ...[other, 'too-late.txt'].filter((one) => listed.includes(one)).map((one) => `B27: ${one} is there`),
    ],
  }
}
