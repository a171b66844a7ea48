/** Adds a rank, because the sample student already has the only one, and makes it the rank for
 *  which the candidate tests. */
export const TEST_FOR_NEXT_RANK = `
  with next_rank as (
    insert into ranks (id, ladder_id, place, name, belt_level, colours, pattern)
    select gen_random_uuid(), ladder_id, place + 1, 'Next', belt_level, colours, pattern from ranks
    returning id
  )
  update candidates set to_rank_id = next_rank.id from next_rank`
