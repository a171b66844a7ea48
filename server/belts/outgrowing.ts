import { addDays } from '@tatami/contract/lib/calendar-day'
import { firstNames } from '@tatami/contract/texting/message-types'
import { and, eq, isNotNull, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { nowIso } from '../lib/clock.ts'
import { formatFullDate } from '../lib/format-day.ts'
import { notifyStaff } from '../notifications/notify.ts'
import { isCurrentStudent, students } from '../students/tables.ts'
import { equalsAny } from '../db/bulk.ts'
import { findCurrentRanks } from './current-ranks.ts'
import { findDayOutgrown } from './next-rank.ts'
import { type LadderRow, findLadders } from './styles.ts'
import { ladders, outgrowingNotices, styles } from './tables.ts'
import { getOrThrow, pick } from '../lib/rows.ts'

const NOTICE_DAYS = 30

const firstDayTooOld = sql`(case l.age_counts when 'calendar_year'
  then make_date(extract(year from s.date_of_birth)::int + l.max_age + 1, 1, 1)
  else (s.date_of_birth + make_interval(years => l.max_age + 1))::date end)`

/** Selects dojos with students to announce. Starts from the few ladders with a continuation, so
 *  that PostgreSQL does not read other dojos. */
export const selectDojosWithOutgrowingStudents = (
  today: string,
): SQL => sql`select l.dojo_id from ${ladders} l
  join ${students} s on s.dojo_id = l.dojo_id and s.date_of_birth is not null
    and s.left_on is null
  where l.continues_as is not null and l.max_age is not null
    and ${firstDayTooOld} > ${today}::date
    and ${firstDayTooOld} <= ${today}::date + ${sql.raw(String(NOTICE_DAYS))}
    and not exists (select from ${outgrowingNotices} n
      where n.dojo_id = l.dojo_id and n.student_id = s.id and n.ladder_id = l.id)`

/** Notifies the staff once for each student and ladder, up to 30 days ahead. */
export async function announceOutgrowingStudents(
  tx: Tx,
  dojoId: string,
  today: string,
): Promise<void> {
  const lastDay = addDays(today, NOTICE_DAYS)
  const stylesWithContinuations = await tx
    .selectDistinct({ id: styles.id, is_main: styles.is_main })
    .from(styles)
    .innerJoin(ladders, eq(ladders.style_id, styles.id))
    .where(and(isNotNull(ladders.continues_as), isNotNull(ladders.max_age)))
  for (const style of stylesWithContinuations) {
    const laddersById = new Map(
      (await findLadders(tx, style.id)).map((ladder) => [ladder.id, ladder]),
    )
    const currentRanks = await findCurrentRanks(tx, style, null)
    const studentRows = await tx
      .select(pick(students, 'id', 'name', 'date_of_birth'))
      .from(students)
      .where(
        and(
          equalsAny(students.id, [...currentRanks.keys()]),
          isNotNull(students.date_of_birth),
          eq(students.awaits_approval, false),
          isCurrentStudent,
        ),
      )
    for (const { date_of_birth, ...student } of studentRows) {
      const ladder = laddersById.get(getOrThrow(currentRanks, student.id).rank.ladder_id)
      const day = ladder && findDayOutgrown(ladder, date_of_birth)
      const continuation = ladder?.continues_as && laddersById.get(ladder.continues_as)
      if (day && continuation && day > today && day <= lastDay)
        await notifyOnce(tx, dojoId, student, { ladder, continuation, day })
    }
  }
}

async function notifyOnce(
  tx: Tx,
  dojoId: string,
  { id, name }: { id: string; name: string },
  { ladder, continuation, day }: { ladder: LadderRow; continuation: LadderRow; day: string },
): Promise<void> {
  const [notice] = await tx
    .insert(outgrowingNotices)
    .values({ student_id: id, ladder_id: ladder.id, told_at: nowIso() })
    .onConflictDoNothing()
    .returning({ student_id: outgrowingNotices.student_id })
  if (!notice) return
  await notifyStaff(tx, dojoId, 'belts.promote', {
    title: `${name} is outgrowing ${ladder.name}`,
    message:
      `On ${formatFullDate(day)}, ${firstNames([name])} will be too old for it. ` +
      `Please choose a rank of ${continuation.name}.`,
    student_id: id,
  })
}
