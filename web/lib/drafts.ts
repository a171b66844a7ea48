/** Keeps unsent forms in this tab when the session expires, without passwords and tokens. */
import { useEffect, useEffectEvent } from 'react'
import { loadDrafts, storeDrafts, type Draft, type StoredDraft } from './draft-storage.ts'
import { session } from './session.ts'

type ReadForm = () => Draft | undefined

/** The path of the page on which each form opened. By the time a form closes, the browser may
 *  already be on the next page. */
const forms = new Map<ReadForm, string>()
let owner = ''

const findDraft = (dialog: string) =>
  loadDrafts().find(
    (draft) => draft.dialog === dialog && draft.owner === owner && draft.page === location.pathname,
  )

const withoutSecrets = (values: Draft['values']) =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !/password|token/.test(name)))

function storeOpenForms() {
  const openDrafts = [...forms].flatMap(([readForm, page]) => {
    const draft = readForm()
    return draft ? [{ ...draft, page }] : []
  })
  if (openDrafts.length === 0) return
  const isReplaced = (draft: StoredDraft) =>
    openDrafts.some(({ dialog }) => dialog === draft.dialog)
  storeDrafts([
    ...loadDrafts().filter((draft) => !isReplaced(draft)),
    ...openDrafts.map((draft) => ({
      ...draft,
      values: withoutSecrets(draft.values),
      owner,
    })),
  ])
}

export const drafts = {
  /** `readForm` returns undefined if nothing was typed. Returns a function that unregisters it. */
  register: (readForm: ReadForm) => {
    forms.set(readForm, location.pathname)
    return () => void forms.delete(readForm)
  },
  setOwner: (account: string) => {
    owner = account
    if (loadDrafts().some((draft) => draft.owner !== account))
      storeDrafts(loadDrafts().filter((draft) => draft.owner === account))
  },
  subjectOf: (dialog: string): string | undefined => findDraft(dialog)?.subject,
  take: (dialog: string, subject: string): Draft['values'] | undefined => {
    const draft = findDraft(dialog)
    if (draft?.subject !== subject) return undefined
    storeDrafts(loadDrafts().filter((storedDraft) => storedDraft.dialog !== dialog))
    return draft.values
  },
  storeOpenForms,
  clear: () => storeDrafts([]),
}

session.subscribe(() => {
  if (session.hasExpired()) storeOpenForms()
})

type Form<Values> = {
  values: Values
  isDirty: () => boolean
  setValues: (values: Values) => void
}

/** Restores the dialog's draft when it opens, and keeps what the user types as a draft. */
export function useDraft<Values extends Record<string, unknown>>(
  dialog: string,
  form: Form<Values>,
  subject = '',
) {
  const readForm = useEffectEvent(() =>
    form.isDirty() ? { dialog, subject, values: form.values } : undefined,
  )
  const restore = useEffectEvent(() => {
    const draftValues = drafts.take(dialog, subject)
    if (draftValues) form.setValues({ ...form.values, ...draftValues })
  })
  useEffect(() => {
    restore()
    return drafts.register(() => readForm())
  }, [])
}
