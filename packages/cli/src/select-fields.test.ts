import { describe, expect, it } from 'vitest'
import { cairn } from './run.fixture.ts'
import { selectFields } from './select-fields.ts'
import { serve } from './serve.fixture.ts'

const data = {
  total: 2,
  results: [
    { id: 'a', score: 1, metadata: { id: 'x', year: 2020 } },
    { id: 'b', score: 0 },
  ],
  warnings: [],
}

describe('selected fields', () => {
  it('keep their place in the result', () => {
    const select = (...names: string[]) => selectFields(data, new Set(names))
    expect(select('id')).toEqual({ results: [{ id: 'a', metadata: { id: 'x' } }, { id: 'b' }], warnings: [] })
    expect(select('total', 'score')).toEqual({ total: 2, results: [{ score: 1 }, { score: 0 }], warnings: [] })
    expect(select('year')).toEqual({ results: [{ metadata: { year: 2020 } }], warnings: [] })
    expect(select('results', 'warnings')).toEqual({ results: data.results, warnings: [] })
    expect(select('none')).toEqual({ warnings: [] })
    expect(selectFields({ id: 1, list: [1, 2] }, new Set(['none']))).toBeUndefined()
  })

  it('are those of --json=, and one that the result lacks is named', async () => {
    const { url } = await serve({ status: 200, body: { accounts: [{ account_id: 'a', name: 'Acme', tier: 'x' }] } })
    const env = { CAIRN_URL: url, CAIRN_ADMIN_KEY: 'k' }
    const list = (option: string) => cairn(env, 'accounts', 'list', option)
    expect(await list('--json=name,account_id')).toEqual({
      code: 0,
      out: '{\n  "accounts": [\n    {\n      "account_id": "a",\n      "name": "Acme"\n    }\n  ]\n}\n',
      err: '',
    })
    expect(await list('--json=tire')).toEqual({
      code: 0,
      out: '{}\n',
      err: 'cairn: The result has no field "tire": did you mean "tier"?\n',
    })
  })
})
