import { expect, it } from 'vitest'
import { subjectOf } from './question-words.ts'

it.each([
  ['how many vacation days do I get?', 'vacation days'],
  ['What is it?', 'What is it?'],
  ['Who is Who?', 'Who is Who?'],
  ['where is the spring, behind the larch?', 'spring, behind larch?'],
  ['wie viele Urlaubstage habe ich?', 'Urlaubstage'],
  ['كم عدد النقاط؟', 'كم عدد النقاط؟'],
  ['', ''],
])('leaves what a question is about: %s', (question, expected) => {
  expect(subjectOf(question)).toBe(expected)
})
