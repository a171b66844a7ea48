import {
  browserSupportsWebAuthnAutofill,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
} from '@simplewebauthn/browser'
import type { Reply } from '@tatami/contract/endpoint'
import { signInApi } from '@tatami/contract/sign-in'
import { call } from '../lib/api.ts'
import { rememberPasskey } from '../lib/passkeys.ts'

type SignedIn = Reply<typeof signInApi.passkeySignIn>

/** Asks the browser for a passkey and signs in with it. Rejects where none is used. */
export async function signInByPasskey({ isAutofill = false } = {}): Promise<SignedIn> {
  const { options } = await call(signInApi.passkeySignInOptions)
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON
  const { clientExtensionResults: _, ...response } = await startAuthentication({
    optionsJSON,
    useBrowserAutofill: isAutofill,
  })
  const signedIn = await call(signInApi.passkeySignIn, { body: { response } })
  rememberPasskey()
  return signedIn
}

/** Has the browser offer its passkeys in the email field; null where it cannot. Pending until one is chosen. */
export const offerPasskey = async (): Promise<SignedIn | null> =>
  (await browserSupportsWebAuthnAutofill()) ? signInByPasskey({ isAutofill: true }) : null
