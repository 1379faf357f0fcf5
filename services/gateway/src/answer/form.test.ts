import { describe, expect, it } from 'vitest'
import { filledIn, formOf } from './form.ts'

const sent = { tool_name: 'reply', tool_description: 'A reply' }
const ofSchema = (schema: Readonly<Record<string, unknown>>) => formOf({ ...sent, schema: { type: 'object', ...schema } })
const message = async (schema: Readonly<Record<string, unknown>>) => {
  try {
    await formOf({ ...sent, schema })
  } catch (error) {
    return (error as Error).message
  }
  return 'it was taken'
}

describe('the form of a structured answer', () => {
  it('is the usual one where no schema is sent', async () => {
    const { form, isOwn } = await formOf(sent)
    expect([form.name, isOwn]).toEqual(['reply', false])
    expect(await filledIn(form, '{"answer":"a","confidence":1}')).toEqual({ value: { answer: 'a', confidence: 1 } })
    expect(await filledIn(form, '{"answer":"a","confidence":1.1}')).toMatchObject({ faults: expect.stringContaining('confidence') })
    expect(await filledIn(form, '{"answer":"a","confidence":1,"sources":[{"id":"x","relevance":"none"}]}')).toHaveProperty('faults')
    expect(await filledIn(form, `{"answer":"a","confidence":1,"summary":"${'s'.repeat(201)}"}`)).toHaveProperty('faults')
  })

  it('is the one that is sent, references within it included', async () => {
    const { form, isOwn } = await ofSchema({
      properties: { pattern: { $ref: '#/$defs/name' }, child: { $ref: '#' } },
      required: ['pattern'],
      $defs: { name: { type: 'string', minLength: 2 } },
    })
    expect(isOwn).toBe(true)
    expect(await filledIn(form, '{"pattern":"ab","child":{"pattern":"cd"}}')).toHaveProperty('value')
    expect(await filledIn(form, '{"pattern":"ab","child":{"pattern":"c"}}')).toHaveProperty('faults')
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
    const $defs = Object.fromEntries(Array.from({ length: depth }, (_, at) => [`d${at}`, at === depth - 1 ? {} : twice(at + 1)]))
    expect(await message({ type: 'object', ...twice(0), $defs })).toContain('takes too long')
    // Doubled by each level of what the model writes.
    const { form } = await ofSchema({ properties: { child: { allOf: [{ $ref: '#' }, { $ref: '#' }] } } })
    const nested = `${'{"child":'.repeat(depth)}{}${'}'.repeat(depth)}`
    await expect(filledIn(form, nested)).rejects.toMatchObject({ code: 'invalid', message: expect.stringContaining('takes too long') })
  })

  it('is at fault, and nobody else, when it can not be used on what is there', async () => {
    const { form } = await ofSchema({ properties: { answer: { enum: 5 } } })
    await expect(filledIn(form, '{"answer":"a"}')).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining("can't be used"),
    })
  })

  it('is looked for in what a model makes long with blanks', async () => {
    const { form } = await ofSchema({})
    const blanks = ' '.repeat(900_000)
    expect(await filledIn(form, `\`\`\`${blanks}x`)).toEqual({ faults: 'It is not valid JSON.' })
    expect(await filledIn(form, `\`\`\`json${blanks}{}${blanks.slice(0, 1_000)}\`\`\``)).toEqual({ value: {} })
  })

  it('takes JSON from a block of code, and says what is wrong with the rest', async () => {
    const { form } = await ofSchema({ properties: { n: { type: 'integer' } } })
    expect(await filledIn(form, '```json\n{"n":1}\n```')).toEqual({ value: { n: 1 } })
    expect(await filledIn(form, 'Here it is: {"n":1}')).toEqual({ faults: 'It is not valid JSON.' })
    expect(await filledIn(form, '[]')).toHaveProperty('faults')
    expect(await filledIn(form, `"${'x'.repeat(1_000_001)}"`)).toEqual({ faults: 'It is too long.' })
  })
})
