import { setSecretsKey } from '../accounts/sealed-secrets.ts'
import type { FakeAccount } from './fake-twilio.ts'

/** A school's own account in the fake Twilio. `index` is from 1 to 89. */
export const ownAccount = (index: number, changes: Partial<FakeAccount> = {}): FakeAccount => ({
  sid: `AC${String(index).padStart(32, '0')}`,
  token: String(index).padStart(32, 'f'),
  number: `+15125550${100 + index}`,
  ...changes,
})

export const accountForm = ({ sid, token, number }: FakeAccount) => ({
  account_sid: sid,
  auth_token: token,
  sender: number ?? '',
})

/** Lets the servers of the test file encrypt secrets. The file must reset it, because test files
 *  share modules. */
export const setTestSecretsKey = (): void => setSecretsKey('k'.repeat(32))
