/** `subject` is the id of the student that the dialog is about, or '' if it is about no student. */
export type Draft = { dialog: string; subject: string; values: Record<string, unknown> }
export type StoredDraft = Draft & { owner: string; page: string }

const DRAFTS_KEY = 'drafts'

export const loadDrafts = () =>
  JSON.parse(sessionStorage.getItem(DRAFTS_KEY) ?? '[]') as StoredDraft[]
export const storeDrafts = (drafts: StoredDraft[]) =>
  drafts.length > 0
    ? sessionStorage.setItem(DRAFTS_KEY, JSON.stringify(drafts))
    : sessionStorage.removeItem(DRAFTS_KEY)
/** Ignores the drafts of visitors, who have no session that could end. */
export const hasDrafts = () => loadDrafts().some(({ owner }) => owner !== '')
