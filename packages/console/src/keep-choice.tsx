import { useState } from 'preact/hooks'
import { FormDialog } from './dialog.tsx'
import { Choice } from './form.tsx'
import { type Keep, keepKey, keptFor, useSession } from './session.ts'

const keeps: Readonly<Record<Keep, readonly [string, string]>> = {
  tab: ['In this tab only', 'Forgotten when the tab is closed'],
  device: [
    'On this device',
    'Every tab of this browser is signed in until you sign out. Only on a device of your own.',
  ],
}

type Props = { readonly keep: Keep; readonly onKeep: (keep: Keep) => void }
export const KeepChoice = ({ keep, onKeep }: Props) => (
  <Choice legend="Keep the API key" type="radio" options={keeps} chosen={[keep]} onChange={onKeep} />
)

export const KeepDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const { apiKey } = useSession()
  const [keep, setKeep] = useState(keptFor)
  const save = async () => {
    keepKey(apiKey, keep)
    onClose()
  }
  return (
    <FormDialog title="Your API key" action="Save" run={save} onClose={onClose}>
      <KeepChoice keep={keep} onKeep={setKeep} />
    </FormDialog>
  )
}
