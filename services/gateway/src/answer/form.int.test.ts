import { describe, expect, it } from 'vitest'
import { schemaChecks } from './check-against-schema.ts'
import { filledIn, formOf } from './form.ts'

const asker = { accountId: 'a', signal: new AbortController().signal }
const sent = { tool_name: 'reply', tool_description: 'A reply' }
const ofSchema = (schema: Readonly<Record<string, unknown>>) =>
  formOf({ ...sent, schema: { type: 'object', ...schema } }, asker)
const message = async (schema: Readonly<Record<string, unknown>>) => {
  try {
    await formOf({ ...sent, schema }, asker)
  } catch (error) {
    return (error as Error).message
  }
  return 'it was taken'
}

describe('the form of a structured answer', () => {
  it('is the usual one where no schema is sent', async () => {
    const { form, isOwn } = await formOf(sent, asker)
    expect([form.name, isOwn]).toEqual(['reply', false])
    expect(await filledIn(form, '{"answer":"a","confidence":1}', asker)).toEqual({
      value: { answer: 'a', confidence: 1 },
    })
    expect(await filledIn(form, '{"answer":"a","confidence":1.1}', asker)).toMatchObject({
      faults: expect.stringContaining('confidence'),
    })
    expect(
      await filledIn(form, '{"answer":"a","confidence":1,"sources":[{"id":"x","relevance":"none"}]}', asker),
    ).toHaveProperty('faults')
    expect(await filledIn(form, `{"answer":"a","confidence":1,"summary":"${'s'.repeat(201)}"}`, asker)).toHaveProperty(
      'faults',
    )
  })

  it('is the one that is sent, references within it included', async () => {
    const { form, isOwn } = await ofSchema({
      properties: { pattern: { $ref: '#/$defs/name' }, child: { $ref: '#' } },
      required: ['pattern'],
      $defs: { name: { type: 'string', minLength: 2 } },
    })
    expect(isOwn).toBe(true)
    expect(await filledIn(form, '{"pattern":"ab","child":{"pattern":"cd"}}', asker)).toHaveProperty('value')
    expect(await filledIn(form, '{"pattern":"ab","child":{"pattern":"c"}}', asker)).toHaveProperty('faults')
  })

  it.each([
    [{ type: 'array' }, 'must be of type object'],
    [{}, 'must be of type object'],
    [{ type: 'object', properties: { a: { pattern: '(a+)+$' } } }, 'must not use pattern'],
    [{ type: 'object', allOf: [{ patternProperties: { '(a+)+$': {} } }] }, 'must not use patternProperties'],
    [{ type: 'object', properties: { a: { $ref: 'https://schemas.example/a' } } }, 'must refer to itself only'],
    [{ type: 'object', properties: { a: { $ref: 7 } } }, 'must refer to itself only'],
    [{ type: 'object', $ref: '#/$defs/none' }, "can't be used"],
    [{ type: 'object', $ref: '#' }, "can't be used"],
    [{ type: 'object', description: 'x'.repeat(16_000) }, 'at most 16000 characters'],
  ])('is refused when it is %o', async (schema, why) => {
    expect(await message(schema)).toContain(why)
  })

  it('is checked in bounded time, however much its parts refer to each other', async () => {
    const depth = 60
    const twice = (to: number) => ({ allOf: [{ $ref: `#/$defs/d${to}` }, { $ref: `#/$defs/d${to}` }] })
    const $defs = Object.fromEntries(
      Array.from({ length: depth }, (_, index) => [`d${index}`, index === depth - 1 ? {} : twice(index + 1)]),
    )
    expect(await message({ type: 'object', ...twice(0), $defs })).toContain('takes too long')
    // The work doubles with each level of the model's value.
    const { form } = await ofSchema({ properties: { child: { allOf: [{ $ref: '#' }, { $ref: '#' }] } } })
    const nested = `${'{"child":'.repeat(depth)}{}${'}'.repeat(depth)}`
    await expect(filledIn(form, nested, asker)).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('takes too long'),
    })
  })

  it('is at fault, and nobody else, when it can not be used on what is there', async () => {
    const { form } = await ofSchema({ properties: { answer: { enum: 5 } } })
    await expect(filledIn(form, '{"answer":"a"}', asker)).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining("can't be used"),
    })
  })

  it('is looked for in what a model makes long with blanks', async () => {
    const { form } = await ofSchema({})
    const blanks = ' '.repeat(900_000)
    expect(await filledIn(form, `\`\`\`${blanks}x`, asker)).toEqual({ faults: 'It is not valid JSON.' })
    expect(await filledIn(form, `\`\`\`json${blanks}{}${blanks.slice(0, 1_000)}\`\`\``, asker)).toEqual({ value: {} })
  })

  it('takes JSON from a block of code, and says what is wrong with the rest', async () => {
    const { form } = await ofSchema({ properties: { n: { type: 'integer' } } })
    expect(await filledIn(form, '```json\n{"n":1}\n```', asker)).toEqual({ value: { n: 1 } })
    expect(await filledIn(form, 'Here it is: {"n":1}', asker)).toEqual({ faults: 'It is not valid JSON.' })
    expect(await filledIn(form, '[]', asker)).toHaveProperty('faults')
    expect(await filledIn(form, `"${'x'.repeat(1_000_001)}"`, asker)).toEqual({ faults: 'It is too long.' })
  })

  it('is no longer checked once its client has left, whether it runs or waits, and an account has one check at once', async () => {
    const depth = 60
    const twice = (to: number) => ({ allOf: [{ $ref: `#/$defs/d${to}` }, { $ref: `#/$defs/d${to}` }] })
    const $defs = Object.fromEntries(
      Array.from({ length: depth }, (_, index) => [`d${index}`, index === depth - 1 ? {} : twice(index + 1)]),
    )
    const schema = { type: 'object', ...twice(0), $defs }
    const left = new AbortController()
    const checks = Array.from({ length: 17 }, () =>
      formOf({ ...sent, schema }, { accountId: 'crowd', signal: left.signal }),
    )
    const ended = Promise.allSettled(checks)
    expect(schemaChecks()).toEqual({ running: 1, waiting: 16 })
    await expect(formOf({ ...sent, schema }, { accountId: 'crowd', signal: left.signal })).rejects.toMatchObject({
      code: 'limited',
    })
    // Another account gets its answer while the check runs.
    await formOf({ ...sent, schema: { type: 'object' } }, asker)
    left.abort()
    expect(new Set((await ended).map(({ status }) => status))).toEqual(new Set(['rejected']))
    expect(schemaChecks()).toEqual({ running: 0, waiting: 0 })
  })
})
