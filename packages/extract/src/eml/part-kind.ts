import type { MimeNode } from '@zone-eu/mailsplit'

const notProse = /^text\/(?:css|rtf|richtext|enriched|(?:x-)?vcard|xml)$/
/** Many programs mark invitations as attachments. */
export const calendarTypes = /^(?:text\/(?:x-v)?calendar|application\/ics)$/
const statusTypes = /^message\/(?:delivery-status|disposition-notification|feedback-report|rfc822-headers)$/
/** Without content of their own. */
const controlTypes = /^application\/(?:pgp-signature|(?:x-)?pkcs7-signature|pgp-encrypted)$/
const cms = /^application\/(?:x-)?pkcs7-mime$/

export type PartKind = 'multipart' | 'message' | 'text' | 'control' | 'encrypted' | 'attachment'

/** An S/MIME part is encrypted unless it says that it is only signed or compressed. */
const isEncrypted = ({ contentType, headers }: MimeNode): boolean => {
  if (contentType === 'multipart/encrypted') return true
  if (!cms.test(contentType || '') || !headers) return false
  return !/smime-type\s*=\s*"?(?:signed-data|certs-only|compressed-data)/i.test(headers.getFirst('content-type'))
}

export const kindOf = (node: MimeNode): PartKind => {
  const { parentNode, headers } = node
  // A type without a slash is invalid. Parts of a digest are messages by default.
  const isDigest = parentNode && parentNode.multipart === 'digest' && headers && !headers.hasHeader('content-type')
  const stated = node.contentType || ''
  const type = isDigest ? 'message/rfc822' : stated.includes('/') ? stated : 'text/plain'
  if (isEncrypted(node)) return 'encrypted'
  if (node.multipart) return 'multipart'
  if (type === 'message/rfc822' || type === 'message/global') return 'message'
  if (controlTypes.test(type)) return 'control'
  if (calendarTypes.test(type)) return 'text'
  const isText = (type.startsWith('text/') && !notProse.test(type)) || statusTypes.test(type)
  return isText && node.disposition !== 'attachment' ? 'text' : 'attachment'
}

const maxNameUnits = 200

export const notReadMessage = (filename: string | false, contentType: string | false): string => {
  const type = (contentType || 'unknown').slice(0, maxNameUnits)
  if (!filename) return `An attachment of the type ${type} was not read.`
  return `Attachment "${filename.slice(0, maxNameUnits).toWellFormed()}" (${type}) was not read.`
}
