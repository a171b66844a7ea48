import {
  MISSED_DAYS,
  OUTCOME_DAYS,
  RETURN_DAYS,
  type SlippingAway,
  type SlippingList,
  findSlippingLists,
  type SlippingStudent,
} from '@tatami/contract/slipping-away/slipping-away'
import { sql } from 'drizzle-orm'
import { attendance } from '../attendance/tables.ts'
import { readShownRanks } from '../belts/current-ranks.ts'
import type { Tx } from '../db/database.ts'
import { todayIn } from '../dojos/calendar.ts'
import { dojoById } from '../dojos/dojos.ts'
import type { DojoCaller } from '../http/serve.ts'
import { firstRow, pluck } from '../lib/rows.ts'
import { students } from '../students/tables.ts'
import { textStudents } from '../texting/conversations/replies.ts'
import { countMarksByStudent, type DojoDay } from './count.ts'
import { slippingTexts } from './tables.ts'

/** Lists at most `limit` students, but counts all. */
export async function readSlippingAway(
  tx: Tx,
  dojoId: string,
  limit?: number,
): Promise<SlippingAway> {
  const day = await readDojoDay(tx, dojoId)
  const slippingStudents = await listSlippingStudents(tx, day)
  const visibleStudents = slippingStudents.slice(0, limit)
  const shownRanks = await readShownRanks(tx, pluck(visibleStudents, 'student_id'))
  const countStudents = (list: SlippingList) =>
    slippingStudents.filter(({ lists }) => lists.includes(list)).length
  return {
    counts: {
      all: slippingStudents.length,
      days_7_to_14: countStudents('days_7_to_14'),
      days_15_to_21: countStudents('days_15_to_21'),
      days_22_to_30: countStudents('days_22_to_30'),
      over_30_days: countStudents('over_30_days'),
      coming_less: countStudents('coming_less'),
      trial: countStudents('trial'),
    },
    students: visibleStudents.map((student) => ({
      ...student,
      rank: shownRanks.get(student.student_id) ?? null,
    })),
    outcome: await readOutcome(tx, day.today),
  }
}

async function readDojoDay(tx: Tx, dojoId: string): Promise<DojoDay> {
  const { time_zone } = await dojoById(tx, dojoId)
  return { today: todayIn(time_zone), timeZone: time_zone }
}

const listSlippingStudents = async (tx: Tx, day: DojoDay) =>
  (await countMarksByStudent(tx, day))
    .map((student) => ({ ...student, lists: findSlippingLists(student) }))
    .filter(({ lists }) => lists.length > 0)
    .toSorted(
      (first, second) =>
        groupOrder(first) - groupOrder(second) ||
        first.days - second.days ||
        first.name.localeCompare(second.name, 'en'),
    )

/** Students who missed a week come first, then those who come less often, then trial students. */
const groupOrder = ({ lists, days }: Pick<SlippingStudent, 'lists' | 'days'>) => {
  if (lists.includes('trial')) return 2
  return days >= MISSED_DAYS ? 0 : 1
}

async function readOutcome(tx: Tx, today: string): Promise<SlippingAway['outcome']> {
  const returnDays = sql.raw(String(RETURN_DAYS))
  const outcomeDays = sql.raw(String(OUTCOME_DAYS))
  const { rows } = await tx.execute<SlippingAway['outcome']>(sql`
    select count(*)::int as texted, count(*) filter (where came_back)::int as came_back,
      count(*) filter (where is_open and not came_back)::int as still_open
    from (
      select max(sent_text.sent_on) >= ${today}::date - ${returnDays} as is_open,
        bool_or(exists (
          select from ${attendance} mark
          where mark.student_id = sent_text.student_id and mark.present
            and mark.class_date between sent_text.counts_from
              and least(sent_text.sent_on + ${returnDays}, ${today}::date)
        )) as came_back
      from ${slippingTexts} sent_text
      where sent_text.sent_on > ${today}::date - ${outcomeDays}
      group by sent_text.student_id
    ) texted`)
  return firstRow(rows)
}

/** Siblings who only share the phone do not count in the outcome. */
export async function textSlippingStudents(
  tx: Tx,
  caller: DojoCaller,
  ids: readonly string[],
  message: Parameters<typeof textStudents>[3],
) {
  const day = await readDojoDay(tx, caller.dojoId)
  const sentBatch = await textStudents(tx, caller, ids, message)
  const skippedIds = pluck(sentBatch.skipped, 'student_id')
  const listedIds = pluck(await listSlippingStudents(tx, day), 'student_id')
  const textedIds = listedIds.filter((id) => ids.includes(id) && !skippedIds.includes(id))
  const today = sql`${day.today}::date`
  await tx.execute(sql`
    insert into ${slippingTexts} (student_id, batch_id, sent_on, counts_from)
    select student.id, ${sentBatch.batch_id}, ${today}, ${today} + exists (
      select from ${attendance} mark
      where mark.student_id = student.id and mark.present and mark.class_date = ${today}
    )::int
    from ${students} student where student.id = any(${sql.param(textedIds)}::uuid[])`)
  return sentBatch
}
