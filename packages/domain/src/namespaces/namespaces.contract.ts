import { expect, it } from 'vitest'
import type { EmbeddingModel } from '../ports/embedder.ts'
import {
  account,
  createScene,
  mint,
  namespaceInput,
  newReextraction,
  newReindex,
  type Scene,
  settledAs,
  times,
  wallAt,
} from '../protocol/scene.fixture.ts'
import { behaviour, type Group } from '../protocol/store.fixture.ts'
import type { CreateNamespaceResult } from './counts.ts'
import type { Reextraction } from './record.ts'

export const namespacesContract = (group: Group) =>
  behaviour('namespaces', group, (engine) => {
    const newAccount = async () => (await engine.store.accounts.insert(account(mint('acc')))).id

    it('creates an active, empty namespace and counts it', async () => {
      const { store } = engine
      const accountId = await newAccount()
      const { limit, ...given } = namespaceInput(accountId, 'vector')
      expect(await store.createNamespace({ ...given, limit })).toBe('created')
      const created = await store.namespaces.get(given.id)
      expect(created).toMatchObject(given)
      expect(created).toMatchObject({
        state: 'active',
        deletionId: null,
        deletionStartedAt: null,
        itemCount: 0,
        open: {},
        openCount: 0,
        entryClosedUntil: 0,
      })
      expect(await store.namespaces.byName(accountId, given.name)).toEqual(created)
      const one = { documents: 0, vectors: 0, namespaces: 1 }
      expect(await store.accounts.get(accountId)).toMatchObject({
        counts: one,
        held: one,
        reservations: {},
        reservationCount: 0,
      })
    })

    it('refuses a name the account has, and holds nothing for it', async () => {
      const scene = await createScene(engine.store)
      const again = namespaceInput(scene.accountId, 'vector', scene.name)
      expect(await engine.store.createNamespace(again)).toBe('exists')
      expect(await engine.store.namespaces.get(again.id)).toBeUndefined()
      expect(await scene.namespace()).toMatchObject({ type: 'text' })
      await scene.expectExact()
    })

    it('keeps accounts apart: a name is free for everyone else', async () => {
      const { store } = engine
      const [mine, other] = [await createScene(store), await createScene(store)]
      expect(await store.createNamespace(namespaceInput(other.accountId, 'text', mine.name))).toBe('created')
      expect((await store.namespaces.byName(mine.accountId, mine.name))?.id).toBe(mine.namespaceId)
      expect((await store.namespaces.byName(other.accountId, mine.name))?.id).not.toBe(mine.namespaceId)
      expect(await store.namespaces.byName(mine.accountId, other.name)).toBeUndefined()
      expect((await store.namespaces.ofAccount(mine.accountId)).map(({ name }) => name)).toEqual([mine.name])
    })

    it('takes names that mean something to an engine or to JavaScript as plain names', async () => {
      const { store } = engine
      const accountId = await newAccount()
      const names = [
        '$where',
        '%',
        '__proto__',
        'a',
        'a b',
        'a.b',
        'constructor',
        "o'hara",
        '_',
        'Ünïcode',
        '\u{e000}',
        '🦊',
      ].toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
      for (const name of names.toReversed())
        expect(await store.createNamespace(namespaceInput(accountId, 'text', name))).toBe('created')
      expect((await store.namespaces.ofAccount(accountId)).map(({ name }) => name)).toEqual(names)
      for (const name of names) expect(await store.namespaces.byName(accountId, name)).toMatchObject({ name })
      expect(await store.namespaces.byName(accountId, 'A')).toBeUndefined()
      expect(await store.accounts.get(accountId)).toMatchObject({ counts: { namespaces: names.length } })
    })

    it('lists more namespaces of an account than one step reads', async () => {
      const { store } = engine
      const accountId = await newAccount()
      const names = times(503, (index) => `n${String(index).padStart(4, '0')}`)
      for (let from = 0; from < names.length; from += 100)
        await Promise.all(
          names.slice(from, from + 100).map((name) => store.createNamespace(namespaceInput(accountId, 'text', name))),
        )
      expect((await store.namespaces.ofAccount(accountId)).map(({ name }) => name)).toEqual(names)
      expect(await store.sumAccount(accountId)).toEqual({ outcome: 'counted', off: 0 })
      expect(await store.accounts.get(accountId)).toMatchObject({
        counts: { namespaces: 503 },
        held: { namespaces: 503 },
      })
    })

    it('refuses beyond the limit, saying how many there are, and writes nothing', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const second = namespaceInput(scene.accountId)
      expect(await store.createNamespace({ ...second, limit: 1 })).toEqual({ overLimit: 1 })
      expect(await store.namespaces.get(second.id)).toBeUndefined()
      await scene.expectExact()
      expect(await store.createNamespace({ ...second, limit: 2 })).toBe('created')
      expect(await store.createNamespace({ ...namespaceInput(scene.accountId), limit: 1 })).toEqual({ overLimit: 2 })
    })

    it('creates exactly one under 64 parallel callers with one slot left', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const calls = times(64, () => store.createNamespace({ ...namespaceInput(scene.accountId), limit: 2 }))
      const outcomes = await Promise.all(calls)
      expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(1)
      for (const outcome of outcomes) if (outcome !== 'created') expect(outcome).toEqual({ overLimit: 2 })
      expect(await store.namespaces.ofAccount(scene.accountId)).toHaveLength(2)
      await scene.expectExact()
    })

    it('creates exactly one of one name under 64 parallel callers', async () => {
      const { store } = engine
      const accountId = await newAccount()
      const name = mint('name')
      const created = (outcome: CreateNamespaceResult) => outcome === 'created'
      const calls = times(64, () => store.createNamespace({ ...namespaceInput(accountId, 'text', name), limit: 5 }))
      expect(await settledAs(calls, created)).toBe(1)
      expect(await store.namespaces.ofAccount(accountId)).toHaveLength(1)
      expect(await store.accounts.get(accountId)).toMatchObject({
        counts: { namespaces: 1 },
        held: { namespaces: 1 },
        reservationCount: 0,
      })
    })

    it('needs an account', async () => {
      await expect(engine.store.createNamespace(namespaceInput('nobody'))).rejects.toMatchObject({ code: 'notFound' })
      expect(await engine.store.namespaces.ofAccount('nobody')).toEqual([])
    })

    it.each(['create namespace: insert', 'create namespace: leave account'] as const)(
      'gets the slot right when a call dies before “%s”',
      async (step) => {
        const { store } = engine
        const scene = await createScene(store)
        const input = namespaceInput(scene.accountId)
        await engine.stall(step, (other) => other.createNamespace({ ...input, limit: 2 }))
        expect(await store.createNamespace({ ...namespaceInput(scene.accountId), limit: 2 })).toEqual({
          overLimit: 2,
        })
        await store.recoverAccount(scene.accountId)
        expect(await scene.account()).toMatchObject({ held: { namespaces: 2 }, reservationCount: 1 })
        await engine.advance(61_000)
        await store.recoverAccount(scene.accountId)
        await scene.expectExact()
        const again = await store.createNamespace({
          ...namespaceInput(scene.accountId, 'text', input.name),
          limit: 2,
        })
        expect(again).toBe(step === 'create namespace: insert' ? 'created' : 'exists')
      },
    )

    it('gives the slot back when another took the name meanwhile', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const input = { ...namespaceInput(scene.accountId), limit: 3 }
      const goOn = await engine.stall('create namespace: insert', (other) => other.createNamespace(input))
      const winner = { ...namespaceInput(scene.accountId, 'text', input.name), limit: 3 }
      expect(await store.createNamespace(winner)).toBe('created')
      expect(await goOn()).toBe('exists')
      expect((await store.namespaces.byName(scene.accountId, input.name))?.id).toBe(winner.id)
      await scene.expectExact()
    })

    it('is not refused for room that was given back meanwhile', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const [first, second] = [namespaceInput(scene.accountId), namespaceInput(scene.accountId)]
      const loser = await engine.stall('create namespace: insert', (other) =>
        other.createNamespace({ ...first, limit: 3 }),
      )
      await store.createNamespace({ ...namespaceInput(scene.accountId, 'text', first.name), limit: 3 })
      const refused = await engine.stall('create namespace: reserve: why not', (other) =>
        other.createNamespace({ ...second, limit: 3 }),
      )
      expect(await loser()).toBe('exists')
      expect(await refused()).toBe('created')
      await scene.expectExact()
    })

    it('pages through every namespace by id', async () => {
      const { store } = engine
      const accountId = await newAccount()
      const ids = ['zzA', 'zzB', 'zza', 'zzb']
      for (const id of ids.toReversed()) await store.createNamespace({ ...namespaceInput(accountId), id })
      await store.beginNamespaceDeletion('zzB', mint('del'), wallAt)
      const idsOf = async (page: { after?: string; limit: number }) =>
        (await store.namespaces.page(page)).map(({ id }) => id)
      expect(await idsOf({ after: 'zz', limit: 3 })).toEqual(['zzA', 'zzB', 'zza'])
      expect(await idsOf({ after: 'zza', limit: 3 })).toEqual(['zzb'])
      expect(await idsOf({ limit: 1 })).not.toEqual(['zzA'])
      const deleting = (await store.namespaces.deleting(10_000)).map(({ id }) => id)
      expect(deleting.filter((id) => id.startsWith('zz'))).toEqual(['zzB'])
    })

    it('names the namespaces with operations under way', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const quiet = await createScene(store)
      await engine.stall('accept: record', (other) => other.accept(scene.acceptInput(['a'])))
      const open = (await store.namespaces.open({ limit: 10_000 })).map(({ id }) => id)
      expect(open).toContain(scene.namespaceId)
      expect(open).not.toContain(quiet.namespaceId)
      const paged: string[] = []
      for (let after: { readonly openCount: number; readonly id: string } | undefined; ; ) {
        const [next] = await store.namespaces.open({ limit: 1, after })
        if (!next) break
        paged.push(next.id)
        after = next
      }
      expect(paged).toEqual(open)
    })

    it('gives objects that are the caller’s own', async () => {
      const scene = await createScene(engine.store)
      const read = (await scene.namespace()) as unknown as {
        open: Record<string, unknown>
        embedding: { model: string }
      }
      read.open.mine = {}
      read.embedding.model = 'other'
      expect(await scene.namespace()).toMatchObject({ open: {}, embedding: { model: 'words' } })
    })

    it('changes the embedding of an active namespace that has the expected one', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const { embedding } = await scene.namespace()
      if (!embedding) throw new Error('the scene has a text namespace')
      const next = { ...embedding, weights: '0123456789ab' }
      const { setEmbedding } = store.namespaces
      expect(await setEmbedding(scene.namespaceId, next, embedding)).toBe(false)
      expect(await setEmbedding(scene.namespaceId, embedding, next)).toBe(true)
      expect(await setEmbedding(scene.namespaceId, embedding, next)).toBe(false)
      expect(await scene.namespace()).toMatchObject({ embedding: next, state: 'active', name: scene.name })
      expect(await setEmbedding('nowhere', embedding, next)).toBe(false)
      await scene.expectExact()
    })

    it('begins one reindex of an active namespace that has the expected embedding, which is then fixed', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const { beginReindex, setEmbedding } = store.namespaces
      const embedding = (await scene.namespace()).embedding as EmbeddingModel
      const reindex = newReindex()
      expect(await beginReindex(scene.namespaceId, reindex.embedding, reindex)).toBe(false)
      expect(await beginReindex(scene.namespaceId, { ...embedding, dimension: 3 }, reindex)).toBe(false)
      expect(await beginReindex(scene.namespaceId, embedding, reindex)).toBe(true)
      expect(await beginReindex(scene.namespaceId, embedding, newReindex())).toBe(false)
      expect(await setEmbedding(scene.namespaceId, embedding, reindex.embedding)).toBe(false)
      expect(await scene.namespace()).toMatchObject({ embedding, reindex, reindexPhase: 'filling' })
      expect(await beginReindex('nowhere', embedding, reindex)).toBe(false)
      const gone = await createScene(store)
      await store.beginNamespaceDeletion(gone.namespaceId, mint('del'), wallAt)
      expect(await beginReindex(gone.namespaceId, embedding, newReindex())).toBe(false)
    })

    it('pages the namespaces in one phase of a reindex, by id', async () => {
      const { store } = await engine.fresh()
      const scenes = await Promise.all(times(3, () => createScene(store)))
      for (const [index, { namespaceId, namespace }] of scenes.entries()) {
        const embedding = (await namespace()).embedding as EmbeddingModel
        await store.namespaces.beginReindex(
          namespaceId,
          embedding,
          newReindex({ phase: index === 0 ? 'former' : 'filled' }),
        )
      }
      const ids = scenes
        .slice(1)
        .map(({ namespaceId }) => namespaceId)
        .sort()
      const idsOf = async (page: { readonly after?: string; readonly limit: number }) =>
        (await store.namespaces.reindexing({ phase: 'filled', ...page })).map(({ id }) => id)
      expect(await idsOf({ limit: 10 })).toEqual(ids)
      expect(await idsOf({ limit: 1 })).toEqual(ids.slice(0, 1))
      expect(await idsOf({ after: ids[0] as string, limit: 10 })).toEqual(ids.slice(1))
      expect(await store.namespaces.reindexing({ phase: 'closing', limit: 10 })).toEqual([])
    })

    it('changes a reindex only while it is the same, in the expected phase', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const { beginReindex, changeReindex } = store.namespaces
      const reindex = newReindex()
      await beginReindex(scene.namespaceId, (await scene.namespace()).embedding as EmbeddingModel, reindex)
      expect(await changeReindex(scene.namespaceId, { ...reindex, id: 'another' }, { passed: 1 })).toBeUndefined()
      expect(await changeReindex(scene.namespaceId, { ...reindex, phase: 'filled' }, { passed: 1 })).toBeUndefined()
      expect(await changeReindex(scene.namespaceId, { ...reindex, phaseAt: 1 }, { passed: 1 })).toBeUndefined()
      const changed = await changeReindex(scene.namespaceId, reindex, { passed: 2, phase: 'filled', error: 'away' })
      expect(changed).toMatchObject({
        reindex: { ...reindex, passed: 2, phase: 'filled', error: 'away' },
        reindexPhase: 'filled',
      })
      expect(await scene.namespace()).toEqual(changed)
    })

    it('keeps queries of a reindex in the phase that was read', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const { id, phase, ...rest } = newReindex({ queries: [] })
      await store.namespaces.beginReindex(scene.namespaceId, (await scene.namespace()).embedding as EmbeddingModel, {
        id,
        phase,
        ...rest,
      })
      for (const text of ['one', 'two'])
        await store.namespaces.keepQuery(scene.namespaceId, { id, phase: 'filling' }, text)
      await store.namespaces.keepQuery(scene.namespaceId, { id, phase: 'filled' }, 'another phase')
      await store.namespaces.keepQuery(scene.namespaceId, { id: 'another', phase: 'filling' }, 'another reindex')
      expect((await scene.namespace()).reindex?.queries).toEqual(['one', 'two'])
    })

    it('lets the two models change places once, there and back', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const { beginReindex, changeReindex, flipReindex, endReindex } = store.namespaces
      const from = (await scene.namespace()).embedding as EmbeddingModel
      const reindex = newReindex()
      const { namespaceId } = scene
      await beginReindex(namespaceId, from, reindex)
      expect(await flipReindex(namespaceId, reindex, wallAt)).toBe(false)
      await changeReindex(namespaceId, reindex, { phase: 'closing', cursor: 'here', error: 'away', queries: null })
      expect(await flipReindex(namespaceId, { ...reindex, id: 'another' }, wallAt)).toBe(false)
      expect(await flipReindex(namespaceId, { ...reindex, phaseAt: 1 }, wallAt)).toBe(false)
      const stalled = await engine.stall('namespaces: flip', (other) =>
        other.namespaces.flipReindex(namespaceId, reindex, wallAt),
      )
      expect(await flipReindex(namespaceId, reindex, wallAt + 5)).toBe(true)
      expect(await stalled()).toBe(false)
      const flipped = {
        id: reindex.id,
        embedding: from,
        phase: 'former',
        phaseAt: wallAt + 5,
        flippedAt: wallAt + 5,
        cursor: null,
        error: null,
      }
      expect(await scene.namespace()).toMatchObject({
        embedding: reindex.embedding,
        reindex: flipped,
        reindexPhase: 'former',
      })
      await changeReindex(namespaceId, { ...reindex, phase: 'former', phaseAt: wallAt + 5 }, { phase: 'closing' })
      expect(await flipReindex(namespaceId, { ...reindex, phaseAt: wallAt + 5 }, wallAt + 9)).toBe(true)
      expect(await scene.namespace()).toMatchObject({
        embedding: from,
        reindex: { embedding: reindex.embedding, flippedAt: wallAt + 9 },
      })
      expect(await endReindex(namespaceId, reindex.id)).toBe(false)
      await changeReindex(namespaceId, { ...reindex, phase: 'former', phaseAt: wallAt + 9 }, { phase: 'removing' })
      expect(await endReindex(namespaceId, 'another')).toBe(false)
      expect(await endReindex(namespaceId, reindex.id)).toBe(true)
      expect(await endReindex(namespaceId, reindex.id)).toBe(false)
      expect(await scene.namespace()).toMatchObject({
        embedding: from,
        reindex: null,
        reindexPhase: null,
        formerEmbeddings: [reindex.embedding],
      })
      const second = newReindex({ phase: 'removing' })
      await beginReindex(namespaceId, from, second)
      expect(await endReindex(namespaceId, second.id)).toBe(true)
      expect((await scene.namespace()).formerEmbeddings).toEqual([reindex.embedding])
    })

    it('runs one re-extraction of an active namespace at a time, and keeps the last one', async () => {
      const { store } = await engine.fresh()
      const { beginReextraction, changeReextraction, reextracting } = store.namespaces
      const scenes = await Promise.all(times(3, () => createScene(store)))
      const [first, second, gone] = scenes as [Scene, Scene, Scene]
      const [one, two] = ['a', 'b'].map((id) => newReextraction({ id })) as [Reextraction, Reextraction]
      expect(await beginReextraction(first.namespaceId, two)).toBe(true)
      expect(await beginReextraction(first.namespaceId, newReextraction())).toBe(false)
      expect(await beginReextraction(second.namespaceId, one)).toBe(true)
      await store.beginNamespaceDeletion(gone.namespaceId, mint('del'), wallAt)
      expect(await beginReextraction(gone.namespaceId, newReextraction())).toBe(false)
      expect(await beginReextraction('nowhere', newReextraction())).toBe(false)
      const idsOf = async (page: { readonly after?: string; readonly limit: number }) =>
        (await reextracting(page)).map(({ id }) => id)
      expect(await idsOf({ limit: 10 })).toEqual([second.namespaceId, first.namespaceId])
      expect(await idsOf({ limit: 1 })).toEqual([second.namespaceId])
      expect(await idsOf({ after: 'a', limit: 10 })).toEqual([first.namespaceId])
      const further = { ...two, cursor: 'b.txt', underWay: ['file'], extracted: 1 }
      expect(await changeReextraction(first.namespaceId, { ...further, id: 'another' })).toBe(false)
      expect(await changeReextraction(first.namespaceId, further)).toBe(true)
      expect(await first.namespace()).toMatchObject({ reextraction: further, reextractionId: 'b' })
      const ended = { ...further, underWay: [], endedAt: wallAt }
      expect(await changeReextraction(first.namespaceId, ended)).toBe(true)
      expect(await changeReextraction(first.namespaceId, further)).toBe(false)
      expect(await first.namespace()).toMatchObject({ reextraction: ended, reextractionId: null })
      expect(await idsOf({ limit: 10 })).toEqual([second.namespaceId])
      expect(await beginReextraction(first.namespaceId, newReextraction())).toBe(true)
    })

    it('refuses the id of a creation that is under way', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const input = namespaceInput(scene.accountId)
      const goOn = await engine.stall('create namespace: insert', (other) => other.createNamespace(input))
      await expect(store.createNamespace({ ...input, name: mint('name') })).rejects.toMatchObject({
        code: 'conflict',
      })
      expect(await goOn()).toBe('created')
      await scene.expectExact()
    })

    it('counts a slot once that a recovery has already counted', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const goOn = await engine.stall('create namespace: leave account', (other) =>
        other.createNamespace(namespaceInput(scene.accountId)),
      )
      await engine.advance(61_000)
      await store.recoverAccount(scene.accountId)
      await scene.expectExact()
      expect(await goOn()).toBe('created')
      await scene.expectExact()
    })
  })
