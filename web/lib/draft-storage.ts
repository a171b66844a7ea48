/** `subject` is what the dialog was opened for: a student's id, or '' if there is only one. */
export type Draft = { dialog: string; subject: string; values: Record<string, unknown> }
export type StoredDraft = Draft & { owner: string; page: string }

const KEY = 'drafts'

export const loadDrafts = () => JSON.parse(sessionStorage.getItem(KEY) ?? '[]') as StoredDraft[]
export const storeDrafts = (drafts: StoredDraft[]) =>
  drafts.length > 0
    ? sessionStorage.setItem(KEY, JSON.stringify(drafts))
    : sessionStorage.removeItem(KEY)
/** Those of a visitor, who has no account, do not count: no session of theirs can end. */
export const hasDrafts = () => loadDrafts().some(({ owner }) => owner !== '')
