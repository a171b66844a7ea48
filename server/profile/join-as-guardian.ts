import { extractName } from '@tatami/contract/lib/names'
import { ADULT_AGE } from '@tatami/contract/guardians/guardians'
import { ADULTS_JOIN_THEMSELVES, type GuardianJoinForm } from '@tatami/contract/profile/join'
import { BIRTH_DATE_IN_FUTURE } from '@tatami/contract/students/student-form'
import { type SignedInUser } from '@tatami/contract/accounts/users'
import { createAccount } from '../accounts/accounts.ts'
import { refuseCommonPassword, refusePersonalPassword } from '../accounts/password-rules.ts'
import { hashPassword } from '../accounts/passwords.ts'
import { openSession, type Origin } from '../accounts/sessions.ts'
import { recordStartingRanks } from '../belts/change-belt.ts'
import { newId } from '../db/columns.ts'
import type { Database, Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { hasReachedAge } from '../guardians/ages.ts'
import { linkGuardian } from '../guardians/guardianships.ts'
import { guardians } from '../guardians/tables.ts'
import { requesterByAddress } from '../http/fair-queue.ts'
import { Refusal } from '../lib/refusal.ts'
import { requirePublicPlan } from '../plans/public-plans.ts'
import { requireKnownClasses } from '../students/enrollments.ts'
import { students } from '../students/tables.ts'
import { recordAgreement } from '../texting/consents.ts'
import { findJoinableDojo, notifyStudentJoined } from './join.ts'
import { firstRow } from '../lib/rows.ts'
import { loadUser } from './profile.ts'

type Child = GuardianJoinForm['children'][number]

const TAKEN_EMAIL_ADVICE = 'If it is yours, ask your instructor to add the child to your family.'

/** Creates a guardian with children, who await approval. Throws 409 if the email already has a
 *  login, and 422 if a child is 18 or older. */
export async function joinAsGuardian(
  db: Database,
  form: GuardianJoinForm,
  origin: Origin,
): Promise<{ token: string; user: SignedInUser }> {
  const { guardian, children, email, password, invite_code, text_consent } = form
  const { name, phone } = guardian
  const { address } = origin
  const { id: dojoId, name: dojoName } = await db.withoutDojo((tx) =>
    findJoinableDojo(tx, invite_code),
  )
  await refuseCommonPassword(db, 'password', password)
  const password_hash = await hashPassword(password, requesterByAddress(address))
  return db.inDojo(dojoId, async (tx) => {
    // The dojo or the invitation may have changed while the password was hashed.
    await findJoinableDojo(tx, invite_code)
    await refusePersonalPassword(tx, 'password', password, [name, email, dojoName])
    const today = await todayOf(tx, dojoId)
    refuseAdults(today, children)
    await requireKnownClasses(tx, [
      ...new Set(children.flatMap(({ class_preferences = [] }) => class_preferences)),
    ])
    for (const [index, child] of children.entries())
      await requirePublicPlan(tx, `children.${index}.plan_id`, child, today)
    const id = newId()
    const caller = { id, dojoId }
    await createAccount(
      tx,
      { id, email, password_hash, role: 'guardian', dojo_id: dojoId, is_active: true },
      TAKEN_EMAIL_ADVICE,
    )
    await tx.insert(guardians).values({ id, account_id: id, name, phone, email })
    for (const child of children) await addChild(tx, caller, guardian, child, today)
    if (text_consent) {
      const phones = [phone, ...children.map(({ phone_number }) => phone_number)]
      await recordAgreement(tx, phones, {
        ...text_consent,
        source: 'form',
        given_by: name,
        address,
      })
    }
    return {
      token: await openSession(tx, id, origin),
      user: await loadUser(tx, { id, role: 'guardian', dojoId }),
    }
  })
}

async function addChild(
  tx: Tx,
  caller: { id: string; dojoId: string },
  { name, phone, relation }: GuardianJoinForm['guardian'],
  { plan_id, ...child }: Child,
  today: string,
): Promise<void> {
  const id = newId()
  await tx.insert(students).values({
    ...child,
    id,
    requested_plan_id: plan_id,
    emergency_contact_name: extractName(name) || null,
    emergency_contact_phone: phone,
    is_trial: true,
    gender: null,
    awaits_approval: true,
  })
  await recordStartingRanks(tx, caller, today, [{ id, belt_level: 'white' }])
  await linkGuardian(tx, caller, caller.id, id, { relation, pays: true, picks_up: true })
  await notifyStudentJoined(tx, caller.dojoId, { id, name: child.name })
}

/** Adults must join on their own, because they decide who sees their page. */
function refuseAdults(today: string, children: Child[]): void {
  const errors = children.flatMap(({ date_of_birth }, index) => {
    const message = findBirthDateError(date_of_birth, today)
    return message ? [{ field: `children.${index}.date_of_birth`, message }] : []
  })
  if (errors.length > 0) throw new Refusal(422, firstRow(errors).message, { errors })
}

function findBirthDateError(dateOfBirth: string, today: string): string | null {
  if (dateOfBirth > today) return BIRTH_DATE_IN_FUTURE
  const isAdult = hasReachedAge(dateOfBirth, ADULT_AGE, today, { unknown: false })
  return isAdult ? ADULTS_JOIN_THEMSELVES : null
}
