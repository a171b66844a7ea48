import { type SQL, sql } from 'drizzle-orm'
import { beltChanges, styles } from '../belts/tables.ts'

/** Of `belt_changes c`: those that stand, neither taken back nor a taking back. */
export const stands = sql`c.undoes is null and not exists (select from ${beltChanges} u where u.undoes = c.id)`

/** In the history's order, the last first: by day, then as they were written. What somebody started with comes before everything else, because
 *  a promotion of the time before the enrolment says more. */
export const lastFirst = sql`c.kind = 'start', c.given_on desc, c.changed_at desc, c.id desc`

/** Of `belt_changes c`: in the style with this id. A row of the main style may name none. */
export const inStyle = (id: SQL, isMain: boolean) => (isMain ? sql`(c.style_id is null or c.style_id = ${id})` : sql`c.style_id = ${id}`)

/** The id of the main style, of which a dojo that has never opened Belts has none. */
export const mainStyleId = sql`(select id from ${styles} where is_main)`
export const inMainStyle = inStyle(mainStyleId, true)

/**
 * Two laterals beside `students s`, one query for everybody: `head` is the row that gave the rank that is held in a style, `stripe` the last one
 * that gave stripes on it since. Both are null for somebody without a row.
 */
export const joinLastChanges = (isInStyle: SQL) => sql`
  left join lateral (select c.id, c.kind, c.rank_id, c.belt_level, c.given_on, c.changed_at, c.stripes, c.classes_before from ${beltChanges} c
    where c.student_id = s.id and c.kind <> 'stripe' and ${isInStyle} and ${stands} order by ${lastFirst} limit 1) head on true
  left join lateral (select c.stripes from ${beltChanges} c
    where c.student_id = s.id and c.kind = 'stripe' and ${isInStyle} and ${stands}
      and coalesce(head.kind = 'start' or (c.given_on, c.changed_at, c.id) > (head.given_on, head.changed_at, head.id), true)
      and (head.rank_id is null or c.rank_id = head.rank_id) order by ${lastFirst} limit 1) stripe on true`
