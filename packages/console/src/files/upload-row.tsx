import { Badge, Code, Problem } from '../parts.tsx'
import { ElsewhereError } from '../upload-file.ts'
import { type Upload, uploadCommands } from './uploads.ts'

export const UploadRow = ({ namespace, upload }: { readonly namespace: string; readonly upload: Upload }) => (
  <li class="file">
    <div class="file-line">
      <span class="file-name breakable">{upload.name}</span>
      <Badge tone={upload.error ? 'bad' : 'busy'}>
        {upload.error ? 'upload failed' : `uploading, ${Math.round(upload.sent * 100)} %`}
      </Badge>
    </div>
    {upload.error ? (
      <Problem error={upload.error} />
    ) : (
      <progress class="file-progress" value={upload.sent} aria-label={`Upload of ${upload.name}`} />
    )}
    {upload.error instanceof ElsewhereError ? (
      <Code label="Upload with curl" text={uploadCommands(location.origin, namespace, upload.name)} />
    ) : null}
  </li>
)
