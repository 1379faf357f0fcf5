/** For users. Codes may be added. */
export const fileNotes = {
  page_without_text: {
    meaning: 'A page has no text.',
    remedy: 'If it is a scan, retry with text recognition enabled and the right language.',
  },
  page_repeated: {
    meaning: 'A page has the text of one of the pages just before it and was not read again.',
    remedy: 'Usually none. If pages are missing, create the file again and upload it.',
  },
  page_unreadable: {
    meaning: 'A page, a sheet, or the form fields and comments of a page could not be read.',
    remedy: 'Open the file in the program that created it, save it again, and upload it.',
  },
  row_unreadable: {
    meaning: 'Rows or cells could not be read.',
    remedy: 'Correct the rows and upload the file again.',
  },
  value_cut: {
    meaning: 'A value was too long and was cut.',
    remedy: 'Split the value, or upload its text as a file of its own.',
  },
  encoding_guessed: {
    meaning: 'The encoding of the file is not certain.',
    remedy: 'If characters are wrong, retry with the right `encoding`.',
  },
  truncated: {
    meaning: 'The rest of the file was not read.',
    remedy: 'Split the file and upload its parts.',
  },
  ocr_unreadable: {
    meaning:
      'Text recognition recognized too little of a page, so its text was left out. The message has the languages that were tried.',
    remedy:
      'Retry with the right `languages`, which the operator adds to `CAIRN_OCR_LANGUAGES`, or scan the page again at 300 dpi.',
  },
  text_unmapped: {
    meaning: 'Fonts of the file do not say which characters they show, so text is missing.',
    remedy: 'Create the PDF again from its source, or print it to an image and upload that as a PDF.',
  },
  text_hidden: {
    meaning: 'The file has text that a reader of the page does not see. The message says whether it was kept.',
    remedy: 'Usually none. The operator chooses with `CAIRN_HIDDEN_TEXT` whether such text is kept.',
  },
  bytes_replaced: {
    meaning: 'Bytes that are invalid in the encoding of the file became U+FFFD.',
    remedy: 'Save the file as UTF-8 and upload it again, or retry with the right `encoding`.',
  },
  formula_without_value: {
    meaning: 'Cells have a formula whose result is not in the file.',
    remedy: 'Open the file in a spreadsheet program, save it again, and upload it.',
  },
  content_not_read: {
    meaning: 'A part of the file is not read, such as an embedded file, a picture or a chart.',
    remedy: 'Upload the part as a file of its own.',
  },
  read_by_ocr: {
    meaning: 'Text recognition read a page. The message has its confidence.',
    remedy: 'If words are wrong, retry with the right `languages`.',
  },
  chunks_refused: {
    meaning: 'The embedding model rejected chunks, which a search does not find.',
    remedy: 'Change their text and upload the file again, or upload it to a namespace with another model.',
  },
} as const satisfies Readonly<Record<string, { readonly meaning: string; readonly remedy: string }>>
