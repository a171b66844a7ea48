/** What stands in open forms when the session ends, kept in this tab until the same account has signed in again. Never passwords. */
import { session } from './session.ts'

type Draft = { dialog: string; subject: string; values: Record<string, unknown> }
type Kept = Draft & { owner: string; page: string }

const KEY = 'drafts'
const forms = new Set<() => Draft | undefined>()
let owner = ''

const kept = () => JSON.parse(sessionStorage.getItem(KEY) ?? '[]') as Kept[]
const keep = (all: Kept[]) => (all.length > 0 ? sessionStorage.setItem(KEY, JSON.stringify(all)) : sessionStorage.removeItem(KEY))
const find = (dialog: string) =>
  kept().find((draft) => draft.dialog === dialog && draft.owner === owner && draft.page === location.pathname)

const withoutPasswords = (values: Draft['values']) =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !name.includes('password')))

function save() {
  const unsent = [...forms].flatMap((read) => read() ?? [])
  const page = location.pathname
  if (unsent.length > 0) keep(unsent.map((draft) => ({ ...draft, values: withoutPasswords(draft.values), owner, page })))
}

export const drafts = {
  /** `read` gives what stands in an open form; nothing while it is as it was opened. */
  watch: (read: () => Draft | undefined) => {
    forms.add(read)
    return () => void forms.delete(read)
  },
  /** The account that is signed in: what another one typed is not for it. */
  belongTo: (account: string) => {
    owner = account
    if (kept().some((draft) => draft.owner !== account)) keep(kept().filter((draft) => draft.owner === account))
  },
  isEmpty: () => kept().length === 0,
  /** What the dialog of this page was opened for when the session ended: a student's id, or '' where there is but one. */
  subjectOf: (dialog: string): string | undefined => find(dialog)?.subject,
  /** What was typed in the dialog. It is kept no longer. */
  take: (dialog: string, subject: string): Draft['values'] | undefined => {
    const draft = find(dialog)
    if (draft?.subject !== subject) return undefined
    keep(kept().filter((one) => one.dialog !== dialog))
    return draft.values
  },
  clear: () => keep([]),
}

session.watch(() => {
  if (session.hasEnded()) save()
})
