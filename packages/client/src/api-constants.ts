// Written by `npm run openapi`; do not edit.

export const limits = {
  "idsPerGet": 100,
  "idsPerDelete": 1000,
  "fileNamesPerDelete": 1000,
  "filesPerPage": 500,
  "directFileBytes": 10485760,
  "partNumber": 10000,
  "namespaceNameLength": 128,
  "topK": 100,
  "namespacesPerSearch": 100
} as const

export const fileExtensions = [
  ".pdf",
  ".docx",
  ".xlsx",
  ".json",
  ".txt",
  ".csv",
  ".md",
  ".html",
  ".htm",
  ".pptx",
  ".eml",
  ".epub",
  ".png",
  ".jpg",
  ".jpeg",
  ".tiff",
  ".tif",
  ".webp"
] as const

export const languages = [
  "ar",
  "ca",
  "cs",
  "da",
  "de",
  "en",
  "es",
  "eu",
  "fi",
  "fr",
  "ga",
  "hu",
  "hy",
  "it",
  "nl",
  "no",
  "pt",
  "ro",
  "ru",
  "sl",
  "sv",
  "ta",
  "tr",
  "none"
] as const

export const multilingualModel = "multilingual-e5-small" as const
