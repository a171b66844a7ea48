import {
  MISSED_DAYS,
  OUTCOME_DAYS,
  RETURN_DAYS,
  SLIPPING_LISTS,
  type SlippingAway,
  slippingListsOf,
  type SlippingStudent,
} from '@tatami/contract/slipping-away'
import { sql } from 'drizzle-orm'
import { attendance } from '../attendance/tables.ts'
import type { Tx } from '../db/database.ts'
import { todayIn } from '../dojos/calendar.ts'
import { dojoById, todayOf } from '../dojos/dojos.ts'
import type { Member } from '../http/serve.ts'
import { students } from '../students/tables.ts'
import { textStudents } from '../texting/conversations/replies.ts'
import { countStudents } from './count.ts'
import { slippingTexts } from './tables.ts'

/** The dojo's list, or its first `limit` students; the counts are of all. */
export async function slippingAway(tx: Tx, dojoId: string, limit?: number): Promise<SlippingAway> {
  const { time_zone } = await dojoById(tx, dojoId)
  const today = todayIn(time_zone)
  const found = (await countStudents(tx, { today, timeZone: time_zone }))
    .map((counted) => ({ ...counted, lists: slippingListsOf(counted) }))
    .filter(({ lists }) => lists.length > 0)
    .toSorted((one, other) => rankOf(one) - rankOf(other) || one.days - other.days || one.name.localeCompare(other.name, 'en'))
  const countOf = (list: (typeof SLIPPING_LISTS)[number]) => found.filter(({ lists }) => lists.includes(list)).length
  const counts = Object.fromEntries(SLIPPING_LISTS.map((list) => [list, countOf(list)])) as Omit<SlippingAway['counts'], 'all'>
  return { counts: { all: found.length, ...counts }, students: found.slice(0, limit), outcome: await outcomeOfTexts(tx, today) }
}

/** Whoever has missed a week stands before those who only come less often, and trial students come last. */
const rankOf = ({ lists, days }: Pick<SlippingStudent, 'lists' | 'days'>) => (lists.includes('trial') ? 2 : days >= MISSED_DAYS ? 0 : 1)

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

/** Texts these students, and remembers those to whom a text went. */
export async function textSlippingStudents(tx: Tx, caller: Member, ids: readonly string[], text: string) {
  const sent = await textStudents(tx, caller, ids, text)
  const texted = ids.filter((id) => !sent.skipped.some(({ student_id }) => student_id === id))
  const today = await todayOf(tx, caller.dojoId)
  await tx.execute(sql`insert into ${slippingTexts} (student_id, batch_id, sent_on, counts_from)
    select s.id, ${sent.batch_id}, ${today}::date,
      case when exists (select from ${attendance} a where a.student_id = s.id and a.present and a.class_date = ${today}::date)
        then ${today}::date + 1 else ${today}::date end
    from ${students} s where s.id = any(${sql.param(texted)}::uuid[])`)
  return sent
}
