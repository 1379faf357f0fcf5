/**
 * Strings that the extracted text of a file must and must not contain; the texts of its blocks are joined with line
 * breaks.
 */
export type Expected = {
  readonly has: readonly string[]
  readonly not?: readonly string[]
  /** Codes that must be among those of the file's notes. */
  readonly notes?: readonly string[]
}

/**
 * Expected text of files from other projects, by path below the cases folder. The strings are what the usual program
 * for the file type displays.
 */
export const expected: Readonly<Record<string, Expected>> = {
  'real/docx/docling__docx_list_resumed_numbering.docx': { has: ['2. Second ordered item', '3. Third ordered item'] },
  'real/docx/docling__omml_func_log.docx': { has: ['y = log(x)'] },
  'real/docx/docling__omml_multi_equation_paragraph.docx': { has: ['a=b c=d e=f'] },
  'real/docx/docling__table_with_equations.docx': { has: ['| The next cell has an equation | A=πr^2 |', 'b^2-4ac'] },
  'real/docx/docling__tablecell.docx': { has: ['Hello world1', '| A | B | C |'], not: ['Hello2Some'] },
  'real/docx/markitdown__equations.docx': { has: ['For m=1,', 'sin θ=mλ/a', 'The angle is θ=sin^(-1)', '=1.41.'] },
  'real/docx/pandoc__anchor_header_after_anchor.docx': { has: ['Referenced title', 'Header: [Tapez ici]'] },
  'real/docx/pandoc__comments_warning.docx': { has: ['Comment by Jesse Rosenthal', 'Here is a table:'] },
  'real/docx/pandoc__drop_cap.docx': { has: ['Drop cap.', 'Drop cap in margin.'], not: ['\nrop cap'] },
  'real/docx/pandoc__german_styled_lists.docx': {
    has: ['- Second level of the list.', 'Footer: Dieses Dokument zeigt'],
    notes: ['content_not_read'],
  },
  'real/docx/pandoc__lists_continuing.docx': { has: ['3. Baz', '4. Bop'] },
  'real/docx/pandoc__numbered_header.docx': { has: ['1. A Numbered Header.'] },
  'real/docx/pandoc__task_list.docx': { has: ['☐ Unchecked', '☒ Checked', '☒ Checked sublist', '1. Numbered child'] },
  'real/docx/pandoc__track_changes_scrubbed_metadata.docx': { has: ['With a comment!'] },
  'real/docx/poi__55966.docx': { has: ['second control with a new', 'Content control that is the entire paragraph'] },
  'real/docx/poi__60316.docx': { has: ['Objective', 'Allison, Timothy B.', 'Footer:', 'Header:'] },
  'real/docx/poi__60329.docx': { has: ['Protocol No. (Document ID)', 'sitagliptin', 'Header: '] },
  'real/docx/poi__Bug54771a.docx': { has: ['Test Subtitle', 'Footer: Safeassign'] },
  'real/docx/poi__FancyFoot.docx': { has: ['HEADING TEXT', 'Footer: This is a fancy alphabet footer'] },
  'real/docx/poi__FldSimple.docx': { has: ['FldSimple.docx'] },
  'real/docx/poi__Numbering.docx': { has: ['a. Level2', '1.1. Level2', '1.1.1.   Level3', 'a) Level2', '3. Three'] },
  'real/docx/poi__PageSpecificHeadFoot.docx': {
    has: ['[ODD Page Header text]', '[This is an Even Page, with a Header]', 'Footer Middle'],
  },
  'real/docx/poi__SimpleHeadThreeColFoot.docx': { has: ['Header: I am some simple header text here', 'Footer Right'] },
  'real/docx/poi__ThreeColFoot.docx': { has: ['Footer: Footer Left'] },
  'real/docx/poi__ThreeColHead.docx': { has: ['Header: First header column!', 'Mid header'] },
  'real/docx/poi__ThreeColHeadFoot.docx': { has: ['First header column!', 'Footer Middle'] },
  'real/docx/poi__WordWithAttachments.docx': {
    has: ['Русский вариант', '| Table | … | 123 | 456 | 789 |', 'Луғат'],
    notes: ['content_not_read'],
  },
  'real/docx/poi__bug57031.docx': { has: ['Home Work # 13', 'Footer: '] },
  'real/docx/poi__bug59058.docx': { has: ['| 1975 | 105.1 | - | 31.4 |', 'Welten'] },
  'real/docx/poi__bug65738.docx': { has: ['Heading Level 3', 'Apache POI', 'Header: ', 'Footer: '] },
  'real/docx/poi__checkboxes.docx': { has: ['unchecked: ☐', 'Or checked: ☒', '☒☐☒'] },
  'real/docx/poi__drawing.docx': { has: ['МОНИТОРИНГ СМИ', 'Евразийское водное партнерство'] },
  'real/docx/poi__testComment.docx': { has: ['comment content'] },
  'real/docx/tika__testComment.docx': { has: ['Here is some text.', 'Here is a comment'] },
  'real/docx/tika__testWORD_diagramData.docx': { has: ['From here', 'To here', 'And then here.'] },
  'real/docx/tika__testWORD_no_format.docx': { has: ['that causes an exception', 'Administration och övervakning'] },
  'real/docx/tika__testWORD_numbered_list.docx': {
    has: ['ii) Level', 'iii) List', 'I. yet', '(1) baq', '6. six', '1. Within cell 1'],
  },
  'real/docx/tika__testWORD_phonetic.docx': { has: ['東京'] },
  'real/docx/tika__testWORD_template.docx': { has: ['James Hetfield', '867-5309', 'Footer: '] },
  'real/docx/tika__testWORD_various.docx': {
    has: ['Here is a text box', '2) Number bullet 2', 'ゾルゲと尾崎', 'Header: This is the header text.'],
  },
  'real/docx/unstr__contains-pictures.docx': { has: ['An inline picture', 'Header: '], notes: ['content_not_read'] },
  'real/docx/unstr__docx-hdrftr.docx': { has: ['Main document', 'First header para', 'Table cell1', 'cell1'] },
  'real/docx/unstr__docx-tables.docx': { has: ['| a | >b< | c |', 'A link example'], not: ['efg'] },
  'real/xlsx/docling__xlsx_05_table_with_title.xlsx': {
    has: ['Number of freshwater ducks per year', 'Year: 2019', 'Freshwater Ducks: 120'],
    not: ['Number of freshwater ducks per year: '],
  },
  'real/xlsx/docling__xlsx_09_section_label_header.xlsx': {
    has: ['Author: Arthur Conan Doyle', 'Genre: Non-fiction'],
    not: ['Reading List: '],
  },
  'real/xlsx/docling__xlsx_comments.xlsx': { has: ['Python is great', 'Saltwater Ducks: 80', 'Comment on'] },
  'real/xlsx/markitdown__xlsx_complex_layout.xlsx': {
    has: ['Month: Jan', 'Sales: 1000', 'New Customers: 250'],
    not: ['Annual Report 2024: '],
  },
  'real/xlsx/markitdown__xlsx_image_end.xlsx': {
    has: ['Total Revenue: $500,000', 'Signature:'],
    notes: ['content_not_read'],
  },
  'real/xlsx/poi__45540_classic_Header.xlsx': {
    has: ['Seeking Employment', 'Region: Africa\nPercent of Hires: 0.2%', 'Median Monthly Salary(2): Insufficient(2)'],
    not: ['Graduate School of Business: ', 'Job Source - Intern: ', 'Percent: of Hires'],
  },
  'real/xlsx/poi__51850.xlsx': { has: ['Foo: Baz', "Comment on B1 (Bob): Bob's my best friend"] },
  'real/xlsx/poi__57828.xlsx': { has: ['forgotten', 'TestComment1', 'TestComment2'] },
  'real/xlsx/poi__59388.xlsx': { has: ['a1 | d1', 'Visible comment at A1', 'Invisible comment at D1'] },
  'real/xlsx/poi__AverageTaxRates.xlsx': { has: ['FULL RATE PRSI: SINGLE', '1997: 23.0%', '2006: 0.0%'] },
  'real/xlsx/poi__SimpleWithComments.xlsx': { has: ['1 | one', 'Comment on B3 (three)', 'third cell'] },
  'real/xlsx/tika__testEXCEL.xlsx': { has: ['Number: 5\nSquare: 25'], not: ['Numbers and their Squares: '] },
  'real/xlsx/tika__testEXCEL_big_numbers.xlsx': { has: ['123456789012345 | 123456789012346', '1234567890123451'] },
  'real/json/jts__y_string_with_del_character.json': { has: ['a a'] },
  'real/pdf/docling__ocr_test.pdf': {
    has: ['Docling bundles PDF document conversion to JSON and Markdown'],
    notes: [],
  },
  'real/pdf/docling__ocr_test_rotated_270.pdf': {
    has: ['Docling bundles PDF document conversion to JSON and Markdown in an easy self contained package'],
  },
  'real/pdf/docling__right_to_left_02.pdf': { has: ['فإن الحكومة المصرية تضع', 'السيد رئيس'], not: ['ﻓ'] },
  'real/pdf/docling__skipped_1page.pdf': {
    has: ['[그림 4-5] 8대 미래 유망 보안기술 도출', 'AI 기술을 활용해'],
    notes: ['text_unmapped'],
  },
  'real/pdf/markitdown__RECEIPT-2024-TXN-98765_retail_purchase.pdf': {
    has: ['USB-C Hub 7-in-1 Adapter\nwith HDMI & Ethernet\n', 'SUBTOTAL $863.91\n', 'Sales Tax (8.5%) $66.23\n'],
  },
  'real/pdf/markitdown__REPAIR-2022-INV-001_multipage.pdf': {
    has: ['| Insured name | Gabriel Diaz |', 'Preliminary Estimate (ID: EST-1008)', 'Body Labor'],
  },
  'real/pdf/markitdown__SPARSE-2024-INV-1234_borderless_table.pdf': {
    has: ['| SKU-8847 | A-12 | 450 |', '| SKU-9201 |  | 780 | 778 |', 'Total Variance Cost: $4,287.50'],
  },
  'real/pdf/markitdown__test.pdf': {
    has: ['Large language models (LLMs) are becoming a crucial building block in developing powerful agents that'],
  },
  'real/pdf/pdfjs__ArabicCIDTrueType.pdf': { has: ['انواع الخطوط العربية'] },
  'real/pdf/pdfjs__SimFang-variant.pdf': { has: ['全'] },
  'real/pdf/pdfjs__annotation-choice-widget.pdf': {
    has: ['Combo box: Dolor', 'List box, multiple selection: Ipsum, Amet'],
  },
  'real/pdf/pdfjs__annotation-freetext.pdf': { has: ['FreeText content'] },
  'real/pdf/pdfjs__annotation-text-without-popup.pdf': { has: ['Text content without Popup annotation'] },
  'real/pdf/pdfjs__annotation-tx.pdf': { has: ['Text2: tx annotation'] },
  'real/pdf/pdfjs__annotation-tx3.pdf': { has: ['Line4'] },
  'real/pdf/pdfjs__bug1027533.pdf': { has: ['RTWABIGP'] },
  'real/pdf/pdfjs__bug1918115.pdf': { has: ['Percent', 'Text4: 302,80'] },
  'real/pdf/pdfjs__form_two_pages.pdf': { has: ['Blank Page', '2'] },
  'real/pdf/pdfjs__freetexts.pdf': { has: ['Hello World from Acrobat'] },
  'real/pdf/pdfjs__issue10542_reduced.pdf': { has: ['Abc www.google.com test'] },
  'real/pdf/pdfjs__issue15759.pdf': { has: ['電磁振動器（ソレノイドを含む。）等を有さないときは'] },
  'real/pdf/pdfjs__issue20232.pdf': { has: ['Масштаб', '| Изм. | Лист |', 'Разраб.', 'Ç56'] },
  'real/pdf/pdfjs__issue4379.pdf': { has: ['Image Mask Example'] },
  'real/pdf/pdfjs__noembed-eucjp.pdf': { has: ['あいうえお'] },
  'real/pdf/pdfjs__noembed-identity-2.pdf': { has: ['あ'] },
  'real/pdf/pdfjs__poppler-67295-0.pdf': { has: ['TestString123'] },
  'real/pdf/pdfjs__poppler-91414-0-53.pdf': { has: ['foobar'] },
  'real/pdf/pdfjs__resetform.pdf': { has: ['☐ Check Box7', 'Dropdown12: A', 'List Box13: D'] },
  'real/pdf/pdfjs__vertical.pdf': { has: ['あいうえお日本語'] },
  'real/pdf/tika__testPDF_acroform3.pdf': { has: ['aTextField: TIKA-1226', '☒ aCheckBox', 'aListBox: listItemC'] },
  'real/pdf/tika__testPDF_bad_page_303226.pdf': {
    has: [
      'condition that the registrant keep records of such disposals',
      'is required to obtain registration annually',
    ],
  },
  'real/pdf/tika__testPDF_jpeg2000.pdf': { has: ['Terms and conditions of Loans secured by Mortgage Bonds'] },
  'real/pdf/unstr__embedded-images-tables.pdf': {
    has: ['| 2 | 1.9460 | 0.0596 | 0.8276 | 0.0002 | 121.440 | 1.5054 |'],
  },
  'real/pdf/unstr__fake-bold-sample.pdf': {
    has: ['BOLD TEXT SAMPLE', 'Testing Deduplication'],
    not: ['BBOOLLDD TTEEXXTT'],
  },
  'real/pdf/unstr__single_table.pdf': { has: ['96.20 (57.53)'] },
  'real/pdf/unstr__table-multi-row-column-cells.pdf': { has: ['Low Vision', '1716 sec, n=3', '1416 sec, n=3'] },
}
