import type { ImportPlan } from '@tatami/contract/import/import-plan'
import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { auditLog } from '../audit/tables.ts'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { guardians } from '../guardians/tables.ts'
import { sha256 } from '../lib/secrets.ts'
import type { GuardianInPlan } from './guardians.ts'
import type { DojoRecords } from './dojo-records.ts'
import type { PlannedStudent } from './plan.ts'
import { studentImports } from './tables.ts'

type GuardianQuestion = ImportPlan['guardian_questions'][number]
type StudentLink = ImportPlan['added_links'][number]

export type LinkReview = {
  questions: GuardianQuestion[]
  added: StudentLink[]
  ended: StudentLink[]
}

/** Reviews the guardians that the sheet names for existing students. A link that was ended is not
 *  restored. If a guardian of the student was deleted, we ask before adding a new one, who may be
 *  the same person. */
export function reviewLinks(
  students: readonly PlannedStudent[],
  dojo: DojoRecords,
  studentsWithDeletedGuardian: ReadonlySet<string>,
  approvedQuestions: ReadonlySet<string>,
): LinkReview {
  const review: LinkReview = { questions: [], added: [], ended: [] }
  const uncertainStudents = new Map<GuardianInPlan, PlannedStudent[]>()
  for (const student of students) {
    if (student.existing === null) continue
    for (const guardian of student.guardians) {
      const key = `${guardian.id} ${student.id}`
      if (dojo.endedLinkKeys.has(key)) review.ended.push(toStudentLink(student, guardian))
      else if (guardian.isNew && studentsWithDeletedGuardian.has(student.id))
        uncertainStudents.set(guardian, [...(uncertainStudents.get(guardian) ?? []), student])
      else if (!dojo.linkKeys.has(key)) review.added.push(toStudentLink(student, guardian))
    }
    const endedGuardians = student.guardians.filter(({ id }) =>
      dojo.endedLinkKeys.has(`${id} ${student.id}`),
    )
    for (const guardian of endedGuardians) withholdGuardian(student, guardian)
  }
  for (const [guardian, guardianStudents] of uncertainStudents) {
    const question = buildQuestion(guardian, guardianStudents, approvedQuestions)
    review.questions.push(question)
    for (const student of guardianStudents) {
      if (question.is_added) review.added.push(toStudentLink(student, guardian))
      else withholdGuardian(student, guardian)
    }
  }
  return review
}

const findStudentName = ({ existing, person }: PlannedStudent): string =>
  existing?.name ?? person.name

const toStudentLink = (student: PlannedStudent, { name }: GuardianInPlan): StudentLink => ({
  guardian: name,
  student: findStudentName(student),
  student_id: student.id,
})

/** Does not link the guardian to the student. */
function withholdGuardian(student: PlannedStudent, guardian: GuardianInPlan): void {
  student.guardians = student.guardians.filter((candidate) => candidate !== guardian)
  student.withheldGuardians.push(guardian)
  guardian.rows = guardian.rows.filter((row) => !student.rows.includes(row))
}

function buildQuestion(
  { name, email, phone }: GuardianInPlan,
  students: readonly PlannedStudent[],
  approvedQuestions: ReadonlySet<string>,
): GuardianQuestion {
  const ids = students.map(({ id }) => id).toSorted()
  const id = sha256(JSON.stringify([name, email, phone, ids]))
  const names = students.map(findStudentName)
  return { id, guardian: name, email, phone, students: names, is_added: approvedQuestions.has(id) }
}

export async function findStudentsWithDeletedGuardian(
  tx: Tx,
  dojoId: string,
  studentIds: string[],
): Promise<Set<string>> {
  if (studentIds.length === 0) return new Set()
  const studentId = sql<string>`${auditLog.details}->>'student_id'`
  const links = await tx
    .selectDistinct({ student_id: studentId, guardian_id: auditLog.subject_id })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.dojo_id, dojoId),
        eq(auditLog.action, 'guardian linked'),
        sql`${studentId} = any(${sql.param(studentIds)})`,
      ),
    )
  const guardianIds = [...new Set(links.flatMap(({ guardian_id }) => guardian_id ?? []))]
  const guardianRows = await tx
    .select({ id: guardians.id })
    .from(guardians)
    .where(equalsAny(guardians.id, guardianIds))
  // Guardians removed by undoing an import do not count as deleted.
  const undoneImports = await tx
    .select({ details: studentImports.details })
    .from(studentImports)
    .where(isNotNull(studentImports.undone_at))
  const undoneIds = undoneImports.flatMap(({ details }) => details.guardians.map(({ id }) => id))
  const notDeletedIds = new Set([...guardianRows.map(({ id }) => id), ...undoneIds])
  const deletedLinks = links.filter(
    ({ guardian_id }) => guardian_id && !notDeletedIds.has(guardian_id),
  )
  return new Set(deletedLinks.map(({ student_id }) => student_id))
}
