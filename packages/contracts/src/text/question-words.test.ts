import { expect, it } from 'vitest'
import { isFunctionWord } from './question-words.ts'

const subjectOf = (question: string) =>
  (question.match(/[\p{L}\p{M}]+/gu) ?? []).filter((word) => !isFunctionWord(word)).join(' ')

it.each([
  ['how many vacation days do I get?', 'vacation days'],
  ['What is it?', ''],
  ['Who is Who?', ''],
  ['where is the spring, behind the larch?', 'spring behind larch'],
  ['wie viele Urlaubstage habe ich?', 'Urlaubstage'],
  ['كم عدد النقاط؟', 'كم عدد النقاط'],
  ['', ''],
])('leaves what a question is about: %s', (question, expected) => {
  expect(subjectOf(question)).toBe(expected)
})
