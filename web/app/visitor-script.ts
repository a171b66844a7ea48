/** The only script of the landing page and of the login page. It starts the app as soon as somebody is signed in. */
import type { EndReason } from '@tatami/contract/accounts'
import { startLogin } from '../landing/login.ts'
import { openLoginDialog } from '../landing/login-dialog.ts'
import { hasDrafts } from '../lib/draft-storage.ts'
import { startDialogHistory } from '../lib/dialog-history.ts'
import { session } from '../lib/session.ts'

const LOAD_TIMEOUT_MS = 120_000

/** Defined in the document's head (head.html): says that the app could not be loaded. */
declare const giveUp: () => void
/** Fetches the app's first answers while its scripts load. */
declare const startPrefetch: (token: string) => void

const isSignedIn = document.documentElement.dataset.app !== undefined

function openApp() {
  document.documentElement.dataset.app = ''
  setTimeout(giveUp, LOAD_TIMEOUT_MS)
  // A new document asks for the app again, by the names that its parts have by now.
  import('./main.tsx')
    .then(({ startApp }) => startApp())
    .catch(() => (isSignedIn ? giveUp() : location.reload()))
}

function openAppWith(token: string | null) {
  if (token === null) return
  startPrefetch(token)
  openApp()
}

/** By the reason that the server gives; otherwise it has ended by itself. */
const WHY_ENDED: Record<string, string> = {
  'signed-out': 'You were signed out here from another device.',
  'password-changed': 'Your password was changed, which signs you out here.',
  'password-reset': 'The admin team has set a new password for you.',
  'profile-changed': 'Your settings were changed, which signs you out here.',
} satisfies Record<EndReason, string>

/** Says why the session has ended, and whether drafts are kept. */
function saySessionEnded(notice: HTMLElement) {
  if (!hasDrafts() && !session.hasExpired()) return
  const why = WHY_ENDED[session.endReason()]
  const words = hasDrafts()
    ? 'Your session has ended. Sign in again; what you typed is kept.'
    : 'Your session has ended. Sign in again.'
  notice.querySelector('span')!.textContent = why
    ? words.replace('Your session has ended.', why)
    : words
  notice.hidden = false
}

function listen() {
  startDialogHistory()
  session.subscribe(() => openAppWith(session.token()))
  const notice = document.getElementById('session-ended')
  const dialog = document.querySelector('dialog')
  if (notice) saySessionEnded(notice)
  startLogin(() => dialog?.close())
  for (const form of document.querySelectorAll<HTMLFormElement>('form[action="/login"]'))
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      openLoginDialog(dialog!)
    })
  // The login asked for a new document to open one of its dialogs (landing/login.ts).
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
