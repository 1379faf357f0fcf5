import { engineConfig } from '@cairn/adapters/cluster-settings'
import { s3Config } from '@cairn/adapters/file-store/s3/settings'
import { flag, secret, setting } from '@cairn/contracts/settings'
import { answererConfig } from '@cairn/runtime/config/answerer-config'
import { embedderConfig } from '@cairn/runtime/config/embedder-config'
import { clusterProcessConfig } from '@cairn/runtime/config/process-config'
import { rerankerConfig } from '@cairn/runtime/config/reranker-config'
import { parseApiKey } from '@cairn/runtime/http/api-key'
import * as z from 'zod'
import { gatewayConfig } from './config.ts'

export const gatewayProcessConfig = z.object({
  ...clusterProcessConfig,
  ...engineConfig,
  ...embedderConfig,
  ...answererConfig,
  ...rerankerConfig,
  ...s3Config,
  ...gatewayConfig.shape,
  // Creates the first account with this key if no account exists.
  apiKey: secret(
    'CAIRN_API_KEY',
    z
      .string()
      .refine((value) => parseApiKey(value) !== undefined, 'is no API key; `cairn keys generate` prints one')
      .optional(),
  ),
  // Creates the first account with a generated key, which is printed once.
  bootstrap: setting('CAIRN_BOOTSTRAP', flag().default(false)),
})
