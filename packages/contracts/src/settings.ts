import * as z from 'zod'

/**
 * Declares one setting and its environment variable. An empty variable counts as unset.
 *
 *     export const gatewayConfig = z.object({
 *       // Port to listen on.
 *       port: setting('PORT', wholeNumber({ min: 0, max: 65_535 }).default(3_000)),
 *       // Secret from which the keys of API-key hashes and cursors are derived.
 *       secret: secret('CAIRN_SECRET', z.string().min(32)),
 *     })
 */
export const setting = <S extends z.ZodType>(name: string, schema: S): S => schema.meta({ env: name }) as S

/**
 * Declares a setting that may also come from the file that `<NAME>_FILE` names. White space at the end of the file is
 * removed.
 */
export const secret = <S extends z.ZodType>(name: string, schema: S): S => schema.meta({ env: name, secret: true }) as S

/** Schema of a whole number, digits only: `1e3`, `0x10` and ` 1` are more often typing errors than numbers. */
export const wholeNumber = ({ min, max }: { readonly min: number; readonly max: number }) =>
  z
    .string()
    .regex(/^\d{1,15}$/, 'not a whole number')
    .transform(Number)
    .pipe(z.number().min(min, `less than ${min}`).max(max, `more than ${max}`))

/** Schema of a flag: `1`, `true`, `on`, `yes` or their opposites. */
export const flag = () => z.stringbool()

/** Schema of a comma-separated list; surrounding spaces are removed. */
export const commaList = () =>
  z.string().transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  )

/**
 * Checks settings that must be set together, after each setting was validated. Unset settings are absent from `config`.
 * Returns faults, which name the variables.
 */
export type ConfigRule = (config: Readonly<Record<string, unknown>>) => readonly string[]
