import type { EndReason } from '@tatami/contract/accounts/accounts'
import { startLogin } from '../landing/login.ts'
import { hasDrafts } from '../lib/draft-storage.ts'
import { addDialogEntry, startDialogHistory } from '../lib/dialog-history.ts'
import { focusFirst, keepAboveKeyboard } from '../lib/modal.ts'
import { session } from '../lib/session.ts'
import { findElement } from '../lib/find-element.ts'

const LOAD_TIMEOUT_MS = 120_000

// Both are defined in head.html. `giveUp` replaces the loading screen with an error message.
declare const giveUp: () => void
declare const startPrefetch: (token: string) => void

const isSignedIn = document.documentElement.dataset.app !== undefined

function openApp() {
  document.documentElement.dataset.app = ''
  setTimeout(giveUp, LOAD_TIMEOUT_MS)
  // A new version of the app has other file names. Reloading the document finds them.
  import('./main.tsx')
    .then(({ startApp }) => startApp())
    .catch(() => (isSignedIn ? giveUp() : location.reload()))
}

const END_REASON_MESSAGES: Record<string, string> = {
  'signed-out': 'You were logged out here from another device.',
  'password-changed': 'Your password was changed, which logs you out here.',
  'password-reset': 'The admin team set a new password for you.',
  'profile-changed': 'Your settings were changed, which logs you out here.',
  'staff-ended': 'You are no longer on the staff.',
} satisfies Record<EndReason, string>

function showSessionEnded(notice: HTMLElement) {
  if (!hasDrafts() && !session.hasExpired()) return
  const message = hasDrafts()
    ? 'Your session has ended. Log in again; what you typed is kept.'
    : 'Your session has ended. Log in again.'
  const reason = END_REASON_MESSAGES[session.endReason()]
  findElement('span', notice).textContent = reason
    ? message.replace('Your session has ended.', reason)
    : message
  notice.hidden = false
}

function openLoginDialog(dialog: HTMLDialogElement) {
  dialog.showModal()
  focusFirst(dialog)
  const stopResizing = keepAboveKeyboard(dialog)
  const removeEntry = addDialogEntry(() => {
    dialog.close()
    return true
  })
  const closeFromBackdrop = (event: MouseEvent) => event.target === dialog && dialog.close()
  dialog.addEventListener('mousedown', closeFromBackdrop)
  dialog.addEventListener(
    'close',
    () => {
      dialog.removeEventListener('mousedown', closeFromBackdrop)
      stopResizing()
      removeEntry()
    },
    { once: true },
  )
}

function startVisitorPage() {
  startDialogHistory()
  const notice = document.getElementById('session-ended')
  const dialog = document.querySelector('dialog')
  session.subscribe(() => {
    const token = session.token()
    if (token === null) return
    dialog?.close()
    startPrefetch(token)
    openApp()
  })
  if (notice) showSessionEnded(notice)
  startLogin()
  for (const form of document.querySelectorAll<HTMLFormElement>('form[action="/login"]'))
    form.addEventListener('submit', (event) => {
      if (!dialog) return
      event.preventDefault()
      openLoginDialog(dialog)
    })
  // The login form may have reloaded the document to open one of its dialogs (landing/login.ts).
  const link = document
    .getElementById(location.hash.slice(1))
    ?.closest<HTMLElement>('[data-login] .link')
  if (!link) return
  history.replaceState(history.state, '', location.pathname)
  if (dialog) openLoginDialog(dialog)
  link.click()
}

if ('Capacitor' in window) void import('../lib/native.ts').then(({ startNative }) => startNative())
if (isSignedIn) openApp()
else startVisitorPage()
