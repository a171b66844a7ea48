/** The landing page's only script. The page is complete without it: its buttons are forms that lead to /login. */
import { startDialogHistory } from './kernel/dialog-history.ts'
import { session } from './kernel/session.ts'

function openApp() {
  document.documentElement.dataset.app = ''
  // The app's own document says what is the matter, should it not load there either.
  import('./main.tsx').catch(() => location.assign('/dashboard'))
}
const loginPart = () => import('./landing/login.tsx')

async function openLogin(form: HTMLFormElement, button: HTMLElement) {
  button.ariaBusy = 'true'
  // Should the dialog not load, the login page may: it offers "Try again".
  await loginPart().then(
    ({ showLogin }) => showLogin(),
    () => form.submit(),
  )
  button.ariaBusy = null
}

function listen() {
  startDialogHistory()
  session.watch(openApp)
  for (const form of document.querySelectorAll<HTMLFormElement>('form[action="/login"]')) {
    const button = form.querySelector('button')!
    const getReady = () => void loginPart().catch(() => {})
    button.addEventListener('pointerenter', getReady)
    button.addEventListener('focus', getReady)
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      void openLogin(form, button)
    })
  }
}

if ('Capacitor' in window) void import('./kernel/native.ts').then(({ startNative }) => startNative())
if (document.documentElement.dataset.app === undefined) listen()
else openApp()
