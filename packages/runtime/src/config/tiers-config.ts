import { setting } from '@cairn/contracts/settings'
import { readTiers } from '@cairn/domain/accounts/tiers'
import * as z from 'zod'

/** The file is read together with the configuration. */
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
