import * as z from 'zod'

/**
 * Declares a setting; an empty variable counts as unset.
 *
 *     export const gatewayConfig = z.object({
 *       // Port to listen on.
 *       port: setting('PORT', wholeNumber({ min: 0, max: 65_535 }).default(3_000)),
 *     })
 */
export const setting = <S extends z.ZodType>(name: string, schema: S): S => schema.meta({ env: name }) as S

/** Declares a setting that `<NAME>_FILE` may name a file for, read without white space at its end. */
export const secret = <S extends z.ZodType>(name: string, schema: S): S => schema.meta({ env: name, secret: true }) as S

/** Digits only: `1e3`, `0x10` and ` 1` are more often typing errors than numbers. */
export const wholeNumber = ({ min, max }: { readonly min: number; readonly max: number }) =>
  z
    .string()
    .regex(/^\d{1,15}$/, 'not a whole number')
    .transform(Number)
    .pipe(z.number().min(min, `less than ${min}`).max(max, `more than ${max}`))

/** Accepts `1`, `true`, `on`, `yes` or their opposites. */
export const flag = () => z.stringbool()

/** Removes spaces around the elements. */
export const commaList = () =>
  z.string().transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  )

/** Checks settings that must be set together, after each alone; unset ones are absent. Faults name the variables. */
export type ConfigRule = (config: Readonly<Record<string, unknown>>) => readonly string[]
