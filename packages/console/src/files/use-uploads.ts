import { useState } from 'preact/hooks'
import { useInvalidate } from '../queries.ts'
import { useSession } from '../session.ts'
import { uploadFile } from '../upload-file.ts'
import { sendFiles, type Upload } from './uploads.ts'

export const useUploads = (namespace: string) => {
  const { apiKey } = useSession()
  const invalidate = useInvalidate()
  const [uploads, setUploads] = useState<readonly Upload[]>([])
  const send = async (file: File, onProgress: (sent: number) => void) => {
    await uploadFile(apiKey, namespace, file, onProgress)
    // Wait: the upload keeps its row until the list has the file.
    await invalidate(['file', namespace, file.name], ['files', namespace])
  }
  return { uploads, upload: (files: readonly File[]) => void sendFiles(files, { send, setUploads }) }
}
export type Uploads = ReturnType<typeof useUploads>
