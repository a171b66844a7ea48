/** Unsent forms are kept in this tab when the session expires. Passwords and tokens never are. */
import { useEffect, useEffectEvent } from 'react'
import {
  loadDrafts as load,
  storeDrafts as store,
  type Draft,
  type StoredDraft,
} from './draft-storage.ts'
import { session } from './session.ts'

type ReadForm = () => Draft | undefined

/** Each form with its page, because a form that closes may already be on the next page. */
const forms = new Map<ReadForm, string>()
let owner = ''

const findDraft = (dialog: string) =>
  load().find(
    (draft) => draft.dialog === dialog && draft.owner === owner && draft.page === location.pathname,
  )

const withoutSecrets = (values: Draft['values']) =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !/password|token/.test(name)))

function storeOpenForms() {
  const openDrafts = [...forms].flatMap(([read, page]) => {
    const draft = read()
    return draft ? [{ ...draft, page }] : []
  })
  if (openDrafts.length === 0) return
  const isReplaced = (draft: StoredDraft) =>
    openDrafts.some(({ dialog }) => dialog === draft.dialog)
  store([
    ...load().filter((draft) => !isReplaced(draft)),
    ...openDrafts.map((draft) => ({
      ...draft,
      values: withoutSecrets(draft.values),
      owner,
    })),
  ])
}

export const drafts = {
  /** `read` returns what was typed, or undefined. Returns a function that unregisters the form. */
  register: (read: ReadForm) => {
    forms.set(read, location.pathname)
    return () => void forms.delete(read)
  },
  setOwner: (account: string) => {
    owner = account
    if (load().some((draft) => draft.owner !== account))
      store(load().filter((draft) => draft.owner === account))
  },
  subjectOf: (dialog: string): string | undefined => findDraft(dialog)?.subject,
  take: (dialog: string, subject: string): Draft['values'] | undefined => {
    const draft = findDraft(dialog)
    if (draft?.subject !== subject) return undefined
    store(load().filter((candidate) => candidate.dialog !== dialog))
    return draft.values
  },
  storeOpenForms,
  clear: () => store([]),
}

session.subscribe(() => {
  if (session.hasExpired()) storeOpenForms()
})

type Form<V> = { values: V; isDirty: () => boolean; setValues: (values: V) => void }

export function useDraft<V extends Record<string, unknown>>(
  dialog: string,
  form: Form<V>,
  subject = '',
) {
  const read = useEffectEvent(() =>
    form.isDirty() ? { dialog, subject, values: form.values } : undefined,
  )
  const restore = useEffectEvent(() => {
    const draftValues = drafts.take(dialog, subject)
    if (draftValues) form.setValues({ ...form.values, ...draftValues })
  })
  useEffect(() => {
    restore()
    return drafts.register(() => read())
  }, [])
}
