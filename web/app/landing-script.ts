/** The landing page's only script. The page is complete without it: its buttons are forms that lead to /login. */
import { startDialogHistory } from '../lib/dialog-history.ts'
import { session } from '../lib/session.ts'

const LOAD_TIMEOUT_MS = 120_000

/** Defined in the document's head (head.html): says that the app could not be loaded. */
declare const giveUp: () => void

function openApp() {
  document.documentElement.dataset.app = ''
  setTimeout(giveUp, LOAD_TIMEOUT_MS)
  // The app's own document says what is the matter, should it not load there either.
  import('./main.tsx').catch(() => location.assign('/dashboard'))
}
const loginPart = () => import('../landing/login.tsx')

/** The login dialog's code, or a rejection when it fails or does not come in time. */
const loginInTime = () =>
  new Promise<Awaited<ReturnType<typeof loginPart>>>((resolve, reject) => {
    setTimeout(reject, LOAD_TIMEOUT_MS)
    loginPart().then(resolve, reject)
  })

async function openLogin(form: HTMLFormElement) {
  const [button, status, failure] = form.children as unknown as [HTMLElement, HTMLElement, HTMLElement]
  if (button.ariaBusy) return
  if (!failure.hidden && navigator.onLine) {
    // A browser remembers a failed import, so only a new document can ask for it again. It opens the dialog by itself.
    history.replaceState(history.state, '', `#${form.id}`)
    location.reload()
    return
  }
  failure.hidden = true
  button.ariaBusy = 'true'
  status.textContent = 'Loading...'
  await loginInTime().then(
    ({ showLogin }) => showLogin(),
    () => {
      failure.hidden = false
    },
  )
  button.ariaBusy = null
  status.textContent = ''
}

function listen() {
  startDialogHistory()
  session.subscribe(openApp)
  for (const form of document.querySelectorAll<HTMLFormElement>('form[action="/login"]')) {
    const button = form.querySelector('button')!
    const getReady = () => void loginPart().catch(() => {})
    button.addEventListener('pointerenter', getReady)
    button.addEventListener('focus', getReady)
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      void openLogin(form)
    })
    if (location.hash === `#${form.id}`) {
      history.replaceState(history.state, '', '/')
      button.focus()
      form.requestSubmit()
    }
  }
}

if ('Capacitor' in window) void import('../lib/native.ts').then(({ startNative }) => startNative())
if (document.documentElement.dataset.app === undefined) listen()
else openApp()
