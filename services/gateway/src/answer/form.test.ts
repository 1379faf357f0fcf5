import { describe, expect, it } from 'vitest'
import { filledIn, formOf } from './form.ts'

const sent = { tool_name: 'reply', tool_description: 'A reply' }
const ofSchema = (schema: Readonly<Record<string, unknown>>) => formOf({ ...sent, schema: { type: 'object', ...schema } })
const message = (schema: Readonly<Record<string, unknown>>) => {
  try {
    formOf({ ...sent, schema })
  } catch (error) {
    return (error as Error).message
  }
  return 'it was taken'
}

describe('the form of a structured answer', () => {
  it('is the usual one where no schema is sent', () => {
    const { form, isOwn } = formOf(sent)
    expect([form.name, isOwn]).toEqual(['reply', false])
    expect(filledIn(form, '{"answer":"a","confidence":1}')).toEqual({ value: { answer: 'a', confidence: 1 } })
    expect(filledIn(form, '{"answer":"a","confidence":1.1}')).toMatchObject({ faults: expect.stringContaining('confidence') })
    expect(filledIn(form, '{"answer":"a","confidence":1,"sources":[{"id":"x","relevance":"none"}]}')).toHaveProperty('faults')
    expect(filledIn(form, `{"answer":"a","confidence":1,"summary":"${'s'.repeat(201)}"}`)).toHaveProperty('faults')
  })

  it('is the one that is sent, references within it included', () => {
    const { form, isOwn } = ofSchema({
      properties: { pattern: { $ref: '#/$defs/name' }, child: { $ref: '#' } },
      required: ['pattern'],
      $defs: { name: { type: 'string', minLength: 2 } },
    })
    expect(isOwn).toBe(true)
    expect(filledIn(form, '{"pattern":"ab","child":{"pattern":"cd"}}')).toHaveProperty('value')
    expect(filledIn(form, '{"pattern":"ab","child":{"pattern":"c"}}')).toHaveProperty('faults')
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
  ])('is refused when it is %o', (schema, why) => {
    expect(message(schema)).toContain(why)
  })

  it('takes JSON from a block of code, and says what is wrong with the rest', () => {
    const { form } = ofSchema({ properties: { n: { type: 'integer' } } })
    expect(filledIn(form, '```json\n{"n":1}\n```')).toEqual({ value: { n: 1 } })
    expect(filledIn(form, 'Here it is: {"n":1}')).toEqual({ faults: 'It is not valid JSON.' })
    expect(filledIn(form, '[]')).toHaveProperty('faults')
    expect(filledIn(form, `"${'x'.repeat(1_000_001)}"`)).toEqual({ faults: 'It is too long.' })
  })
})
