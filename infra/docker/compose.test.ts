import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createSecrets } from '@cairn/setup/secrets'
import { temporaryDirectory } from '@cairn/testing/temporary'
import { describe, expect, it } from 'vitest'

const root = new URL('../..', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')
const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, found = '']) => found)
const foldersOf = (parent: string) =>
  readdirSync(new URL(parent, root)).filter((name) => existsSync(new URL(`${parent}/${name}/package.json`, root)))

const compose = read('docker-compose.yml')
const dockerfile = read('infra/Dockerfile')
const fixtures = read('packages/testing/src/engine-table.ts')
const settings = new Set(all(read('.env.example'), /^#?([A-Z0-9_]+)=/gm))
/** Settings that only compose reads: the image and the published ports of the host. */
const ofCompose = [
  'CAIRN_IMAGE',
  'CAIRN_S3_PORT',
  'CAIRN_EDGE_PORT',
  'CAIRN_PROMETHEUS_PORT',
  'CAIRN_GRAFANA_PORT',
  'CAIRN_JAEGER_PORT',
]

describe('docker-compose.yml', () => {
  it('makes every container listen beyond its loopback, as the image does for `docker run`', () => {
    expect(new Set(all(compose, /CAIRN_HOST: (.*)/g))).toEqual(new Set(['0.0.0.0']))
    expect(read('infra/docker-compose.one-process.yml')).toContain('CAIRN_HOST: 0.0.0.0')
    expect(dockerfile).toMatch(/^ENV .*CAIRN_HOST=0\.0\.0\.0/m)
  })

  it('runs every service, and the job that sets up', () => {
    const started = all(compose, /SERVICE: ([a-z-]+)/g)
    const alone = ['standalone', 'setup']
    expect(started.sort()).toEqual(foldersOf('services').filter((name) => !alone.includes(name)))
    expect(compose).toContain("command: ['node', 'services/setup/src/main.ts']")
  })

  it('names no setting that nobody reads', () => {
    const named = [...all(compose, /^\s+(CAIRN_\w+):/gm), ...all(compose, /\$\{(CAIRN_\w+)/g)]
    expect(named.length).toBeGreaterThan(20)
    expect(named.filter((name) => !settings.has(name) && !ofCompose.includes(name))).toEqual([])
  })

  it('reads the secrets that its own job makes', () => {
    const made = createSecrets(temporaryDirectory())
    const wanted = new Set(all(compose, /\/secrets\/([a-z0-9-]+)/g))
    expect([...wanted].sort()).toEqual([...made].sort())
  })

  it('publishes on this machine alone', () => {
    const lists = all(compose, /^\s+ports: \[(.*)\]$/gm)
    expect(lists.length).toBeGreaterThan(2)
    for (const list of lists) expect(list).toMatch(/^'127\.0\.0\.1:[^,]*'$/)
  })

  it('pins the version of every image that is not ours, the one the tests run against', () => {
    const images = all(compose, /^\s+image: (\S+)$/gm).filter((image) => !image.startsWith('$'))
    expect(images.length).toBeGreaterThan(4)
    const used = all(fixtures, /GenericContainer\('([^']+)'\)/g)
    for (const image of [...images, ...used]) expect(image).toMatch(/:[A-Za-z]*[.v]?\d+[.-]\d+[\w.-]*$/)
    const alsoHere = used.filter((image) => !image.startsWith('minio/'))
    expect(images).toEqual(expect.arrayContaining(alsoHere))
    expect(all(read('infra/docker/minio.yml'), /image: (\S+)/g)).toEqual(
      used.filter((image) => !alsoHere.includes(image)),
    )
    expect(read('infra/docker/stand-ins/make.sh')).toSatisfy((script: string) =>
      used.every((image) => script.includes(` ${image}\n`)),
    )
  })
})

it('installs for every workspace that runs in the image, and for those that the console is built from', () => {
  const wanted = ['packages', 'services'].flatMap((parent) => foldersOf(parent).map((name) => `${parent}/${name}`))
  const installedIn = (stage: string) => {
    const [, lines = ''] = new RegExp(`^FROM \\S+ AS ${stage}$(.*?)^FROM `, 'ms').exec(dockerfile) ?? []
    return all(lines, /^COPY ((?:packages|services)\/[a-z-]+)\/package\.json/gm)
  }
  const onlyElsewhere = ['packages/console', 'packages/testing']
  expect(installedIn('dependencies').sort()).toEqual(wanted.filter((folder) => !onlyElsewhere.includes(folder)))
  expect(installedIn('console').sort()).toEqual(['packages/client', 'packages/console'])
})
