import { engineConfig } from '@cairn/adapters/cluster-settings'
import { objectEventsConfig } from '@cairn/adapters/file-store/s3/object-events-settings'
import { s3Config } from '@cairn/adapters/file-store/s3/settings'
import * as z from 'zod'

export const setupConfig = z.object({ ...engineConfig, ...s3Config, ...objectEventsConfig })
