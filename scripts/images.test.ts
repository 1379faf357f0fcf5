import { expect, it } from 'vitest'
import { imageFaults } from './lib/images.ts'

const allowedIn = { 'old.yml': 'for old volumes' }
const policy = {
  denied: [
    { image: 'mongo', versions: '<8.0.17', reason: 'reads memory' },
    { image: 'minio/minio', versions: '<2025.10.15', reason: 'escalates', allowedIn },
  ],
}
const old = ['old.yml', 'image: minio/minio:RELEASE.2025-09-07T16-13-09Z'] as const

it.each([
  ['image: mongo:8.0.16', ['a.yml: mongo:8.0.16 is denied: reads memory']],
  ["GenericContainer('docker.io/library/mongo:8.0.15')", ['a.yml: mongo:8.0.15 is denied: reads memory']],
  ['image: mongo:8.0.17', []],
  ['image: mongo:8.0.18-noble', []],
  ['the newest mongo:8, mongo:latest, a host mongo:port, example/mongo:1.0.0', []],
  ['image: minio/minio:RELEASE.2025-10-15T17-29-55Z', []],
  [
    'image: minio/minio:RELEASE.2025-10-14T00-00-00Z',
    ['a.yml: minio/minio:RELEASE.2025-10-14T00-00-00Z is denied: escalates'],
  ],
])('judges %s', (text, faults) => {
  expect(imageFaults(new Map([old, ['a.yml', text]]), policy)).toEqual(faults)
})

it('names an exception that is no longer needed', () => {
  expect(imageFaults(new Map(), policy)).toEqual([
    'old.yml may name minio/minio by scripts/denied-images.json, and does not',
  ])
})
