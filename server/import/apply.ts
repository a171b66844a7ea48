import type { StoredImport } from '@tatami/contract/import/import'
import { isVacationOn } from '@tatami/contract/students/student-page'
import { auditAction } from '../audit/audit.ts'
import { raiseStripes } from '../belts/raise-stripes.ts'
import { recordStartingRanks } from '../belts/change-belt.ts'
import { addNamedClasses } from '../classes/classes.ts'
import type { Tx } from '../db/database.ts'
import { inviteAll } from '../families/login-invitations.ts'
import {
  type Actor,
  addGuardianWithAccount,
  insertGuardians,
} from '../guardians/guardian-records.ts'
import { linkGuardiansOfNewStudents } from '../guardians/guardianships.ts'
import { nowIso } from '../lib/clock.ts'
import type { Email } from '../lib/mail.ts'
import { firstRow, getOrThrow, pick, pluck } from '../lib/rows.ts'
import { addEnrollments } from '../students/enrollments.ts'
import { insertStudents } from '../students/students.ts'
import type { students } from '../students/tables.ts'
import { recordImportedOptOuts } from '../texting/consents.ts'
import { writeOpeningBalances } from '../dues/opening-balances.ts'
import { markFormerStudents } from './former-students.ts'
import { fillInStudents } from './fill-in.ts'
import { hashClasses, hashGuardians, hashStudents } from './fingerprints.ts'
import type { GuardianInPlan } from './guardians.ts'
import { toHistoryColumns, listOpeningBalances, toStartingRank } from './history.ts'
import { addNotesOfNewStudents } from './import-notes.ts'
import { toStoredImport } from './imports.ts'
import { startMemberships } from './memberships.ts'
import { isMerged, type Plan, type PlannedStudent } from './plan.ts'
import { planLinks } from './planned-links.ts'
import { type ImportDetails, studentImports } from './tables.ts'
import { findOnlyWaiver, noteWaiverDays, recordWaivers } from './waivers.ts'

/** Writes what the plan says, and stores what is needed to undo it. Returns the invitation mails,
 *  which must be sent only after the commit. */
export async function applyImport(
  tx: Tx,
  caller: Actor,
  preparedPlan: Plan,
  publicUrl: string,
): Promise<{ storedImport: StoredImport | null; mails: Email[] }> {
  if (preparedPlan.students.length === 0) return { storedImport: null, mails: [] }
  const waiver = await findOnlyWaiver(tx)
  const plan = waiver ? preparedPlan : noteWaiverDays(preparedPlan)
  const importedAt = nowIso()
  const newStudents = plan.students.filter((student) => !isMerged(student))
  const newClasses = plan.classes.listNewClasses()
  const newGuardians = plan.guardians.filter(({ isNew }) => isNew)
  await addNamedClasses(tx, newClasses)
  await addStudents(tx, caller, newStudents, plan)
  await addGuardians(tx, newGuardians)
  await markFormerStudents(tx, newStudents, plan.today)
  await linkNewStudents(tx, caller, newStudents, plan)
  const filledStudents = await fillInStudents(tx, caller, plan.students.filter(isMerged), plan)
  await enrollNewStudents(tx, newStudents)
  const newPlanIds = await startMemberships(tx, caller, plan.memberships, plan.today)
  await addNotesOfNewStudents(tx, caller, newStudents, plan)
  const balance_acts = await writeOpeningBalances(tx, caller, listOpeningBalances(plan))
  const waiver_ids = waiver ? await recordWaivers(tx, caller, plan, waiver) : []
  const mails = await inviteAll(tx, caller, plan.invitees, publicUrl)
  const optOuts = plan.optOuts.map(({ phone, quote }) => ({ phone, words: quote }))
  const consents = await recordImportedOptOuts(tx, optOuts, caller.id)
  const fingerprints = await hashStudents(tx, pluck(plan.students, 'id'))
  const withFingerprint = (id: string) => ({ id, mark: getOrThrow(fingerprints, id) })
  const details: ImportDetails = {
    students: newStudents.map(({ id }) => withFingerprint(id)),
    merged: filledStudents.map((student) => ({ ...student, ...withFingerprint(student.id) })),
    guardians: await hashGuardians(tx, pluck(newGuardians, 'id')),
    classes: await hashClasses(tx, pluck(newClasses, 'id')),
    consents,
    balance_acts,
    plan_ids: newPlanIds,
    waiver_ids,
  }
  const importRows = await tx
    .insert(studentImports)
    .values({ actor_id: caller.id, created_at: importedAt, details })
    .returning({ id: studentImports.id })
  const { id } = firstRow(importRows)
  await auditAction(tx, caller, 'students imported', {
    subject_id: id,
    details: {
      students: newStudents.length,
      merged: plan.mergedRowCount,
      guardians: newGuardians.length,
      classes: newClasses.length,
    },
  })
  return { storedImport: toStoredImport(id, importedAt, details), mails }
}

async function addStudents(
  tx: Tx,
  caller: Actor,
  newStudents: PlannedStudent[],
  plan: Plan,
): Promise<void> {
  const rows = newStudents.map((student) => toStudentRow(student, plan))
  await insertStudents(tx, rows)
  if (plan.stripeRaise) await raiseStripes(tx, caller, plan.stripeRaise)
  await recordStartingRanks(
    tx,
    caller,
    plan.today,
    newStudents.map((student) => toStartingRank(student, plan)),
  )
}

/** Fields that the sheet does not have are null. A student without a belt gets the white belt. */
function toStudentRow(student: PlannedStudent, plan: Plan): typeof students.$inferInsert {
  const { id, person, classes, departure } = student
  const { today } = plan
  const startsOnVacation = person.on_vacation && departure === null
  const vacation = { vacation_from: startsOnVacation ? today : null, vacation_until: null }
  return {
    id,
    email: null,
    ...pick(person, 'name', 'phone_number', 'date_of_birth', 'gender', 'is_trial'),
    ...pick(person, 'emergency_contact_name', 'emergency_contact_phone'),
    ...pick(person, 'monthly_payment_amount', 'payment_method'),
    belt_level: person.belt_level ?? 'white',
    class_preferences: departure === null ? pluck(classes, 'id') : [],
    ...toHistoryColumns(student, plan),
    ...vacation,
    on_vacation: isVacationOn(today, vacation),
  }
}

async function addGuardians(tx: Tx, newGuardians: GuardianInPlan[]): Promise<void> {
  const rows = newGuardians
    .filter(({ hasAccount }) => !hasAccount)
    .map((guardian) => pick(guardian, 'id', 'name', 'phone', 'email'))
  await insertGuardians(tx, rows)
  for (const { id, phone } of newGuardians.filter(({ hasAccount }) => hasAccount))
    await addGuardianWithAccount(tx, id, { phone })
}

async function linkNewStudents(
  tx: Tx,
  caller: Actor,
  newStudents: PlannedStudent[],
  plan: Plan,
): Promise<void> {
  const links = newStudents.flatMap((student) =>
    planLinks(student, plan).map((link) => ({ ...link, student_id: student.id })),
  )
  await linkGuardiansOfNewStudents(tx, caller, links)
}

async function enrollNewStudents(tx: Tx, newStudents: PlannedStudent[]): Promise<void> {
  const currentStudents = newStudents.filter(({ departure }) => departure === null)
  const enrollments = currentStudents.flatMap(({ id: student_id, classes }) =>
    classes.map(({ id: class_id }) => ({ student_id, class_id })),
  )
  await addEnrollments(tx, enrollments)
}
