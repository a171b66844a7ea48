/** What is written to a phone and not sent, while the page lives and when its session ends: the reply box goes with its conversation. */
import { useCallback, useSyncExternalStore } from 'react'
import { drafts } from '../lib/drafts.ts'
import { session } from '../lib/session.ts'

const DRAFT = 'replies'
const draftTexts = new Map<string, string>()
const listeners = new Set<() => void>()

function write(phone: string, text: string) {
  if (text === '') draftTexts.delete(phone)
  else draftTexts.set(phone, text)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

// Registered before what clears the replies: the drafts of an ended session are stored first (lib/drafts.ts).
drafts.register(() =>
  draftTexts.size > 0
    ? { dialog: DRAFT, subject: '', values: Object.fromEntries(draftTexts) }
    : undefined,
)
session.subscribe(() => {
  if (!session.token()) draftTexts.clear()
})

/** What was written when the session ended. Called once somebody is signed in, when the conversations are shown. */
export function restoreReplies() {
  for (const [phone, text] of Object.entries(drafts.take(DRAFT, '') ?? {}))
    if (!draftTexts.has(phone)) draftTexts.set(phone, String(text))
}

/** The draftTexts reply to a phone. `clearSent` empties it once its words are sent, unless more was written meanwhile. */
export function useReplyDraft(phone: string) {
  const text = useSyncExternalStore(subscribe, () => draftTexts.get(phone) ?? '')
  return {
    text,
    setText: useCallback((next: string) => write(phone, next), [phone]),
    clearSent: (sentText: string) => {
      if (draftTexts.get(phone) === sentText) write(phone, '')
    },
  }
}
