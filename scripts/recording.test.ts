import { readFileSync, statSync } from 'node:fs'
import { hostname, userInfo } from 'node:os'
import { xmlScan } from '@cairn/extract/shared/xml-scan'
import { describe, expect, it } from 'vitest'
import { drawRecording, playTerminal, shortenPauses, type TerminalEvent } from './lib/recording.ts'

const committed = new URL('../docs/images/first-steps.svg', import.meta.url)
const drawing = { title: 'A <test>', columns: 20, rows: 2, holdMs: 1_000 }
const event = (atMs: number, text: string): TerminalEvent => ({ atMs, text })
const versionsOf = (events: readonly TerminalEvent[], columns = 20) =>
  playTerminal(events, columns).map(({ versions }) => versions.map(({ atMs, text }) => [atMs, text]))

/** Reads a picture as XML and returns the names of its elements. Throws if it is not well-formed. */
const readSvg = (picture: string) => {
  const elements: string[] = []
  const scan = xmlScan({ open: (name) => elements.push(name) })
  scan.write(picture)
  scan.end()
  return elements
}

describe('the terminal', () => {
  it('shows what was written when it was written', () => {
    expect(versionsOf([event(0, '$ '), event(200, 'ls'), event(400, '\r\na.md\r\nb.md\r\n')])).toEqual([
      [
        [0, '$'],
        [200, '$ ls'],
      ],
      [[400, 'a.md']],
      [[400, 'b.md']],
      [],
    ])
  })

  it('replaces a line in place, and ignores colors and other sequences', () => {
    const events = [
      event(0, '\r\x1b[K  1 of 2'),
      event(500, '\r\x1b[K  2 of 2'),
      event(1_000, '\r\x1b[K\x1b[32mdone\x1b[0m\x1b[?25h'),
    ]
    expect(versionsOf(events)).toEqual([
      [
        [0, '  1 of 2'],
        [500, '  2 of 2'],
        [1_000, 'done'],
      ],
    ])
  })

  it('takes changes within 80 ms as one', () => {
    expect(versionsOf([event(0, 'a'), event(79, 'b'), event(159, 'c')])).toEqual([
      [
        [0, 'ab'],
        [159, 'abc'],
      ],
    ])
  })

  it('breaks lines at its width', () => {
    expect(versionsOf([event(0, 'abcdef\ng')], 4)).toEqual([[[0, 'abcd']], [[0, 'ef']], [[0, 'g']]])
    expect(versionsOf([event(0, 'a\tb')])).toEqual([[[0, 'a       b']]])
  })
})

describe('the timing', () => {
  it('shortens pauses and keeps the rest', () => {
    const events = [event(100, 'a'), event(1_100, 'b'), event(9_000, 'c'), event(9_050, 'd')]
    expect(shortenPauses(events, 2_000).map(({ atMs }) => atMs)).toEqual([100, 1_100, 3_100, 3_150])
  })
})

describe('the picture', () => {
  const lines = playTerminal(
    [event(0, '$ a\n'), event(1_000, 'one\n'), event(2_000, '<two>\n'), event(3_000, '\rthree')],
    20,
  )
  const picture = drawRecording(lines, drawing)

  it('shows each line from its time on, and scrolls', () => {
    expect(picture).toContain('animation-duration:4000ms;animation-timing-function:step-end')
    expect(picture).toContain('@keyframes v0{0%{opacity:1}}')
    expect(picture).toContain('@keyframes v1{0%{opacity:0}25%{opacity:1}}')
    expect(picture).toContain(
      '@keyframes s{0%{transform:none}50%{transform:translateY(-19px)}75%{transform:translateY(-38px)}}',
    )
    expect(picture).toContain('>&lt;two&gt;</text>')
  })

  it('is the last frame where motion is reduced', () => {
    expect(picture).toContain('.s{animation-name:s;transform:translateY(-38px)}')
    expect(picture.replace(/@media \(prefers-reduced-motion:no-preference\)\{.*\}\}/, '')).not.toContain('duration')
    const replaced = drawRecording(playTerminal([event(0, 'one'), event(500, '\rtwo')], 20), drawing)
    expect(
      [...replaced.matchAll(/<text( opacity="0")?[^>]*>([^<]*)/g)].map(([, gone, text]) => [gone !== undefined, text]),
    ).toEqual([
      [true, 'one'],
      [false, 'two'],
    ])
  })

  it('is well-formed', () => {
    expect(readSvg(picture).filter((name) => name === 'text')).toHaveLength(4)
    expect(() => readSvg(picture.replace('</style>', ''))).toThrow()
  })
})

describe('docs/images/first-steps.svg', () => {
  const picture = readFileSync(committed, 'utf8')

  it('is well-formed, below 150 kB, and has an accessible name', () => {
    expect(statSync(committed).size).toBeLessThan(150_000)
    expect(new Set(readSvg(picture))).toEqual(new Set(['svg', 'title', 'style', 'rect', 'g', 'text']))
    expect(picture).toMatch(/role="img" aria-labelledby="title">\n<title id="title">[^<]{20,}</)
  })

  it('has no script, and nothing from elsewhere', () => {
    expect(picture).not.toMatch(/<script|\son\w+=|javascript:|@import|url\(|<image|<foreignObject|href/i)
    expect(picture.replace('xmlns="http://www.w3.org/2000/svg"', '')).not.toMatch(/="https?:/)
  })

  it('says nothing of the machine it was made on, and no key', () => {
    expect(picture).not.toMatch(/\/tmp\/|\/home\/|\/root|\/Users\/|cairn_[A-Za-z0-9]{8}|#code=\w|\b20\d\d-\d\d-\d\d\b/)
    expect(picture).not.toContain(hostname())
    expect(picture).not.toContain(`${userInfo().username}@`)
  })
})
