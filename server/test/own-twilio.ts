import { setSecretsKey } from '../accounts/sealed-secrets.ts'
import type { FakeAccount } from './fake-twilio.ts'

/** An account of a school, in a fake Twilio. `index` is a digit. */
export const ownAccount = (index: number, changes: Partial<FakeAccount> = {}): FakeAccount => ({
  sid: `AC${String(index).repeat(32)}`,
  token: `${'f'.repeat(31)}${index}`,
  number: `+1512555017${index}`,
  ...changes,
})

export const formOf = ({ sid, token, number }: FakeAccount) => ({
  account_sid: sid,
  auth_token: token,
  sender: number ?? '',
})

/** Lets the servers of the test file encrypt secrets. The file must reset it, because test files
 *  share modules. */
export const useSecretsKey = (): void => setSecretsKey('k'.repeat(32))
