/** What an instructor decided about a request to stop texts. */
export const DECISION_LABELS = { ended: 'Texting stopped', kept: 'Texting continues' } as const
