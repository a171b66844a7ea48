import { beltsApi } from '@tatami/contract/belts/belts'
import { gradingsApi } from '@tatami/contract/gradings/gradings'
import { dayAhead } from './days.ts'
import { call } from './api.ts'
import type { Dojo } from './dojo.ts'

/** The dojo's ladder, with two stripes on each rank, and two classes that an orange belt takes. Returns its ranks by name. */
export async function createLadder(dojo: Dojo) {
  const { styles } = await call(beltsApi.show, {}, dojo.token)
  const { id, ranks, name, min_age, max_age, age_counts, continues_as } = styles[0]!.ladders[0]!
  const rankBodies = ranks.map(({ students: _, ...rank }) => ({
    ...rank,
    stripes: 2,
    ...(rank.name === 'Orange' && { min_classes: 2 }),
  }))
  const body = { name, min_age, max_age, age_counts, continues_as, ranks: rankBodies }
  const savedLadder = await call(beltsApi.changeLadder, { params: { id }, body }, dojo.token)
  return Object.fromEntries(savedLadder.ranks.map((rank) => [rank.name, rank.id]))
}

/** A grading of today, with three white belts who try for yellow. */
export async function createGrading(dojo: Dojo, held_on = dayAhead(0)) {
  const { Yellow } = await createLadder(dojo)
  const students = []
  for (const name of ['Ken Adams', 'Leo Diaz', 'Mia Brown'])
    students.push(await dojo.createStudent({ name, belt_level: 'white' }))
  const candidates = students.map(({ id }) => ({ student_id: id, to_rank_id: Yellow! }))
  const body = {
    name: 'Winter grading',
    held_on,
    fee: 40,
    place: 'Main hall',
    held_at: '18:00',
    candidates,
  }
  const grading = await call(gradingsApi.create, { body }, dojo.token)
  const [ken, leo, mia] = students
  return { grading, ken: ken!, leo: leo!, mia: mia! }
}
