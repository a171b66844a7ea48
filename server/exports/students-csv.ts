import { formatDecimal } from '@tatami/contract/lib/money'
import { joinNames, STUDENT_CSV_COLUMNS } from '@tatami/contract/import/students-csv'
import { MONEY_RIGHTS, type Right } from '@tatami/contract/rights'
import { asc, desc, eq, getTableColumns, isNull, and, sql } from 'drizzle-orm'
import { classes } from '../classes/tables.ts'
import { equalsAny } from '../db/bulk.ts'
import { guardians, guardianships } from '../guardians/tables.ts'
import { enrollments, isCurrentStudent, studentNotes, students } from '../students/tables.ts'
import type { ExportSource } from './blocks.ts'
import type { CsvRow } from './csv.ts'

const STUDENTS_PER_BLOCK = 500

type StudentColumn = keyof typeof students.$inferSelect

const MONEY_COLUMNS = [
  'monthly_payment_amount',
  'payment_method',
  'price_note',
  'sibling_exempt',
  'paid_through',
] as const satisfies StudentColumn[]

/** Ids, prices of a single month, and values that other columns of the list already show. */
const HIDDEN_COLUMNS: readonly StudentColumn[] = [
  'dojo_id',
  'id',
  'class_preferences',
  'created_at',
  'pays_since',
  'left_classes',
  'returned_on',
  'previously_left_on',
  'former_fee',
  'former_fee_month',
  'kept_price',
  'kept_price_of',
  'kept_price_reason',
  'kept_price_month',
]

/** Columns of a student that instructors can download, but that an import does not read. */
export const MORE_STUDENT_COLUMNS = (Object.keys(getTableColumns(students)) as StudentColumn[])
  .filter((column) => !HIDDEN_COLUMNS.includes(column))
  .filter((column) => !(STUDENT_CSV_COLUMNS as readonly string[]).includes(column))

/** The columns that an import reads come first. The list has at most two guardians per student. */
export const STUDENTS_CSV: readonly string[] = [
  ...STUDENT_CSV_COLUMNS,
  ...MORE_STUDENT_COLUMNS,
  'enrolled_at',
  'student_id',
]

/** To see these columns, staff need one of the rights, in addition to the right to the list. */
const RIGHTS_BY_COLUMN: ReadonlyMap<string, readonly Right[]> = new Map<string, readonly Right[]>([
  ...MONEY_COLUMNS.map((column) => [column, MONEY_RIGHTS] as const),
  ['allergies', ['medical']],
  ['medical_note', ['medical']],
  ['left_note', ['notes']],
])

export const listVisibleColumns = (rights: ReadonlySet<Right>): string[] =>
  STUDENTS_CSV.filter((column) => {
    const neededRights = RIGHTS_BY_COLUMN.get(column)
    return neededRights === undefined || neededRights.some((right) => rights.has(right))
  })

/** Without `studentIds`, all current students are selected. `withFormer` adds former students. */
type Selection = { studentIds?: readonly string[] | undefined; withFormer?: boolean }

export async function* readStudentRows(
  source: ExportSource,
  { studentIds, withFormer = false }: Selection = {},
): AsyncGenerator<CsvRow[]> {
  const condition = withFormer ? undefined : isCurrentStudent
  const studentIdRows = await source.tx
    .select({ id: students.id })
    .from(students)
    .where(studentIds ? equalsAny(students.id, [...studentIds]) : condition)
    .orderBy(asc(sql`lower(${students.name})`), asc(students.id))
  for (let start = 0; start < studentIdRows.length; start += STUDENTS_PER_BLOCK) {
    source.signal.throwIfAborted()
    yield await readBlock(
      source,
      studentIdRows.slice(start, start + STUDENTS_PER_BLOCK).map(({ id }) => id),
    )
  }
}

async function readBlock({ tx }: ExportSource, ids: string[]): Promise<CsvRow[]> {
  const { allergies, medical_note } = studentNotes
  const rows = await tx
    .select({ ...getTableColumns(students), allergies, medical_note })
    .from(students)
    .leftJoin(studentNotes, eq(studentNotes.student_id, students.id))
    .where(equalsAny(students.id, ids))
  const enrollmentRows = await tx
    .select({ student_id: enrollments.student_id, name: classes.class_name })
    .from(enrollments)
    .innerJoin(classes, eq(classes.id, enrollments.class_id))
    .where(equalsAny(enrollments.student_id, ids))
    .orderBy(asc(enrollments.created_at), asc(enrollments.class_id))
  const links = await tx
    .select({
      student_id: guardianships.student_id,
      relation: guardianships.relation,
      name: guardians.name,
      email: guardians.email,
      phone: guardians.phone,
    })
    .from(guardianships)
    .innerJoin(guardians, eq(guardians.id, guardianships.guardian_id))
    .where(and(equalsAny(guardianships.student_id, ids), isNull(guardianships.ended_at)))
    .orderBy(desc(guardianships.pays), asc(guardianships.since), asc(guardians.id))
  const studentById = new Map(rows.map((row) => [row.id, row]))
  const classesByStudent = Map.groupBy(enrollmentRows, ({ student_id }) => student_id)
  const guardiansByStudent = Map.groupBy(links, ({ student_id }) => student_id)
  return ids.flatMap((id) => {
    const student = studentById.get(id)
    if (!student) return []
    const [firstGuardian, secondGuardian] = guardiansByStudent.get(id) ?? []
    return {
      ...student,
      student_id: id,
      enrolled_at: student.created_at,
      classes: joinNames((classesByStudent.get(id) ?? []).map(({ name }) => name)),
      monthly_payment_amount: formatDecimal(student.monthly_payment_amount),
      guardian_name: firstGuardian?.name,
      guardian_relation: firstGuardian?.relation,
      guardian_email: firstGuardian?.email,
      guardian_phone: firstGuardian?.phone,
      guardian_2_name: secondGuardian?.name,
      guardian_2_relation: secondGuardian?.relation,
      guardian_2_email: secondGuardian?.email,
      guardian_2_phone: secondGuardian?.phone,
    }
  })
}
