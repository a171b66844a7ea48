import { INVITATION_DAYS } from '@tatami/contract/guardians/guardians'
import type { Tx } from '../db/database.ts'
import { dojoById } from '../dojos/dojos.ts'
import type { Email } from '../lib/mail.ts'
import { readLetterhead } from '../pictures/pictures.ts'
import type { NewInvitation } from './invitations.ts'

/** Returns null if the invitation has no email address. */
export async function composeInvitationEmail(
  tx: Tx,
  dojoId: string,
  { invitation: { email, name, title }, link }: NewInvitation,
): Promise<Email | null> {
  if (email === null) return null
  const { name: dojoName } = await dojoById(tx, dojoId)
  const role = title ? ` as ${title}` : ''
  return {
    to: email,
    letterhead: await readLetterhead(tx),
    subject: `${dojoName} invites you to its staff`,
    text:
      `Hi ${name},\n\n${dojoName} invites you to work in Tatami${role}. Open this link within ` +
      `${INVITATION_DAYS} days:\n\n${link}\n\nIf you don’t know ${dojoName}, you can ignore this ` +
      'email.',
  }
}
