import { accountCommands } from './accounts.ts'
import { addCommand } from './add.ts'
import type { Command, CommandGroup } from './command.ts'
import { completionCommand } from './completion.ts'
import { demoCommand } from './demo.ts'
import { edgeCommands } from './edge.ts'
import { evalCommand } from './eval.ts'
import { filesCommand, statusCommand } from './files.ts'
import { getCommand, removeCommand } from './items.ts'
import { keyCommands } from './keys.ts'
import { loginCommand, logoutCommand } from './login.ts'
import { mcpCommand } from './mcp.ts'
import { namespaceCommands } from './namespaces.ts'
import { openCommand } from './open.ts'
import { orphanCommands } from './orphans.ts'
import { readCommand } from './read.ts'
import { reextractCommand } from './reextract.ts'
import { reindexCommand } from './reindex.ts'
import { retryCommand } from './retry.ts'
import { askCommand, searchCommand } from './search.ts'
import { syncCommand } from './sync.ts'
import { usageCommand } from './usage.ts'

/** In the order of the help: commands for users first. */
export const commandGroups: readonly CommandGroup[] = [
  { title: 'Namespaces', commands: [...namespaceCommands, reindexCommand, reextractCommand] },
  {
    title: 'Content',
    commands: [
      addCommand,
      syncCommand,
      filesCommand,
      statusCommand,
      getCommand,
      removeCommand,
      retryCommand,
      readCommand,
    ],
  },
  { title: 'Search', commands: [searchCommand, askCommand, evalCommand] },
  {
    title: 'Server',
    commands: [
      loginCommand,
      logoutCommand,
      openCommand,
      usageCommand,
      mcpCommand,
      demoCommand,
      completionCommand(() => commands),
    ],
  },
  { title: 'Edge stores', commands: edgeCommands },
  {
    title: 'Operator, with the admin key',
    commands: [...accountCommands, ...keyCommands, ...orphanCommands],
  },
]

export const commands: readonly Command[] = commandGroups.flatMap((group) => group.commands)
