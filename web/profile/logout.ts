import { profileApi } from '@tatami/contract/profile'
import { call } from '../kernel/api.ts'
import { session } from '../kernel/session.ts'

/** Leaves in any case: a token that could not be revoked now is still forgotten here. */
export async function logout() {
  await call(profileApi.logout).catch(() => {})
  session.leaveTo('/')
}
