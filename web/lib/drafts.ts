/** Unsent forms are kept in this tab when the session expires. Passwords and tokens are never kept. */
import { useEffect, useEffectEvent } from 'react'
import {
  loadDrafts as load,
  storeDrafts as store,
  type Draft,
  type StoredDraft,
} from './draft-storage.ts'
import { session } from './session.ts'

const forms = new Set<() => Draft | undefined>()
let owner = ''

const findDraft = (dialog: string) =>
  load().find(
    (draft) => draft.dialog === dialog && draft.owner === owner && draft.page === location.pathname,
  )

const withoutSecrets = (values: Draft['values']) =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !/password|token/.test(name)))

function storeOpenForms() {
  const openDrafts = [...forms].flatMap((read) => read() ?? [])
  const page = location.pathname
  if (openDrafts.length === 0) return
  const isReplaced = (draft: StoredDraft) =>
    openDrafts.some(({ dialog }) => dialog === draft.dialog)
  store([
    ...load().filter((draft) => !isReplaced(draft)),
    ...openDrafts.map((draft) => ({
      ...draft,
      values: withoutSecrets(draft.values),
      owner,
      page,
    })),
  ])
}

export const drafts = {
  /** `read` returns what was typed, or undefined. Returns a function that unregisters the form. */
  register: (read: () => Draft | undefined) => {
    forms.add(read)
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
