import * as z from 'zod'

/**
 * Declares one setting and its environment variable. An empty variable counts as unset.
 *
 *     export const gatewayConfig = z.object({
 *       // Where it listens.
 *       port: setting('PORT', wholeNumber({ min: 0, max: 65_535 }).default(3_000)),
 *       // Keys of API-key hashes and cursors are derived from it.
 *       secret: secret('CAIRN_SECRET', z.string().min(32)),
 *     })
 */
export const setting = <S extends z.ZodType>(name: string, schema: S): S => schema.meta({ env: name }) as S

/**
 * Declares a setting that may also come from the file that `<NAME>_FILE` names. White space at the end of the file is
 * removed.
 */
export const secret = <S extends z.ZodType>(name: string, schema: S): S => schema.meta({ env: name, secret: true }) as S

/** Digits only: `1e3`, `0x10` and ` 1` are more often typing errors than numbers. */
export const wholeNumber = ({ min, max }: { readonly min: number; readonly max: number }) =>
  z
    .string()
    .regex(/^\d{1,15}$/, 'not a whole number')
    .transform(Number)
    .pipe(z.number().min(min, `less than ${min}`).max(max, `more than ${max}`))

/** `1`, `true`, `on`, `yes` and their opposites. */
export const flag = () => z.stringbool()

/** Separated by commas; surrounding spaces are removed. */
export const commaList = () =>
  z.string().transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  )

/**
 * Checks settings that must be set together, each well formed. Returns faults by variable name. Unset ones are absent.
 */
export type ConfigRule = (config: Readonly<Record<string, unknown>>) => readonly string[]
