import { answererConfig } from '@cairn/runtime/answerer-config'
import { parseApiKey } from '@cairn/runtime/api-key'
import { clusterConfig } from '@cairn/runtime/cluster-config'
import { flag, secret, setting } from '@cairn/runtime/config'
import { embedderConfig } from '@cairn/runtime/embedder-config'
import { rerankerConfig } from '@cairn/runtime/reranker-config'
import { s3Config } from '@cairn/runtime/s3-config'
import * as z from 'zod'
import { gatewayConfig } from './config.ts'

/** Settings of the gateway as a process of its own. */
export const gatewayProcessConfig = z.object({
  ...clusterConfig,
  ...embedderConfig,
  ...answererConfig,
  ...rerankerConfig,
  ...s3Config,
  ...gatewayConfig.shape,
  // Where there is no account yet, one is created with this key; `cairn keys generate` prints a well-formed one.
  apiKey: secret(
    'CAIRN_API_KEY',
    z
      .string()
      .refine((value) => parseApiKey(value) !== undefined, 'is no API key; `cairn keys generate` prints one')
      .optional(),
  ),
  // The same with a key generated now, which is printed once.
  bootstrap: setting('CAIRN_BOOTSTRAP', flag().default(false)),
})
