const kinds = {
  picture: ['picture without a description', 'pictures without a description'],
  chart: ['chart', 'charts'],
  object: ['embedded object', 'embedded objects'],
  import: ['imported document (altChunk)', 'imported documents (altChunk)'],
  subdocument: ['subdocument', 'subdocuments'],
  ink: ['drawing in ink', 'drawings in ink'],
  diagram: ['diagram', 'diagrams'],
  equation: ['equation field', 'equation fields'],
  control: ['form control', 'form controls'],
  media: ['video or sound', 'videos or sounds'],
  furniture: ['header or footer', 'headers or footers'],
} as const
export type NotReadKind = keyof typeof kinds

export const notReadCounter = () => {
  const counts = new Map<NotReadKind, number>()
  return {
    add(kind: NotReadKind): void {
      counts.set(kind, (counts.get(kind) ?? 0) + 1)
    },
    messages: (): string[] =>
      Array.from(
        counts,
        ([kind, count]) => `${count} ${kinds[kind][count === 1 ? 0 : 1]} ${count === 1 ? 'was' : 'were'} not read.`,
      ),
  }
}
export type NotReadCounter = ReturnType<typeof notReadCounter>
