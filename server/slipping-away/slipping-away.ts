import {
  MISSED_DAYS,
  OUTCOME_DAYS,
  RETURN_DAYS,
  SLIPPING_LISTS,
  type SlippingAway,
  type SlippingList,
  slippingListsOf,
  type SlippingStudent,
} from '@tatami/contract/slipping-away/slipping-away'
import { sql } from 'drizzle-orm'
import { attendance } from '../attendance/tables.ts'
import { readShownRanks } from '../belts/shown-ranks.ts'
import type { Tx } from '../db/database.ts'
import { todayIn } from '../dojos/calendar.ts'
import { dojoById } from '../dojos/dojos.ts'
import type { Member } from '../http/serve.ts'
import { students } from '../students/tables.ts'
import { textStudents } from '../texting/conversations/replies.ts'
import { countStudents, type DojoDay } from './count.ts'
import { slippingTexts } from './tables.ts'

/** The dojo's list, or its first `limit` students; the counts are of all. */
export async function slippingAway(tx: Tx, dojoId: string, limit?: number): Promise<SlippingAway> {
  const day = await dojoDay(tx, dojoId)
  const slippingStudents = await listedStudents(tx, day)
  const visibleStudents = slippingStudents.slice(0, limit)
  const rankOf = await readShownRanks(
    tx,
    day.today,
    visibleStudents.map(({ student_id }) => student_id),
  )
  const countOf = (list: SlippingList) =>
    slippingStudents.filter(({ lists }) => lists.includes(list)).length
  const counts = Object.fromEntries(SLIPPING_LISTS.map((list) => [list, countOf(list)])) as Record<
    SlippingList,
    number
  >
  const outcome = await outcomeOfTexts(tx, day.today)
  return {
    counts: { all: slippingStudents.length, ...counts },
    students: visibleStudents.map((student) => ({
      ...student,
      rank: rankOf({ ...student, id: student.student_id }),
    })),
    outcome,
  }
}

async function dojoDay(tx: Tx, dojoId: string): Promise<DojoDay> {
  const { time_zone } = await dojoById(tx, dojoId)
  return { today: todayIn(time_zone), timeZone: time_zone }
}

const listedStudents = async (tx: Tx, day: DojoDay) =>
  (await countStudents(tx, day))
    .map((student) => ({ ...student, lists: slippingListsOf(student) }))
    .filter(({ lists }) => lists.length > 0)
    .toSorted(
      (a, b) => rankOf(a) - rankOf(b) || a.days - b.days || a.name.localeCompare(b.name, 'en'),
    )

/** Whoever has missed a week stands before those who only come less often, and trial students come last. */
const rankOf = ({ lists, days }: Pick<SlippingStudent, 'lists' | 'days'>) =>
  lists.includes('trial') ? 2 : days >= MISSED_DAYS ? 0 : 1

async function outcomeOfTexts(tx: Tx, today: string): Promise<SlippingAway['outcome']> {
  const { rows } = await tx.execute<SlippingAway['outcome']>(sql`
    select count(*)::int as texted, count(*) filter (where came)::int as came_back,
      count(*) filter (where is_open and not came)::int as still_open
    from (select bool_or(exists (select from ${attendance} a where a.student_id = t.student_id and a.present
          and a.class_date between t.counts_from and least(t.sent_on + ${sql.raw(String(RETURN_DAYS))}, ${today}::date))) as came,
        max(t.sent_on) >= ${today}::date - ${sql.raw(String(RETURN_DAYS))} as is_open
      from ${slippingTexts} t where t.sent_on > ${today}::date - ${sql.raw(String(OUTCOME_DAYS))} group by t.student_id) texted`)
  return rows[0]!
}

/** Texts these students, and remembers those in the list to whom a text went: a sibling who comes as ever has nothing to come back from. */
export async function textSlippingStudents(
  tx: Tx,
  caller: Member,
  ids: readonly string[],
  message: Parameters<typeof textStudents>[3],
) {
  const day = await dojoDay(tx, caller.dojoId)
  const sentBatch = await textStudents(tx, caller, ids, message)
  const skippedIds = sentBatch.skipped.map(({ student_id }) => student_id)
  const listedIds = (await listedStudents(tx, day)).map(({ student_id }) => student_id)
  const textedIds = listedIds.filter((id) => ids.includes(id) && !skippedIds.includes(id))
  const today = sql`${day.today}::date`
  await tx.execute(sql`insert into ${slippingTexts} (student_id, batch_id, sent_on, counts_from)
    select s.id, ${sentBatch.batch_id}, ${today},
      ${today} + exists (select from ${attendance} a where a.student_id = s.id and a.present and a.class_date = ${today})::int
    from ${students} s where s.id = any(${sql.param(textedIds)}::uuid[])`)
  return sentBatch
}
