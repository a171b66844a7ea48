import { beltsApi } from '@tatami/contract/belts/belts'
import { gradingsApi } from '@tatami/contract/gradings/gradings'
import { dayAhead } from './days.ts'
import { mustExist } from '@tatami/contract/lib/must-exist'
import { call } from './api.ts'
import type { Dojo } from './dojo.ts'

/** Gives each rank of the dojo's ladder two stripes, and requires two classes for the orange belt.
 *  Returns the ids of the ranks by name. */
export async function prepareLadder(dojo: Dojo) {
  const { styles } = await call(beltsApi.show, {}, dojo.token)
  const ladder = mustExist(styles[0]?.ladders[0], 'The ladder')
  const { id, ranks, name, min_age, max_age, age_counts, continues_as } = ladder
  const rankBodies = ranks.map(({ students: _, ...rank }) => ({
    ...rank,
    stripes: 2,
    ...(rank.name === 'Orange' && { min_classes: 2 }),
  }))
  const body = { name, min_age, max_age, age_counts, continues_as, ranks: rankBodies }
  const savedLadder = await call(beltsApi.changeLadder, { params: { id }, body }, dojo.token)
  return Object.fromEntries(savedLadder.ranks.map((rank) => [rank.name, rank.id]))
}

/** Creates a belt test, today by default, with three white belts who test for yellow. */
export async function createGrading(dojo: Dojo, held_on = dayAhead(0)) {
  const { Yellow = '' } = await prepareLadder(dojo)
  const createWhiteBelt = (name: string) => dojo.createStudent({ name, belt_level: 'white' })
  const ken = await createWhiteBelt('Ken Adams')
  const leo = await createWhiteBelt('Leo Diaz')
  const mia = await createWhiteBelt('Mia Brown')
  const candidates = [ken, leo, mia].map(({ id }) => ({ student_id: id, to_rank_id: Yellow }))
  const body = {
    name: 'Winter grading',
    held_on,
    fee: 40,
    place: 'Main hall',
    held_at: '18:00',
    candidates,
  }
  const grading = await call(gradingsApi.create, { body }, dojo.token)
  return { grading, ken, leo, mia }
}
