import { operations } from '@cairn/contracts/api/operations'
import type { Operation } from '@cairn/contracts/http/operation'
import { afterEach, beforeAll, expect } from 'vitest'
import type { Client, Failure, Sent } from '../../client.ts'
import { createNamespace, type Member, type Story, useTarget } from '../../story.ts'
import type { Target } from '../../target.ts'

/** Time limit of every rejection, whatever was sent. */
const refusedWithinMs = 2_000
const answeredWithinMs = 1_000

export type Scene = {
  readonly story: Story<Target>
  readonly member: Member
  readonly api: Client
  /** Path parameters of a text namespace. */
  readonly text: { readonly namespace_name: string }
  /** Path parameters of a vector namespace with three dimensions. */
  readonly vectors: { readonly namespace_name: string }
}

/**
 * Sets up an account with a namespace of each type, to which tests send bad input. After every test, the process must
 * still be alive and answer the next valid request at once.
 */
export const useScene = (): Scene => {
  const story = useTarget()
  let made: Pick<Scene, 'member' | 'text' | 'vectors'> | undefined
  const scene = () => {
    if (made) return made
    throw new Error('the scene stands only while tests run')
  }

  beforeAll(async () => {
    const member = await story.member()
    made = {
      member,
      text: { namespace_name: await createNamespace(member.api) },
      vectors: { namespace_name: await createNamespace(member.api, { type: 'vector', vector_dimension: 3 }) },
    }
  })
  afterEach(async () => {
    const { ms } = await scene().member.api.call(operations.listNamespaces, {}, 200)
    expect(ms).toBeLessThan(answeredWithinMs)
    // Throws if the process has exited.
    if (story.target.pid !== undefined) process.kill(story.target.pid, 0)
  })
  return {
    story,
    get member() {
      return scene().member
    },
    get api() {
      return scene().member.api
    },
    get text() {
      return scene().text
    },
    get vectors() {
      return scene().vectors
    },
  }
}

/** Expects that the call is rejected quickly, with this status and message. */
export const refused = async (
  api: Client,
  operation: Operation,
  sent: Sent,
  { status = 400, says }: { readonly status?: number; readonly says?: RegExp | string } = {},
): Promise<Failure> => {
  const { body, ms } = await api.call(operation, sent, status)
  expect(ms).toBeLessThan(refusedWithinMs)
  const failure = body as unknown as Failure
  if (says !== undefined) expect(failure.message).toMatch(says)
  return failure
}

export const longText = 'A document that is long enough.'
