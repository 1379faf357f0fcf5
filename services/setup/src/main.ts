// node services/setup/src/main.ts                creates topics, the bucket and its notifications, migrates stored
// data, applies quantization; may be repeated
// node services/setup/src/main.ts without-files  goes on although the bucket with the files is empty
// node services/setup/src/main.ts secrets FOLDER creates missing random secrets

import { clusterFiles, setUpEngines } from '@cairn/adapters/cluster'
import { engineRules } from '@cairn/adapters/cluster-settings'
import { s3Options } from '@cairn/adapters/file-store/s3/settings'
import { notifyOfNewObjects } from '@cairn/adapters/file-store/s3-notification'
import { events, objectEventsTopic } from '@cairn/contracts/events'
import { claimObjects } from '@cairn/domain/files/claim-objects'
import { randomIds } from '@cairn/domain/ids'
import { readConfig } from '@cairn/runtime/config/config'
import { runMain } from '@cairn/runtime/process/run-main'
import { setupConfig } from './config.ts'
import { refuseEmptyBucket } from './refuse-empty-bucket.ts'
import { createSecrets } from './secrets.ts'

const print = (text: string) => void process.stdout.write(`${text}\n`)

await runMain(async () => {
  const [command, folder] = process.argv.slice(2)
  if (command === 'secrets' && folder !== undefined) {
    const names = createSecrets(folder)
    return print(
      names.length === 0 ? `secrets   all there in ${folder}` : `secrets   made in ${folder}: ${names.join(', ')}`,
    )
  }
  const config = readConfig(setupConfig, process.env, engineRules)
  const topics = [...new Set(events.map(({ topic }) => topic)), objectEventsTopic]
  const store = await setUpEngines(config, topics, print)
  const files = clusterFiles(config)
  try {
    await files.ensure()
    if (command !== 'without-files') await refuseEmptyBucket(store, files)
    await claimObjects({ store, files, ids: randomIds(Date.now) })
  } finally {
    await files.close()
    await store.close()
  }
  print(`bucket    ${config.s3Bucket}, under ${config.s3Prefix}/`)
  if (typeof config.objectEvents !== 'string') return
  await notifyOfNewObjects({ ...s3Options(config), target: config.objectEvents })
  print(`events    of new objects to ${config.objectEvents}`)
})
