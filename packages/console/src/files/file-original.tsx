import { useMutation } from '@tanstack/preact-query'
import { Button, Problem } from '../parts.tsx'
import { useApi } from '../session.ts'

/** Saves the original by a URL that needs no key. */
export const DownloadOriginal = ({ namespace, name }: { readonly namespace: string; readonly name: string }) => {
  const api = useApi()
  const download = useMutation({
    mutationFn: () => api.files.downloadUrl(namespace, name),
    onSuccess: ({ download_url }) => {
      const link = document.createElement('a')
      // Only the path: behind a proxy, the server may not know the address of this page.
      link.href = new URL(download_url).pathname
      link.download = ''
      link.click()
    },
  })
  return (
    <>
      <Button label="Download original" disabled={download.isPending} onClick={() => download.mutate()} />
      {download.error ? <Problem error={download.error} /> : null}
    </>
  )
}
