import {
  browserSupportsWebAuthnAutofill,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
} from '@simplewebauthn/browser'
import { signInApi } from '@tatami/contract/accounts/sign-in'
import { ApiError, call, errorMessage } from '../lib/api.ts'
import { findElement } from '../lib/find-element.ts'
import { rememberPasskey } from '../lib/passkeys.ts'
import { session } from '../lib/session.ts'

/** A challenge is valid for five minutes, but the page may stay open longer. */
const RENEW_MS = 4 * 60_000
const UNAUTHORIZED_STATUS = 401

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

function sayFailure(form: HTMLElement, error: unknown) {
  const failure = findElement('[role=alert]', form)
  findElement('span', failure).textContent = errorMessage(
    error,
    'No passkey was used. Try again or log in with your password.',
  )
  failure.hidden = false
}

export async function press(form: HTMLElement, button: HTMLElement): Promise<void> {
  if (button.ariaDisabled !== null) return
  button.ariaDisabled = 'true'
  findElement('[role=alert]', form).hidden = true
  try {
    await signInByPasskey()
  } catch (error) {
    sayFailure(form, error)
  }
  button.ariaDisabled = null
}

/** Lets the browser offer passkeys in the email field. */
export function offer(form: HTMLElement, button: HTMLElement): void {
  findElement('input', form).setAttribute('autocomplete', 'username webauthn')
  let askedAt = 0
  async function ask() {
    // A new offer would cancel the button's request.
    if (document.hidden || button.ariaDisabled !== null || Date.now() - askedAt < RENEW_MS) return
    askedAt = Date.now()
    try {
      if (await browserSupportsWebAuthnAutofill()) await signInByPasskey({ isAutofill: true })
    } catch (error) {
      // Ignoring the offer is fine, so only a refused passkey is worth a message.
      if (error instanceof ApiError && error.status === UNAUTHORIZED_STATUS) sayFailure(form, error)
    }
  }
  void ask()
  setInterval(() => void ask(), RENEW_MS)
  document.addEventListener('visibilitychange', () => void ask())
}
