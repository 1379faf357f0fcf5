import { isAppError } from '@cairn/contracts/errors'
import type { Answerer, AnswerRequest } from '@cairn/domain/ports/answerer'
import { describe, expect, it } from 'vitest'

/** The model streams `pieces`, sends nothing, or fails. */
export type ModelState =
  | 'answering'
  | 'silent'
  | 'silent after a piece'
  | 'breaking off'
  | 'blank'
  | 'busy'
  | 'failing'
  | 'unreachable'
  | 'refusing'
  | 'misconfigured'

export const pieces = ['Behind ', 'the larch', '.\n', ' Or 🏔️?']

export type AnswererContract = {
  /** Opens an answerer with the models `small` (the default, 1 credit) and `large` (3 credits) that gives up soon. */
  readonly open: (state: ModelState) => Promise<Answerer>
}

const question: AnswerRequest = {
  model: 'small',
  query: 'Where is the spring?',
  passages: [{ id: 'a', text: 'The spring is behind the larch.' }],
  history: [{ role: 'user', content: 'Hello' }],
  headerPrompt: '',
  footerPrompt: '',
  temperature: 0.3,
}

/** Contract of every answerer, whatever its model. */
export const answererContract = ({ open }: AnswererContract): void => {
  describe('answerer', () => {
    const write = async (
      answerer: Answerer,
      { request = question, signal = new AbortController().signal, onPiece = () => undefined as unknown } = {},
    ) => {
      const written: string[] = []
      for await (const piece of answerer.write(request, { signal })) {
        written.push(piece)
        onPiece()
      }
      return written
    }
    const failureOf = async (state: ModelState) =>
      write(await open(state)).then(
        () => expect.unreachable('it answered'),
        (error: unknown) => error,
      )

    it('takes the requested model if it is configured, else the default', async () => {
      const { modelFor } = await open('answering')
      expect(modelFor('large')).toEqual({ id: 'large', credits: 3 })
      for (const requested of ['unknown', '', undefined])
        expect(modelFor(requested)).toEqual({ id: 'small', credits: 1 })
    })

    it('yields the pieces of the answer', async () => {
      expect((await write(await open('answering'))).join('')).toBe(pieces.join(''))
    })

    it('answers without passages when no search was done, and by every configured model', async () => {
      const answerer = await open('answering')
      for (const model of ['small', 'large'])
        expect((await write(answerer, { request: { ...question, model, passages: undefined } })).join('')).toBe(
          pieces.join(''),
        )
    })

    it('answers concurrent callers, each with its own pieces', async () => {
      const answerer = await open('answering')
      const answers = await Promise.all(Array.from({ length: 8 }, () => write(answerer)))
      expect(answers.map((answer) => answer.join(''))).toEqual(answers.map(() => pieces.join('')))
    })

    for (const state of [
      'silent',
      'silent after a piece',
      'breaking off',
      'blank',
      'busy',
      'failing',
      'unreachable',
    ] as const) {
      it(`throws unavailable when the model is ${state}`, async () => {
        const error = await failureOf(state)
        expect(isAppError(error, 'unavailable'), String(error)).toBe(true)
      })
    }

    it('throws invalid when the model refuses the request', async () => {
      expect(isAppError(await failureOf('refusing'), 'invalid')).toBe(true)
    })

    it('throws an error that is not for the client when the operator must act', async () => {
      expect(isAppError(await failureOf('misconfigured'))).toBe(false)
    })

    it.each(['answering', 'silent'] as const)(
      "throws the signal's reason when it is aborted before the model is %s",
      async (state) => {
        const reason = new Error('the client went away')
        const signal = AbortSignal.abort(reason)
        await expect(write(await open(state), { signal })).rejects.toBe(reason)
      },
    )

    it("throws the signal's reason when it is aborted in the middle of an answer", async () => {
      const reason = new Error('the client went away')
      const gone = new AbortController()
      const writing = write(await open('silent after a piece'), {
        signal: gone.signal,
        onPiece: () => gone.abort(reason),
      })
      await expect(writing).rejects.toBe(reason)
    })
  })
}
