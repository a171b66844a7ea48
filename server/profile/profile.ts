import type { SignedInUser } from '@tatami/contract/students'
import { eq } from 'drizzle-orm'
import { accountById } from '../accounts/accounts.ts'
import { dojoById } from '../dojos/dojos.ts'
import type { Tx } from '../db/database.ts'
import type { Caller } from '../http/serve.ts'
import { instructors } from '../sensei/tables.ts'
import { studentById } from '../students/students.ts'

const NOT_A_STUDENT = {
  belt_level: null,
  date_of_birth: null,
  gender: null,
  emergency_contact_name: null,
  emergency_contact_phone: null,
  class_preferences: null,
  enrolled_classes: null,
  is_trial: null,
  monthly_payment_amount: null,
  on_vacation: null,
  app_returned: null,
  payment_method: null,
  current_month_paid: null,
} as const
const NO_DOJO = { dojo_name: null, contact_number: null, city: null, state: null, phone_number: null, time_zone: null } as const

type Identity = Pick<Caller, 'id' | 'role' | 'dojoId'>

/** The user in the API: every field of the specification's section 3, null where it does not apply to the role. */
export const userOf = (tx: Tx, identity: Identity): Promise<SignedInUser> =>
  identity.role === 'student'
    ? studentUser(tx, identity)
    : identity.role === 'instructor'
      ? instructorUser(tx, identity)
      : superAdminUser(tx, identity)

async function studentUser(tx: Tx, { id, dojoId }: Identity): Promise<SignedInUser> {
  const { time_zone } = await dojoById(tx, dojoId!)
  return { ...(await studentById(tx, dojoId!, id)), time_zone }
}

async function instructorUser(tx: Tx, { id, dojoId }: Identity): Promise<SignedInUser> {
  const [instructor] = await tx.select().from(instructors).where(eq(instructors.id, id))
  const dojo = await dojoById(tx, dojoId!)
  const { name, email, contact_number, phone_number } = instructor!
  return {
    ...NOT_A_STUDENT,
    id,
    name,
    email,
    is_instructor: true,
    is_super_admin: false,
    dojo_name: dojo.name,
    contact_number,
    city: dojo.city,
    state: dojo.state,
    phone_number,
    time_zone: dojo.time_zone,
  }
}

async function superAdminUser(tx: Tx, { id }: Identity): Promise<SignedInUser> {
  const account = await accountById(tx, id)
  return { ...NOT_A_STUDENT, ...NO_DOJO, id, name: 'Super Admin', email: account!.email, is_instructor: false, is_super_admin: true }
}
