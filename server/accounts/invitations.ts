import { DAY_MS } from '@tatami/contract/lib/calendar-day'
import { INVITATION_DAYS } from '@tatami/contract/guardians/guardians'
import { now } from '../lib/clock.ts'
import { Refusal } from '../lib/refusal.ts'
import { newSecret } from '../lib/secrets.ts'

const INVALID_INVITATION = 'This invitation is no longer valid. Please ask your dojo for a new one.'

export const invalidInvitation = () => new Refusal(400, INVALID_INVITATION)

/** The secret starts with the dojo's id, because a request without a login names no dojo. */
export const createInvitation = (dojoId: string): { secret: string; expires_at: string } => ({
  secret: `${dojoId}.${newSecret()}`,
  expires_at: new Date(now().getTime() + INVITATION_DAYS * DAY_MS).toISOString(),
})

/** The dojo's id and a random string */
const SECRET_PATTERN = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.[\w-]+$/

export function parseInvitationDojoId(secret: string): string {
  const dojoId = SECRET_PATTERN.exec(secret)?.[1]
  if (!dojoId) throw invalidInvitation()
  return dojoId
}
