import { useEffect, useEffectEvent } from 'react'
import { drafts } from './drafts.ts'

type Form<V> = { values: V; isDirty: () => boolean; setValues: (values: V) => void }

/** Keeps what stands in a form when the session ends, and brings it back. `subject` is what the dialog was opened for. */
export function useDraft<V extends Record<string, unknown>>(dialog: string, form: Form<V>, subject = '') {
  const read = useEffectEvent(() => (form.isDirty() ? { dialog, subject, values: form.values } : undefined))
  const restore = useEffectEvent(() => {
    const typed = drafts.take(dialog, subject)
    if (typed) form.setValues({ ...form.values, ...typed })
  })
  useEffect(() => {
    restore()
    return drafts.watch(() => read())
  }, [])
}
