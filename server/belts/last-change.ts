import { type SQL, sql } from 'drizzle-orm'
import { beltChanges, styles } from './tables.ts'

/** Conditions on `belt_changes c`: a change that was not undone and undoes nothing. */
export const isEffective = sql`c.undoes is null
  and not exists (select from ${beltChanges} u where u.undoes = c.id)`

/** The last change first. A start comes before all others, because a promotion dated before
 *  enrollment says more. */
export const newestFirst = sql`c.kind = 'start', c.given_on desc, c.changed_at desc, c.id desc`

/** A row of the main style may have no style. */
export const inStyle = (id: SQL, isMain: boolean) =>
  isMain ? sql`(c.style_id is null or c.style_id = ${id})` : sql`c.style_id = ${id}`

export const mainStyleId = sql`(select id from ${styles} where is_main)`
export const inMainStyle = inStyle(mainStyleId, true)

/** For each student matched by `condition`, the change that gave the rank they hold in a style,
 *  with their stripes. Columns are null for a student with stripes alone. Join it as `with head
 *  as materialized`: otherwise a cached plan may read the whole history for each student. */
export function lastChanges(condition: SQL, isInStyle: SQL): SQL {
  const ofHead = (name: string) => {
    const column = sql.raw(name)
    return sql`(array_agg(${column}) filter (where kind <> 'stripe'))[1] as ${column}`
  }
  return sql`
    select student_id, ${ofHead('id')}, ${ofHead('kind')}, ${ofHead('rank_id')},
      ${ofHead('belt_level')}, ${ofHead('given_on')}, ${ofHead('classes_before')},
      (array_agg(stripes order by place))[1] as stripes
    from (
      select c.*, row_number() over last_first as place,
        count(*) filter (where c.kind <> 'stripe') over last_first as ranks,
        first_value(case when c.kind <> 'stripe' then c.rank_id end) over (
          partition by c.student_id order by c.kind = 'stripe', ${newestFirst}) as held_rank_id
      from ${beltChanges} c
      where ${condition} and ${isInStyle} and c.undoes is null
        and c.id not in (select u.undoes from ${beltChanges} u where u.undoes is not null)
      window last_first as (partition by c.student_id order by ${newestFirst})
    ) c
    where ranks = 0 and (held_rank_id is null or rank_id = held_rank_id)
      or ranks = 1 and kind <> 'stripe'
    group by student_id`
}
