import { extractName } from '@tatami/contract/lib/names'
import { OWN_LOGIN_AGE } from '@tatami/contract/guardians/guardians'
import {
  type InvitationDetails,
  type JoinForm,
  NO_LOGIN_UNDER_13,
} from '@tatami/contract/profile/join'
import { listClasses } from '../classes/classes.ts'
import type { SignedInUser } from '@tatami/contract/accounts/users'
import { createAccount, requireActiveDojo } from '../accounts/accounts.ts'
import { refuseCommonPassword, refusePersonalPassword } from '../accounts/password-rules.ts'
import { hashPassword } from '../accounts/passwords.ts'
import { recordStartingRanks } from '../belts/change-belt.ts'
import { requesterByAddress } from '../http/fair-queue.ts'
import { openSession, type Origin } from '../accounts/sessions.ts'
import { todayIn } from '../dojos/calendar.ts'
import type { Dojo } from '../dojos/dojos.ts'
import { findDojoByInviteCode, recordSharing } from '../dojos/invitation.ts'
import { newId } from '../db/columns.ts'
import { type Database, insideDojo, type Tx } from '../db/database.ts'
import { notifyStaff } from '../notifications/notify.ts'
import { listPublicPlans, requirePublicPlan } from '../plans/public-plans.ts'
import { students } from '../students/tables.ts'
import { requireKnownClasses } from '../students/enrollments.ts'
import { refuseFutureBirthDate } from '../students/students.ts'
import { hasReachedAge } from '../guardians/ages.ts'
import { linkGuardiansOfStudent } from '../guardians/guardianships.ts'
import { Refusal } from '../lib/refusal.ts'
import { recordAgreement } from '../texting/consents.ts'
import { readDojoCard } from '../pictures/pictures.ts'
import { loadUser } from './profile.ts'

/** Creates a student who awaits approval. Throws 422 for a child under 13, because a guardian must
 *  join for them. */
export async function joinByInvitation(
  db: Database,
  {
    email,
    password,
    invite_code,
    guardian,
    text_consent,
    class_preferences = [],
    plan_id,
    ...details
  }: JoinForm,
  origin: Origin,
): Promise<{ token: string; user: SignedInUser }> {
  const { address } = origin
  const dojo = await db.withoutDojo((tx) => findJoinableDojo(tx, invite_code))
  await refuseCommonPassword(db, 'password', password)
  const password_hash = await hashPassword(password, requesterByAddress(address))
  return db.inDojo(dojo.id, async (tx) => {
    // The dojo or the invitation may have changed while the password was hashed.
    await findJoinableDojo(tx, invite_code)
    await refusePersonalPassword(tx, 'password', password, [details.name, email, dojo.name])
    const today = todayIn(dojo.time_zone)
    if (details.date_of_birth) refuseChild(today, details.date_of_birth)
    await requireKnownClasses(tx, class_preferences)
    await requirePublicPlan(tx, 'plan_id', { ...details, plan_id }, today)
    const id = newId()
    await createAccount(tx, {
      id,
      email,
      password_hash,
      role: 'student',
      dojo_id: dojo.id,
      is_active: true,
    })
    await tx.insert(students).values({
      ...details,
      // The guardian is the emergency contact unless the form names another one.
      emergency_contact_name:
        details.emergency_contact_name ?? (guardian && (extractName(guardian.name) || null)),
      emergency_contact_phone: details.emergency_contact_phone ?? guardian?.phone,
      id,
      email,
      class_preferences,
      requested_plan_id: plan_id,
      is_trial: true,
      gender: null,
      awaits_approval: true,
    })
    await recordStartingRanks(tx, { id, dojoId: dojo.id }, today, [{ id, belt_level: 'white' }])
    // The agreement does not cover the guardian's phone, because only its owner can agree.
    if (text_consent)
      await recordAgreement(tx, [details.phone_number], {
        ...text_consent,
        source: 'form',
        given_by: details.name,
        address,
      })
    if (guardian) await linkGuardiansOfStudent(tx, { id, dojoId: dojo.id }, id, { guardian })
    await notifyStudentJoined(tx, dojo.id, { id, name: details.name })
    // Somebody who joins proves that the invitation was shared, for example as a QR code.
    await recordSharing(tx, dojo.id)
    return {
      token: await openSession(tx, id, origin),
      user: await loadUser(tx, { id, role: 'student', dojoId: dojo.id }),
    }
  })
}

/** Asks the instructors to approve the student. Deleting the student deletes the notification. */
export const notifyStudentJoined = (
  tx: Tx,
  dojoId: string,
  { id, name }: { id: string; name: string },
) =>
  notifyStaff(tx, dojoId, 'students.edit', {
    title: 'New student joined',
    message: `${name} joined by invitation. Please approve them.`,
    sender_name: name,
    student_id: id,
  })

function refuseChild(today: string, dateOfBirth: string): void {
  refuseFutureBirthDate(today, dateOfBirth)
  if (!hasReachedAge(dateOfBirth, OWN_LOGIN_AGE, today, { unknown: true }))
    throw new Refusal(422, NO_LOGIN_UNDER_13, {
      errors: [{ field: 'date_of_birth', message: NO_LOGIN_UNDER_13 }],
    })
}

export async function readInvitationDetails(
  tx: Tx,
  inviteCode: string,
): Promise<InvitationDetails> {
  const { id, time_zone } = await findJoinableDojo(tx, inviteCode)
  return insideDojo(tx, id, async () => ({
    time_zone,
    ...(await readDojoCard(tx)),
    plans: await listPublicPlans(tx),
    classes: await listClasses(tx),
  }))
}

/** Throws 400 for an unknown invitation, and 403 if the dojo is not active. */
export async function findJoinableDojo(tx: Tx, inviteCode: string): Promise<Dojo> {
  const dojo = await findDojoByInviteCode(tx, inviteCode)
  await requireActiveDojo(tx, dojo.id)
  return dojo
}
