import { type SQL, sql } from 'drizzle-orm'
import { beltChanges, styles } from './tables.ts'

/** Of `belt_changes c`: those that stand, neither taken back nor a taking back. */
export const stands = sql`c.undoes is null and not exists (select from ${beltChanges} u where u.undoes = c.id)`

/** In the history's order, the last first: by day, then as they were written. What somebody started with comes before everything else, because
 *  a promotion of the time before the enrolment says more. */
export const lastFirst = sql`c.kind = 'start', c.given_on desc, c.changed_at desc, c.id desc`

/** Of `belt_changes c`: in the style with this id. A row of the main style may name none. */
export const inStyle = (id: SQL, isMain: boolean) =>
  isMain ? sql`(c.style_id is null or c.style_id = ${id})` : sql`c.style_id = ${id}`

/** The id of the main style, of which a dojo that keeps no ladders has none. */
export const mainStyleId = sql`(select id from ${styles} where is_main)`
export const inMainStyle = inStyle(mainStyleId, true)

/**
 * A statement that finds, of each student whom `which` names by `c.student_id`, the row that gave the rank that is held in a style, and how many
 * stripes there are on it. Nobody without a row is in it; one with stripes alone has nulls. It reads the history once, with whatever plan: one
 * that was made while there was little of it, and is kept, would look all of it through again for each student. So where it is joined, it
 * stands before the statement, `with head as materialized`.
 */
export const lastChanges = (condition: SQL, isInStyle: SQL): SQL => {
  const ofHead = (column: SQL) => sql`(array_agg(${column}) filter (where kind <> 'stripe'))[1]`
  return sql`
    select student_id, ${ofHead(sql`id`)} as id, ${ofHead(sql`kind`)} as kind, ${ofHead(sql`rank_id`)} as rank_id, ${ofHead(sql`belt_level`)} as belt_level,
      ${ofHead(sql`given_on`)} as given_on, ${ofHead(sql`classes_before`)} as classes_before, (array_agg(stripes order by place))[1] as stripes
    from (
      select c.*, row_number() over last_first as place, count(*) filter (where c.kind <> 'stripe') over last_first as ranks,
        first_value(case when c.kind <> 'stripe' then c.rank_id end)
          over (partition by c.student_id order by c.kind = 'stripe', ${lastFirst}) as held_rank_id
      from ${beltChanges} c where ${condition} and ${isInStyle} and c.undoes is null
        and c.id not in (select u.undoes from ${beltChanges} u where u.undoes is not null)
      window last_first as (partition by c.student_id order by ${lastFirst})
    ) c
    where ranks = 0 and (held_rank_id is null or rank_id = held_rank_id) or ranks = 1 and kind <> 'stripe'
    group by student_id`
}
