/** What a field keeps of what is typed; the caret stays where one types, where a field set anew would send it to the end. */
export function stripTyped({ currentTarget: field }: { currentTarget: HTMLInputElement }, keep: (typed: string) => string): string {
  const kept = keep(field.value)
  if (kept !== field.value) {
    const caret = keep(field.value.slice(0, field.selectionStart ?? undefined)).length
    field.value = kept
    field.setSelectionRange(caret, caret)
  }
  return kept
}
