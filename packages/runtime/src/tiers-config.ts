import { readTiers } from '@cairn/domain/tiers'
import * as z from 'zod'
import { setting } from './config.ts'

/** A setting that names such a file, which is read when the configuration is. */
export const tiersFileSetting = setting(
  'CAIRN_TIERS_FILE',
  z
    .string()
    .superRefine((file, context) => {
      try {
        readTiers(file)
      } catch (error) {
        const message = error instanceof Error ? error.message.replace(/^CAIRN_TIERS_FILE /, '') : String(error)
        context.addIssue({ code: 'custom', message, input: file })
      }
    })
    .optional(),
)
