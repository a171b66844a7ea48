import {
  browserSupportsWebAuthnAutofill,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
} from '@simplewebauthn/browser'
import { signInApi } from '@tatami/contract/accounts/sign-in'
import { ApiError, call, errorMessage } from '../lib/api.ts'
import { rememberPasskey } from '../lib/passkeys.ts'
import { session } from '../lib/session.ts'

/** What a passkey signs is valid for five minutes, and an offer stands for as long as the page does. */
const RENEW_MS = 4 * 60_000
const UNAUTHORIZED_STATUS = 401

/** Asks the browser for a passkey and signs in with it. Rejects where none is used. */
async function signInByPasskey({ isAutofill = false } = {}): Promise<void> {
  const { options } = await call(signInApi.passkeySignInOptions)
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON
  const { clientExtensionResults: _, ...response } = await startAuthentication({
    optionsJSON,
    useBrowserAutofill: isAutofill,
  })
  const { token } = await call(signInApi.passkeySignIn, { body: { response } })
  rememberPasskey()
  session.start(token)
}

function sayFailure(form: HTMLFormElement, error: unknown) {
  const failure = form.querySelector<HTMLElement>('[role=alert]')!
  failure.querySelector('span')!.textContent = errorMessage(
    error,
    'No passkey was used. Try again, or log in with your password.',
  )
  failure.hidden = false
}

/** Signs in with a passkey, or says beside the form why not. */
export async function press(form: HTMLFormElement, button: HTMLButtonElement): Promise<void> {
  if (button.ariaDisabled !== null) return
  button.ariaDisabled = 'true'
  form.querySelector<HTMLElement>('[role=alert]')!.hidden = true
  try {
    await signInByPasskey()
  } catch (error) {
    sayFailure(form, error)
  }
  button.ariaDisabled = null
}

/** Has the browser offer its passkeys in the email field. */
export function offer(form: HTMLFormElement, button: HTMLButtonElement): void {
  form.querySelector('input')!.autocomplete = 'username webauthn'
  let askedAt = 0
  async function ask() {
    // A new offer would end what the button has begun.
    if (document.hidden || button.ariaDisabled !== null || Date.now() - askedAt < RENEW_MS) return
    askedAt = Date.now()
    try {
      if (await browserSupportsWebAuthnAutofill()) await signInByPasskey({ isAutofill: true })
    } catch (error) {
      // Nobody need choose one, and what fails otherwise is no news to whoever types a password.
      if (error instanceof ApiError && error.status === UNAUTHORIZED_STATUS) sayFailure(form, error)
    }
  }
  void ask()
  setInterval(() => void ask(), RENEW_MS)
  document.addEventListener('visibilitychange', () => void ask())
}
