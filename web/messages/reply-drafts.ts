import { useCallback, useSyncExternalStore } from 'react'
import { drafts } from '../lib/drafts.ts'
import { session } from '../lib/session.ts'

const DRAFT_KEY = 'replies'
const draftTexts = new Map<string, string>()
const listeners = new Set<() => void>()

function setDraft(phone: string, text: string) {
  if (text === '') draftTexts.delete(phone)
  else draftTexts.set(phone, text)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

// Must be registered before the replies are cleared below (lib/drafts.ts).
drafts.register(() =>
  draftTexts.size > 0
    ? { dialog: DRAFT_KEY, subject: '', values: Object.fromEntries(draftTexts) }
    : undefined,
)
session.subscribe(() => {
  if (!session.token()) draftTexts.clear()
})

export function restoreReplies() {
  for (const [phone, text] of Object.entries(drafts.take(DRAFT_KEY, '') ?? {}))
    if (!draftTexts.has(phone)) draftTexts.set(phone, String(text))
}

/** `clearSent` clears the draft unless the user has changed it while the reply was being sent. */
export function useReplyDraft(phone: string) {
  const text = useSyncExternalStore(subscribe, () => draftTexts.get(phone) ?? '')
  return {
    text,
    setText: useCallback((newText: string) => setDraft(phone, newText), [phone]),
    clearSent: (sentText: string) => {
      if (draftTexts.get(phone) === sentText) setDraft(phone, '')
    },
  }
}
