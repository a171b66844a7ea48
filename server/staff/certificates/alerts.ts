import { classDatesBetween } from '@tatami/contract/calendar/timetable'
import { ADULT_AGE } from '@tatami/contract/guardians/guardians'
import { addDays, birthdayOf, firstDayOf, monthOfDate } from '@tatami/contract/lib/calendar-day'
import { type CertificateAlerts, actionDay } from '@tatami/contract/staff/staff-certificates'
import { and, eq, gt, isNull, lte } from 'drizzle-orm'
import { readTimetable } from '../../calendar/timetable/timetable.ts'
import { byName } from '../../db/columns.ts'
import type { Tx } from '../../db/database.ts'
import { todayOf } from '../../dojos/dojos.ts'
import { groupRows, pick, pluck } from '../../lib/rows.ts'
import { instructors } from '../../sensei/tables.ts'
import { enrollments, isCurrentStudent, students } from '../../students/tables.ts'
import { staffMembers } from '../tables.ts'
import { actionOn, isNewestOfKind } from './certificates.ts'
import { certificateKinds, staffCertificates } from './tables.ts'
import { findTeachers } from './teachers.ts'

/** How far ahead the dashboard shows certificates that end. */
const DAYS_AHEAD = 30

export async function readCertificateAlerts(tx: Tx, dojoId: string): Promise<CertificateAlerts> {
  const today = await todayOf(tx, dojoId)
  const certificates = await findEndingCertificates(tx, addDays(today, DAYS_AHEAD))
  const expiredCertificates = certificates.filter((certificate) => actionDay(certificate) < today)
  const endingSoon = certificates.filter((certificate) => actionDay(certificate) >= today)
  return {
    expired: expiredCertificates.length,
    ending: countByMonth(endingSoon.map(actionDay)),
    teachers: await findTeachersOfMinors(tx, expiredCertificates, today),
  }
}

type EndingCertificate = Awaited<ReturnType<typeof findEndingCertificates>>[number]

const findEndingCertificates = (tx: Tx, lastDay: string) =>
  tx
    .select({
      ...pick(staffCertificates, 'staff_id', 'expires_on', 'recheck_on'),
      kind: certificateKinds.name,
      name: instructors.name,
    })
    .from(staffCertificates)
    .innerJoin(certificateKinds, eq(certificateKinds.id, staffCertificates.kind_id))
    .innerJoin(instructors, eq(instructors.id, staffCertificates.staff_id))
    .innerJoin(staffMembers, eq(staffMembers.instructor_id, staffCertificates.staff_id))
    .where(
      and(
        isNull(staffCertificates.removed_at),
        isNull(staffMembers.ended_at),
        lte(actionOn, lastDay),
        isNewestOfKind,
      ),
    )
    .orderBy(...byName(instructors), certificateKinds.name)

const countByMonth = (days: string[]): CertificateAlerts['ending'] =>
  [...Map.groupBy(days, (day) => firstDayOf(monthOfDate(day)))]
    .map(([month, daysInMonth]) => ({ month, count: daysInMonth.length }))
    .toSorted((first, second) => first.month.localeCompare(second.month))

async function findTeachersOfMinors(
  tx: Tx,
  expiredCertificates: EndingCertificate[],
  today: string,
): Promise<CertificateAlerts['teachers']> {
  if (expiredCertificates.length === 0) return []
  const classIds = await findClassesWithMinors(tx, today)
  const dates = classDatesBetween(await readTimetable(tx, today, today), today, today).filter(
    ({ class_id, status }) => status === 'on' && classIds.has(class_id),
  )
  const teachersByClass = await findTeachers(tx, dates, today)
  const certificatesByPerson = groupRows(expiredCertificates, ({ staff_id }) => staff_id)
  return dates.flatMap(({ class_id }) =>
    (teachersByClass.get(class_id) ?? []).flatMap((teacherId) => {
      const certificates = certificatesByPerson.get(teacherId)
      if (!certificates) return []
      return [{ class_id, name: certificates[0].name, kinds: pluck(certificates, 'kind') }]
    }),
  )
}

async function findClassesWithMinors(tx: Tx, today: string): Promise<Set<string>> {
  const rows = await tx
    .selectDistinct({ class_id: enrollments.class_id })
    .from(enrollments)
    .innerJoin(students, eq(students.id, enrollments.student_id))
    .where(
      and(
        isCurrentStudent,
        eq(students.awaits_approval, false),
        gt(students.date_of_birth, birthdayOf(today, -ADULT_AGE)),
      ),
    )
  return new Set(pluck(rows, 'class_id'))
}
