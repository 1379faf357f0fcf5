import { accountCommands } from './accounts.ts'
import type { Command } from './command.ts'
import { deadLetterCommands } from './dead-letters.ts'
import { demoCommand } from './demo.ts'
import { edgeCommands } from './edge.ts'
import { keyCommands } from './keys.ts'
import { orphanCommands } from './orphans.ts'
import { reindexCommand } from './reindex.ts'
import { usageCommand } from './usage.ts'

/** All commands, in the order of the help. */
export const commands: readonly Command[] = [
  ...accountCommands,
  ...keyCommands,
  usageCommand,
  ...deadLetterCommands,
  ...orphanCommands,
  reindexCommand,
  ...edgeCommands,
  demoCommand,
]
