import { expect, it } from 'vitest'
import { deadAddresses, foreignResources } from './lib/site-resources.ts'

it('finds what a page loads from another origin', () => {
  const html = `<script src="/a.js"></script><script defer src="https://example.org/a.js"></script>
    <link rel="stylesheet" href="//example.org/a.css"><img alt="" src="data:,"><img src="http://example.org/a.png">
    <a href="https://example.org">a link</a>`
  expect(foreignResources('a.html', html)).toEqual([
    'a.html: https://example.org/a.js',
    'a.html: //example.org/a.css',
    'a.html: http://example.org/a.png',
  ])
})

it('finds links to files that the site does not have', () => {
  const html =
    '<a href="/s/">a</a><a class="b" href="/s/a.html#b">a</a><a href="/s/b/">a</a><a href="/s/c.html">a</a><a href="/a.html">a</a><a href="#a">a</a>'
  const files = ['index.html', 'a.html', 'b/index.html']
  expect(deadAddresses('a.html', html, '/s/', (path) => files.includes(path))).toEqual([
    'a.html: /s/c.html',
    'a.html: /a.html',
  ])
})
