/** The only script of the landing page and the login page. It starts the app after a login. */
import type { EndReason } from '@tatami/contract/accounts/accounts'
import { startLogin } from '../landing/login.ts'
import { hasDrafts } from '../lib/draft-storage.ts'
import { addDialogEntry, startDialogHistory } from '../lib/dialog-history.ts'
import { focusFirst, keepAboveKeyboard } from '../lib/modal.ts'
import { session } from '../lib/session.ts'
import { findElement } from '../lib/find-element.ts'

const LOAD_TIMEOUT_MS = 120_000

/** Defined in head.html: says that the app could not be loaded. */
declare const giveUp: () => void
/** Defined in head.html: makes the app's first calls while its scripts load. */
declare const startPrefetch: (token: string) => void

const isSignedIn = document.documentElement.dataset.app !== undefined

function openApp() {
  document.documentElement.dataset.app = ''
  setTimeout(giveUp, LOAD_TIMEOUT_MS)
  // A reloaded document asks for the app by the current names of its parts.
  import('./main.tsx')
    .then(({ startApp }) => startApp())
    .catch(() => (isSignedIn ? giveUp() : location.reload()))
}

const WHY_ENDED: Record<string, string> = {
  'signed-out': 'You were logged out here from another device.',
  'password-changed': 'Your password was changed, which logs you out here.',
  'password-reset': 'The admin team set a new password for you.',
  'profile-changed': 'Your settings were changed, which logs you out here.',
} satisfies Record<EndReason, string>

function saySessionEnded(notice: HTMLElement) {
  if (!hasDrafts() && !session.hasExpired()) return
  const why = WHY_ENDED[session.endReason()]
  const words = hasDrafts()
    ? 'Your session has ended. Log in again; what you typed is kept.'
    : 'Your session has ended. Log in again.'
  findElement('span', notice).textContent = why
    ? words.replace('Your session has ended.', why)
    : words
  notice.hidden = false
}

function openLoginDialog(dialog: HTMLDialogElement) {
  dialog.showModal()
  focusFirst(dialog)
  const stopFitting = keepAboveKeyboard(dialog)
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
      stopFitting()
      removeEntry()
    },
    { once: true },
  )
}

function listen() {
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
  if (notice) saySessionEnded(notice)
  startLogin()
  for (const form of document.querySelectorAll<HTMLFormElement>('form[action="/login"]'))
    form.addEventListener('submit', (event) => {
      if (!dialog) return
      event.preventDefault()
      openLoginDialog(dialog)
    })
  // The login form reloaded the document to open one of its dialogs (landing/login.ts).
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
else listen()
