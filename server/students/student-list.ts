import type { Relation } from '@tatami/contract/guardians'
import type { Belt } from '@tatami/contract/ranks'
import type { Student } from '@tatami/contract/students'
import type { Gender } from '@tatami/contract/users'
import { getTableColumns, sql } from 'drizzle-orm'
import {
  type FoundRanks,
  NO_RANKS,
  readShownRanks,
  shownRanksOf,
} from '../belt-history/shown-ranks.ts'
import type { Tx } from '../db/database.ts'
import { prepared } from '../db/prepared.ts'
import {
  dollarsOrNull,
  flagOrNull,
  idPairs,
  idsIn,
  numberOrNull,
  rareColumn,
  rareReader,
  readIdPairs,
  readTextRows,
  textColumns,
  textOrNull,
  trueOrNull,
} from '../db/text-columns.ts'
import { dojos } from '../dojos/tables.ts'
import { nowIso } from '../lib/clock.ts'
import { notFound } from '../lib/refusal.ts'
import { guardians, guardianships } from '../families/tables.ts'
import { paymentRecords, recordsOf } from '../payments/tables.ts'
import { enrolments, studentNotes, students } from './tables.ts'

// The order of the database depends on its locale, and without one puts Émile after Zoe. With another sensitivity V8 compares four times
// more slowly.
const alphabet = new Intl.Collator('en')

const value = sql.placeholder

const {
  dojo_id: _,
  created_at: __,
  vacation_from: ___,
  vacation_until: ____,
  former_fee: _____,
  former_fee_month: ______,
  pays_since: _______,
  is_trial,
  on_vacation,
  sibling_exempt,
  awaits_approval,
  app_returned,
  payment_method,
  price_note,
  belt_size,
  ...ownColumns
} = getTableColumns(students)

const studentsWithMedicalNote = sql`select ${studentNotes.student_id} from ${studentNotes}
  where ${studentNotes.allergies} is not null or ${studentNotes.medical_note} is not null`

const rareColumns = {
  is_trial: trueOrNull(is_trial),
  on_vacation: trueOrNull(on_vacation),
  sibling_exempt: trueOrNull(sibling_exempt),
  awaits_approval: trueOrNull(awaits_approval),
  has_medical_note: trueOrNull(sql`(${students.id} in (${studentsWithMedicalNote}))`),
  app_returned,
  payment_method,
  price_note,
  belt_size,
}
const readRare = rareReader(rareColumns)

const columns = {
  ...ownColumns,
  current_month_paid: sql`(${students.id} in (select student_id from paid))`,
  rare: rareColumn(rareColumns),
}

const findRows = sql`with dojo as (
    select name, city, state, ${value('now')}::timestamptz at time zone time_zone as today from ${dojos} where id = ${value('dojo_id')}
  ), paid as (
    select ${paymentRecords.student_id} from ${paymentRecords} where ${paymentRecords.payment_status} = 'paid' and ${recordsOf(
      {
        year: sql`(select extract(year from today) from dojo)::smallint`,
        month: sql`(select extract(month from today) - 1 from dojo)::smallint`,
      },
    )}
  )
  select dojo.name as dojo_name, dojo.city, dojo.state, dojo.today::date::text as today, (
    select ${textColumns(columns)} from ${students}`

// Enrolments and guardians are read beside the students and put together here. Joined, enrolments take PostgreSQL half as long again; and for
// guardians, a plan made before there were any reads all links for each student.
const findEnrolments = sql`select ${idPairs(
  enrolments.student_id,
  enrolments.class_id,
  sql`${enrolments.created_at}, ${enrolments.class_id}`,
)} from ${enrolments}`

const linkColumns = {
  student_id: guardianships.student_id,
  id: guardians.id,
  name: guardians.name,
  relation: guardianships.relation,
  phone: guardians.phone,
  email: guardians.email,
  pays: guardianships.pays,
  gets_texts: guardianships.gets_texts,
  emergency_rank: guardianships.emergency_rank,
}
const findLinks = sql`select ${textColumns(linkColumns, sql`${guardianships.since}, ${guardians.id}`)} from ${guardianships}
    join ${guardians} on ${guardians.id} = ${guardianships.guardian_id} where ${guardianships.ended_at} is null`

type Moment = { dojo_id: string; now: string }
type Found = Pick<Student, 'dojo_name' | 'city' | 'state'> &
  FoundRanks & { today: string } & Record<'rows' | 'enrolled' | 'links', string | null>
const findStudents = prepared<Moment, Found>(
  'find_students',
  sql`${findRows}) as rows, (${findEnrolments}) as enrolled, (${findLinks}) as links, ${shownRanksOf(sql`true`)} from dojo`,
)
const findStudent = prepared<Moment & { id: string }, Found>(
  'find_student',
  sql`${findRows} where ${students.id} = ${value('id')}) as rows,
    (${findEnrolments} where ${enrolments.student_id} = ${value('id')}) as enrolled,
    (${findLinks} and ${guardianships.student_id} = ${value('id')}) as links,
    ${shownRanksOf(sql`c.student_id = ${value('id')}`)} from dojo`,
)

const guardiansByStudent = (links: string | null): Map<string, Student['guardians']> => {
  const read = readTextRows(linkColumns, links, (of, row) => ({
    studentId: of.student_id[row]!,
    guardian: {
      id: of.id[row]!,
      name: of.name[row]!,
      relation: of.relation[row] as Relation,
      phone: textOrNull(of.phone[row]),
      email: textOrNull(of.email[row]),
      pays: of.pays[row] === 'true',
      gets_texts: of.gets_texts[row] === 'true',
      emergency_rank: numberOrNull(of.emergency_rank[row]),
    },
  }))
  const byStudent = Map.groupBy(read, ({ studentId }) => studentId)
  return new Map([...byStudent].map(([id, found]) => [id, found.map(({ guardian }) => guardian)]))
}

function classesByStudent(enrolled: string | null): Map<string, string[]> {
  const classes = new Map<string, string[]>()
  readIdPairs(enrolled, (student, classId) => {
    const known = classes.get(student)
    if (known) known.push(classId)
    else classes.set(student, [classId])
  })
  return classes
}

function studentsIn([found]: Found[]): Student[] {
  const classesOf = classesByStudent(found?.enrolled ?? null)
  const guardiansOf = guardiansByStudent(found?.links ?? null)
  const rankOf = readShownRanks(found ?? NO_RANKS, found?.today ?? '')
  return readTextRows(columns, found?.rows ?? null, (of, row) => {
    const rare = readRare(of.rare[row]!)
    return {
      id: of.id[row]!,
      name: of.name[row]!,
      email: textOrNull(of.email[row]),
      is_instructor: false,
      is_super_admin: false,
      dojo_name: found!.dojo_name,
      contact_number: textOrNull(of.phone_number[row]),
      city: found!.city,
      state: found!.state,
      phone_number: textOrNull(of.phone_number[row]),
      belt_level: of.belt_level[row] as Belt,
      date_of_birth: textOrNull(of.date_of_birth[row]),
      gender: textOrNull(of.gender[row]) as Gender | null,
      emergency_contact_name: textOrNull(of.emergency_contact_name[row]),
      emergency_contact_phone: textOrNull(of.emergency_contact_phone[row]),
      class_preferences: idsIn(of.class_preferences[row]),
      enrolled_classes: classesOf.get(of.id[row]!) ?? [],
      is_trial: rare.is_trial === 'true',
      monthly_payment_amount: dollarsOrNull(of.monthly_payment_amount[row]),
      on_vacation: rare.on_vacation === 'true',
      app_returned: flagOrNull(rare.app_returned),
      payment_method: textOrNull(rare.payment_method),
      current_month_paid: of.current_month_paid[row] === 'true',
      guardians: guardiansOf.get(of.id[row]!) ?? [],
      has_medical_note: rare.has_medical_note === 'true',
      price_note: textOrNull(rare.price_note),
      sibling_exempt: rare.sibling_exempt === 'true',
      awaits_approval: rare.awaits_approval === 'true',
      belt_size: textOrNull(rare.belt_size),
      rank: rankOf({
        id: of.id[row]!,
        belt_level: of.belt_level[row] as Belt,
        date_of_birth: textOrNull(of.date_of_birth[row]),
      }),
    }
  })
}

const byName = (a: Student, b: Student) =>
  alphabet.compare(a.name, b.name) || (a.id < b.id ? -1 : 1)

/** The dojo's students by name, those of one name as they were added. It asks at once, for `andCommit`. */
export async function allStudents(tx: Tx, dojoId: string): Promise<Student[]> {
  return studentsIn(await findStudents(tx, { dojo_id: dojoId, now: nowIso() })).toSorted(byName)
}

export async function studentById(tx: Tx, dojoId: string, id: string): Promise<Student> {
  const [found] = studentsIn(await findStudent(tx, { dojo_id: dojoId, now: nowIso(), id }))
  if (!found) throw notFound('Student')
  return found
}
