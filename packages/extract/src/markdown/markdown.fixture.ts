/** Has one of each kind of block. */
export const source = `---
title: "A title: with a colon"
tags: [one, "two, three"]
authors:
  - Ann
  - Bob
draft: false
order: 7
nested:
  deep: value
__proto__: bad
---
# The *first* heading #

Some text
in two lines.

Setext heading
--------------

- an item
  \`\`\`
  # no heading

  in a list
  \`\`\`

| a | b |
|---|:-:|
| 1 | \`x\` |

\`\`\`\`js
# not a heading

\`\`\`
still code
\`\`\`\`
***
Last [guide](https://example.com).`
