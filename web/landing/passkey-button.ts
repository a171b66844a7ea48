import { errorMessage } from '../lib/api.ts'
import { offerPasskey, signInByPasskey } from '../sign-in/sign-in-by-passkey.ts'

type Start = (token: string) => void

/** Signs in with a passkey, or says beside the form why not. */
export async function press(form: HTMLFormElement, button: HTMLButtonElement, start: Start): Promise<void> {
  if (button.ariaDisabled !== null) return
  const failure = form.querySelector<HTMLElement>('[role=alert]')!
  button.ariaDisabled = 'true'
  failure.hidden = true
  try {
    start((await signInByPasskey()).token)
  } catch (error) {
    failure.querySelector('span')!.textContent = errorMessage(error, 'No passkey was used. Try again, or log in with your password.')
    failure.hidden = false
  }
  button.ariaDisabled = null
}

/** Has the browser offer its passkeys in the email field. */
export async function offer(form: HTMLFormElement, start: Start): Promise<void> {
  form.querySelector('input')!.autocomplete = 'username webauthn'
  // Nobody need choose one, and what fails is no news to whoever types a password.
  const signedIn = await offerPasskey().catch(() => null)
  if (signedIn) start(signedIn.token)
}
