import { firstDayOf, type Month, monthOfDate, addDays } from '@tatami/contract/lib/calendar-day'
import { isDeepStrictEqual } from 'node:util'
import { ADULT_AGE } from '@tatami/contract/guardians/guardians'
import { extractName } from '@tatami/contract/lib/names'
import { MONEY_RIGHTS } from '@tatami/contract/rights'
import { firstNames } from '@tatami/contract/texting/message-types'
import type { Approval, Student } from '@tatami/contract/students/students'
import {
  BIRTH_DATE_IN_FUTURE,
  isFallbackClass,
  isPhoneOptional,
  type NewStudent,
  PHONE_REQUIRED,
  type StudentUpdate,
} from '@tatami/contract/students/student-form'
import { and, eq, isNotNull } from 'drizzle-orm'
import { changeEmail, createAccount } from '../accounts/accounts.ts'
import { removeStudentFromAnnouncements } from './student-announcements.ts'
import { attendance } from '../attendance/tables.ts'
import { auditAction } from '../audit/audit.ts'
import { removeFromKeptMarks } from '../calendar/dates/kept-marks.ts'
import { giveAllFreePlaces } from '../calendar/dates/places.ts'
import { inChunks } from '../db/bulk.ts'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { monthIn, todayIn } from '../dojos/calendar.ts'
import { type Dojo, dojoById, todayOf } from '../dojos/dojos.ts'
import { changeBelt, recordStartingRanks } from '../belts/change-belt.ts'
import { removePersonFromStoredReplies } from '../http/idempotency.ts'
import { type DojoCaller, requireRight } from '../http/serve.ts'
import { invalid, notFound, Refusal } from '../lib/refusal.ts'
import { endAccessToAdults } from '../families/adulthood.ts'
import { hasReachedAge } from '../guardians/ages.ts'
import { updateOwnGuardianRecord } from '../families/guardian-accounts.ts'
import { closeAccountOfStudent, findGuardiansWithoutOtherStudents } from '../families/departures.ts'
import { type Actor, lockGuardian } from '../guardians/guardian-records.ts'
import { linkGuardiansOfStudent, requireCurrent } from '../guardians/guardianships.ts'
import { endLostAccess } from '../guardians/lost-access.ts'
import { countKeptWaivers, retireSignaturesOfStudent } from '../documents/retirement.ts'
import { findReaderAccounts } from '../guardians/readers.ts'
import { welcomeStudent } from '../texting/batches.ts'
import { joinLeadOfStudent } from '../trials/join-lead.ts'
import { recordAgreement } from '../texting/consents.ts'
import { forgetPhones, removeStudentFromTexts } from '../texting/departure.ts'
import { NOTIFICATIONS_CHANGED, notifyEach } from '../notifications/notify.ts'
import { removeStudentsFromNotifications } from '../notifications/withdraw.ts'
import { debtsOf, owedCents } from '../dues/balances.ts'
import { refuseWhileOnItsWay } from '../dues/money-on-its-way.ts'
import { refuseSelfOrOwnChildren } from '../ledger/own-family.ts'
import { paymentRecords } from '../ledger/tables.ts'
import { feeIn } from '../dues/prices/prices.ts'
import {
  followVacationOf,
  setPlanPrice,
  startRequestedPlan,
  type StudentNotice,
} from '../memberships/memberships.ts'
import { readStudentById, readStudentOfDojo } from './student-list.ts'
import { enrollInClass, requireKnownClasses, setEnrollments } from './enrollments.ts'
import { readOpenBalance, writeOffDebts } from './student-debts.ts'
import { keepSiblingPrices } from './sibling-prices.ts'
import { departures, isCurrentStudent, students } from './tables.ts'
import { recordVacationUntil, toVacationColumns } from './vacations.ts'

const EMERGENCY_PHONE_REQUIRED = 'Emergency contact phone is required'
const ADD_TO_FAMILY = "If this is a parent's address, add the student to the parent's family."

/** Says what the instructor can do if the email of a new student already has a login. */
async function describeTakenEmail(tx: Tx, email: string): Promise<string> {
  const [formerStudent] = await tx
    .select({ name: students.name })
    .from(students)
    .where(and(eq(students.email, email), isNotNull(students.left_on)))
  return formerStudent
    ? `It belongs to ${formerStudent.name}, a former student. You can re-enroll them.`
    : ADD_TO_FAMILY
}

/** Creates a login if the form has a password. Throws 409 if the email already has a login. */
export async function addStudent(
  tx: Tx,
  caller: Actor,
  dojo: Dojo,
  { password: _, guardian, guardian_ids = [], text_consent, rank_id, ...form }: NewStudent,
  password_hash: string | null,
): Promise<Student> {
  const today = todayIn(dojo.time_zone)
  refuseFutureBirthDate(today, form.date_of_birth)
  await requireClassesOfDojo(tx, form.class_preferences)
  const [firstGuardianId] = guardian_ids
  const payer = guardian ?? (firstGuardianId ? await lockGuardian(tx, firstGuardianId) : undefined)
  const id = newId()
  const email = password_hash ? (form.email ?? null) : null
  if (password_hash && email)
    await createAccount(
      tx,
      { id, email, password_hash, role: 'student', dojo_id: dojo.id, is_active: true },
      await describeTakenEmail(tx, email),
    )
  await insertStudents(tx, [{ ...form, ...toEmergencyContactColumns(form, payer), email, id }])
  if (form.enrolled_classes) await setEnrollments(tx, id, form.enrolled_classes)
  await recordStartingRanks(tx, caller, today, [
    { id, belt_level: form.belt_level ?? 'white', rank_id },
  ])
  await linkGuardiansOfStudent(tx, caller, id, { guardian, guardian_ids })
  if (text_consent)
    await recordAgreement(tx, [form.phone_number, guardian?.phone], {
      ...text_consent,
      source: 'enrolment',
      recorded_by: caller.id,
    })
  await welcomeStudent(tx, dojo.id, { ...form, id })
  await auditAction(tx, caller, 'student added', {
    subject_id: id,
    details: { log_in: email !== null },
  })
  return readStudentOfDojo(tx, dojo, id)
}

type Payer = { name: string; phone?: string | null | undefined }

/** If the form has no emergency contact, the paying guardian becomes the emergency contact. */
function toEmergencyContactColumns(
  { emergency_contact_name, emergency_contact_phone }: Partial<NewStudent>,
  payer: Payer | undefined,
) {
  if (emergency_contact_phone !== undefined)
    return { emergency_contact_name, emergency_contact_phone }
  if (!payer?.phone) throw invalid('emergency_contact_phone', EMERGENCY_PHONE_REQUIRED)
  return {
    emergency_contact_name: extractName(payer.name) || null,
    emergency_contact_phone: payer.phone,
  }
}

export const insertStudents = (tx: Tx, rows: (typeof students.$inferInsert)[]): Promise<void> =>
  inChunks(rows, (chunk) => tx.insert(students).values(chunk))

/** Used for staff who may not see fees. Drizzle does not update columns that are undefined. */
const UNCHANGED_FEES = {
  monthly_payment_amount: undefined,
  payment_method: undefined,
  price_note: undefined,
  sibling_exempt: undefined,
}

const canSeeFees = ({ staff }: Partial<Pick<DojoCaller, 'staff'>>): boolean =>
  !staff || MONEY_RIGHTS.some((right) => staff.rights.has(right))

/** Fields that the form omits stay unchanged. A foreign key updates the student's email when the
 *  login's email changes. */
export async function changeStudent(
  tx: Tx,
  caller: Actor & Partial<Pick<DojoCaller, 'staff'>>,
  id: string,
  form: StudentUpdate,
): Promise<{ student: Student; notices: StudentNotice[] }> {
  const { dojoId } = caller
  const canChangeFees = canSeeFees(caller)
  const { email, belt_level, rank_id, fee_from, ...fields } = form
  const { monthly_payment_amount } = form
  const today = await todayOf(tx, dojoId)
  refuseFutureBirthDate(today, form.date_of_birth)
  const oldStudent = await readStudentById(tx, dojoId, id)
  requireCurrent(oldStudent)
  if (form.phone_number === null && !isPhoneOptional(oldStudent, today))
    throw new Refusal(422, PHONE_REQUIRED, {
      errors: [{ field: 'phone_number', message: PHONE_REQUIRED }],
    })
  if (email !== oldStudent.email) await changeEmail(tx, id, requireLoginEmail(oldStudent, email))
  if (form.on_vacation === false && oldStudent.on_vacation)
    await recordVacationUntil(tx, addDays(today, -1), eq(students.id, id))
  if (canChangeFees && monthly_payment_amount < (oldStudent.monthly_payment_amount ?? 0))
    await refuseSelfOrOwnChildren(tx, caller.id, [id])
  const feeForm = { monthly_payment_amount, fee_from }
  const { feeColumns, notices } = canChangeFees
    ? await decideFee(tx, caller, id, feeForm, monthOfDate(today))
    : { feeColumns: UNCHANGED_FEES, notices: [] }
  const values = {
    ...fields,
    ...(await toVacationColumns(tx, oldStudent, form.on_vacation, today)),
    ...(oldStudent.is_trial && form.is_trial === false && { pays_since: today }),
    ...feeColumns,
  }
  await requireClassesOfDojo(tx, form.class_preferences)
  await tx.update(students).set(values).where(eq(students.id, id))
  if (form.on_vacation !== undefined && form.on_vacation !== oldStudent.on_vacation)
    await followVacationOf(tx, caller, id, today, { isBack: !form.on_vacation })
  if (form.enrolled_classes) await setEnrollments(tx, id, form.enrolled_classes)
  await updateOwnGuardianRecord(tx, oldStudent, form)
  const wasAdult = hasReachedAge(oldStudent.date_of_birth, ADULT_AGE, today, { unknown: false })
  if (form.date_of_birth !== oldStudent.date_of_birth) {
    if (!wasAdult) await endAccessToAdults(tx, dojoId, today, [id])
    await endLostAccess(tx, dojoId, [id])
  }
  await changeBelt(tx, caller, id, { belt_level, rank_id })
  await giveAllFreePlaces(tx, dojoId)
  const newStudent = await readStudentById(tx, dojoId, id)
  await auditAction(tx, caller, 'student changed', {
    subject_id: id,
    details: listChangedFields(oldStudent, newStudent),
  })
  return { student: newStudent, notices }
}

const NO_KEPT_PRICE = {
  kept_price: null,
  kept_price_of: null,
  kept_price_reason: null,
  kept_price_month: null,
}

type FeeDecision = {
  feeColumns: Partial<typeof students.$inferInsert>
  /** What payers are told about a plan that gets dearer. */
  notices: StudentNotice[]
}

/** A lower fee starts now. A raise starts next month if the form says so, or if a raise is already
 *  planned for next month. If the student has a plan, the price of the plan changes instead. */
async function decideFee(
  tx: Tx,
  caller: Pick<DojoCaller, 'id' | 'dojoId'>,
  id: string,
  {
    monthly_payment_amount: fee,
    fee_from,
  }: Pick<StudentUpdate, 'monthly_payment_amount' | 'fee_from'>,
  month: Month,
): Promise<FeeDecision> {
  const { monthly_payment_amount, former_fee, former_fee_month, has_subscription } = students
  const [storedFees] = await tx
    .select({ monthly_payment_amount, former_fee, former_fee_month, has_subscription })
    .from(students)
    .where(eq(students.id, id))
  const isUnchanged = !fee_from && fee === storedFees?.monthly_payment_amount
  if (!storedFees || isUnchanged) return { feeColumns: {}, notices: [] }
  const startsNextMonth =
    fee_from === 'next_month' && fee > (storedFees.monthly_payment_amount ?? 0)
  const planNotices = storedFees.has_subscription
    ? await setPlanPrice(tx, caller, id, { fee, startsNextMonth })
    : null
  if (planNotices)
    return { feeColumns: { monthly_payment_amount: undefined }, notices: planNotices }
  return { feeColumns: toFeeColumns(storedFees, { fee, fee_from }, month), notices: [] }
}

type StoredFees = Parameters<typeof feeIn>[1]
type NewFee = { fee: number; fee_from: StudentUpdate['fee_from'] }

function toFeeColumns(storedFees: StoredFees, { fee, fee_from }: NewFee, month: Month) {
  const currentFee = feeIn(month, storedFees) ?? 0
  const hasPlannedRaise = currentFee !== (storedFees.monthly_payment_amount ?? 0)
  const startMonth = fee_from ?? (hasPlannedRaise ? 'next_month' : 'this_month')
  const isRaise = fee > currentFee
  if (isRaise && startMonth === 'next_month')
    return { former_fee: currentFee, former_fee_month: firstDayOf(month) }
  return { former_fee: null, former_fee_month: null, ...(isRaise && NO_KEPT_PRICE) }
}

/** The audit log says which fields changed, but not their values. */
function listChangedFields(oldStudent: Student, newStudent: Student) {
  const fields = (Object.keys(newStudent) as (keyof Student)[]).filter(
    (field) =>
      field !== 'contact_number' && !isDeepStrictEqual(oldStudent[field], newStudent[field]),
  )
  return Object.fromEntries(fields.map((field) => [field, true]))
}

const EMAIL_REQUIRED = 'Email is required'
const NO_LOGIN = 'This student has no login. Send an invitation to make one.'

/** A form can change the email of a login, but cannot create or close a login. */
function requireLoginEmail(student: Student, email: string | null): string {
  const message = email === null ? EMAIL_REQUIRED : NO_LOGIN
  if (email === null || student.email === null)
    throw new Refusal(422, message, { errors: [{ field: 'email', message }] })
  return email
}

/** Also returns notices to the payers and the student about the plan that starts. */
export async function approveStudent(
  tx: Tx,
  caller: DojoCaller,
  id: string,
  approval: Approval,
): Promise<{ student: Student; notices: StudentNotice[] }> {
  const { dojoId } = caller
  const [student] = await tx
    .update(students)
    .set({ awaits_approval: false, pays_since: await todayOf(tx, dojoId) })
    .where(and(eq(students.id, id), eq(students.awaits_approval, true), isCurrentStudent))
    .returning()
  if (!student) return { student: await readStudentById(tx, dojoId, id), notices: [] }
  const notices = await startRequestedPlan(tx, caller, student, approval)
  const classIds = student.class_preferences.filter((preference) => !isFallbackClass(preference))
  for (const class_id of classIds) await enrollInClass(tx, id, class_id)
  await joinLeadOfStudent(tx, caller, student)
  await welcomeStudent(tx, dojoId, student)
  const messages = (await findReaderAccounts(tx, [id])).map(({ account_id }) => {
    const name = account_id === id ? 'you' : firstNames([student.name])
    return { account_id, message: `Your instructor has approved ${name}. See you in class.` }
  })
  await notifyEach(tx, dojoId, { title: 'Approved', student_id: id }, messages)
  await auditAction(tx, caller, 'student approved', { subject_id: id })
  return { student: await readStudentById(tx, dojoId, id), notices }
}

export function refuseFutureBirthDate(today: string, dateOfBirth: string): void {
  if (dateOfBirth > today)
    throw new Refusal(422, BIRTH_DATE_IN_FUTURE, {
      errors: [{ field: 'date_of_birth', message: BIRTH_DATE_IN_FUTURE }],
    })
}

const requireClassesOfDojo = (tx: Tx, preferences: NewStudent['class_preferences'] = []) =>
  requireKnownClasses(
    tx,
    preferences.filter((preference) => !isFallbackClass(preference)),
  )

export async function countStudentDeletionImpact(tx: Tx, dojoId: string, id: string) {
  await readStudentById(tx, dojoId, id)
  return {
    attendance_records: await tx.$count(attendance, eq(attendance.student_id, id)),
    payment_records: await tx.$count(paymentRecords, eq(paymentRecords.student_id, id)),
    ...(await readOpenBalance(tx, id)),
    kept_waivers: await countKeptWaivers(tx, id),
    guardians: await findGuardiansWithoutOtherStudents(tx, id),
  }
}

/** The ledger keeps the amounts without the name. A student who is also a guardian keeps their
 *  login. */
export async function deleteStudent(tx: Tx, caller: DojoCaller, id: string): Promise<void> {
  // The lock prevents a payment between the write-off and the deletion.
  await tx.select({ id: students.id }).from(students).where(eq(students.id, id)).for('update')
  await refuseWhileOnItsWay(tx, id)
  await requireRightToForgive(tx, caller, id)
  await writeOffDebts(tx, caller, id)
  const phones = await removeStudentFromTexts(tx, id)
  await removeStudentsFromNotifications(tx, [id])
  await removeStudentFromAnnouncements(tx, id)
  await removeFromKeptMarks(tx, id)
  await retireSignaturesOfStudent(tx, caller.dojoId, id)
  const deletedRow = await keepSiblingPrices(tx, caller.dojoId, [id], async () => {
    const [row] = await tx.delete(students).where(eq(students.id, id)).returning()
    return row
  })
  if (!deletedRow) throw notFound('Student')
  await giveAllFreePlaces(tx, caller.dojoId)
  await closeAccountOfStudent(tx, id)
  await forgetPhones(tx, phones)
  await removePersonFromStoredReplies(tx, id)
  await tx.publish(NOTIFICATIONS_CHANGED, caller.dojoId)
  await recordDeparture(tx, caller.dojoId, deletedRow)
  await auditAction(tx, caller, 'student deleted', { subject_id: id })
}

/** Deleting a student forgives their debts, including the current month. */
async function requireRightToForgive(tx: Tx, caller: DojoCaller, id: string): Promise<void> {
  const debt = (await debtsOf(tx, caller.dojoId, [id])).get(id)
  if (!debt || owedCents(debt) === 0) return
  requireRight(caller.staff, 'money.give_back')
  await refuseSelfOrOwnChildren(tx, caller.id, [id])
}

const firstDayOfMonth = (day: string) => firstDayOf(monthOfDate(day))

/** Records a departure for the statistics. A student who left, returned and left again has two. */
async function recordDeparture(
  tx: Tx,
  dojoId: string,
  student: Pick<
    typeof students.$inferSelect,
    'belt_level' | 'created_at' | 'joined_on' | 'left_on' | 'returned_on' | 'previously_left_on'
  >,
) {
  const { time_zone } = await dojoById(tx, dojoId)
  const joinedOn = student.joined_on ?? todayIn(time_zone, new Date(student.created_at))
  const { belt_level, left_on, returned_on, previously_left_on } = student
  // A current student who is deleted leaves today.
  const month = left_on ? firstDayOfMonth(left_on) : firstDayOf(monthIn(time_zone))
  const joined_month = firstDayOfMonth(joinedOn)
  const hasReturned = returned_on !== null && previously_left_on !== null
  if (!hasReturned || firstDayOfMonth(previously_left_on) === firstDayOfMonth(returned_on))
    await tx.insert(departures).values({ month, belt_level, joined_month })
  else
    await tx.insert(departures).values([
      { month: firstDayOfMonth(previously_left_on), belt_level, joined_month },
      { month, belt_level, joined_month: firstDayOfMonth(returned_on) },
    ])
}
