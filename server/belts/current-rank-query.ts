import { type SQL, sql } from 'drizzle-orm'
import { beltChanges, styles } from './tables.ts'

/** A condition for a row `c` of `belt_changes`: it was not undone and does not undo another row. */
export const isEffective = sql`c.undoes is null
  and not exists (select from ${beltChanges} u where u.undoes = c.id)`

/** The `start` rank is only assumed at enrollment, so a promotion comes before it even if its date
 *  is earlier. */
export const newestFirst = sql`c.kind = 'start', c.given_on desc, c.changed_at desc, c.id desc`

/** Rows of the main style may have no `style_id`. */
export const inStyle = (id: SQL, isMain: boolean) =>
  isMain ? sql`(c.style_id is null or c.style_id = ${id})` : sql`c.style_id = ${id}`

export const mainStyleId = sql`(select id from ${styles} where is_main)`
export const inMainStyle = inStyle(mainStyleId, true)

/** Selects the change that gave each student their current rank in a style, with their stripes.
 *  Columns are null for a student with stripes but no rank. Use it in a `with … as materialized`:
 *  otherwise a cached plan may read the whole history for each student. Changes with
 *  `rank_count = 0` are stripes given since the last rank. The first change with `rank_count = 1`
 *  gave that rank. */
export function selectCurrentRankChanges(condition: SQL, isInStyle: SQL): SQL {
  const rankColumn = (name: string) => {
    const column = sql.raw(name)
    return sql`(array_agg(${column}) filter (where kind <> 'stripe'))[1] as ${column}`
  }
  return sql`
    select student_id,
      ${rankColumn('id')}, ${rankColumn('kind')}, ${rankColumn('rank_id')},
      ${rankColumn('belt_level')}, ${rankColumn('given_on')},
      ${rankColumn('classes_before')},
      (array_agg(stripes order by place))[1] as stripes
    from (
      select c.*, row_number() over newest_first as place,
        count(*) filter (where c.kind <> 'stripe') over newest_first as rank_count,
        first_value(case when c.kind <> 'stripe' then c.rank_id end) over (
          partition by c.student_id order by c.kind = 'stripe', ${newestFirst}) as held_rank_id
      from ${beltChanges} c
      where ${condition} and ${isInStyle} and c.undoes is null
        and c.id not in (select u.undoes from ${beltChanges} u where u.undoes is not null)
      window newest_first as (partition by c.student_id order by ${newestFirst})
    ) c
    where rank_count = 0 and (held_rank_id is null or rank_id = held_rank_id)
      or rank_count = 1 and kind <> 'stripe'
    group by student_id`
}
