import {
  type PublicKeyCredentialCreationOptionsJSON,
  startRegistration,
} from '@simplewebauthn/browser'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Reply } from '@tatami/contract/lib/endpoint'
import { signInApi } from '@tatami/contract/accounts/sign-in'
import { ApiError, call } from '../lib/api.ts'
import { rememberPasskey } from '../lib/passkeys.ts'
import { endpointKey } from '../lib/query.ts'

type NewPasskey = { name: string; current_password?: string }
type AddedPasskey = Reply<typeof signInApi.addPasskey>
type Options = { onSuccess: (passkey: AddedPasskey) => void; onError?: (error: unknown) => void }

async function addPasskey({ name, current_password }: NewPasskey): Promise<AddedPasskey> {
  const { options } = await call(signInApi.passkeyOptions, { body: { current_password } })
  // The server's WebAuthn library creates the options, so the contract does not describe them.
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON
  // The server does not accept extension results.
  const { clientExtensionResults: _, ...response } = await startRegistration({ optionsJSON })
  const addedPasskey = await call(signInApi.addPasskey, { body: { name, response } })
  rememberPasskey()
  return addedPasskey
}

export function useAddPasskey({ onSuccess, onError }: Options) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: addPasskey,
    onSuccess: (addedPasskey) => {
      void cache.invalidateQueries({ queryKey: [endpointKey(signInApi.methods)] })
      onSuccess(addedPasskey)
    },
    ...(onError && { onError }),
  })
}

export function describePasskeyError(error: unknown): string {
  if (error instanceof ApiError)
    return error.detail ?? 'The passkey could not be added. Please try again.'
  const isAlreadyRegistered = error instanceof Error && error.name === 'InvalidStateError'
  return isAlreadyRegistered
    ? 'This device already has a passkey for your account.'
    : 'Your device didn’t create a passkey. Please try again.'
}

export function guessDeviceName(): string {
  const { userAgent } = navigator
  const devices = {
    iPhone: 'iPhone',
    iPad: 'iPad',
    Android: 'Android phone',
    Mac: 'Mac',
    Windows: 'Windows computer',
    CrOS: 'Chromebook',
  }
  return Object.entries(devices).find(([word]) => userAgent.includes(word))?.[1] ?? 'This device'
}
