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

/** The server's challenge expires after five minutes, so a new one is requested sooner. */
const RENEW_INTERVAL_MS = 4 * 60_000
const UNAUTHORIZED_STATUS = 401

async function signInWithPasskey({ isAutofill = false } = {}): Promise<void> {
  const { options } = await call(signInApi.passkeySignInOptions)
  // The options go from one WebAuthn library to another, so the contract does not describe them.
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON
  // The server does not accept extension results.
  const { clientExtensionResults: _, ...response } = await startAuthentication({
    optionsJSON,
    useBrowserAutofill: isAutofill,
  })
  const { token } = await call(signInApi.passkeySignIn, { body: { response } })
  rememberPasskey()
  session.start(token)
}

function showFailure(form: HTMLElement, error: unknown) {
  const failureNotice = findElement('[role=alert]', form)
  findElement('span', failureNotice).textContent = errorMessage(
    error,
    'No passkey was used. Try again or log in with your password.',
  )
  failureNotice.hidden = false
}

export async function logInWithPasskey(form: HTMLElement, button: HTMLElement): Promise<void> {
  if (button.ariaDisabled !== null) return
  button.ariaDisabled = 'true'
  findElement('[role=alert]', form).hidden = true
  try {
    await signInWithPasskey()
  } catch (error) {
    showFailure(form, error)
  }
  button.ariaDisabled = null
}

export function offerPasskeys(form: HTMLElement, button: HTMLElement): void {
  findElement('input', form).setAttribute('autocomplete', 'username webauthn')
  let requestedAt = 0
  async function requestPasskey() {
    // A new request would cancel the one that the button started.
    if (
      document.hidden ||
      button.ariaDisabled !== null ||
      Date.now() - requestedAt < RENEW_INTERVAL_MS
    )
      return
    requestedAt = Date.now()
    try {
      if (await browserSupportsWebAuthnAutofill()) await signInWithPasskey({ isAutofill: true })
    } catch (error) {
      // Ignoring the offer is fine. Only a passkey that the server refused needs a message.
      if (error instanceof ApiError && error.status === UNAUTHORIZED_STATUS)
        showFailure(form, error)
    }
  }
  void requestPasskey()
  setInterval(() => void requestPasskey(), RENEW_INTERVAL_MS)
  document.addEventListener('visibilitychange', () => void requestPasskey())
}
