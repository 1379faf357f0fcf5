import { setting, wholeNumber } from '@cairn/contracts/settings'
import * as z from 'zod'

/** Listens on this machine only by default: 127.0.0.1 and ::1. */
export const listenConfig = ({ port }: { readonly port: number }) => ({
  port: setting('PORT', wholeNumber({ min: 0, max: 65_535 }).default(port)),
  host: setting('CAIRN_HOST', z.string().default('localhost')),
  // Checks responses against the API's description; not in production, where that costs time.
  checksResponses: setting(
    'NODE_ENV',
    z
      .string()
      .optional()
      .transform((value) => value !== 'production'),
  ),
})
