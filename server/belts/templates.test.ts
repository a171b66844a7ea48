import type { Ladder, LadderTemplate } from '@tatami/contract/belts/belts'
import { BELTS } from '@tatami/contract/lib/ranks'
import { expect, test } from 'vitest'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()

/** Builds the form with which the editor saves a ladder. */
const toForm = ({ name, min_age, max_age, age_counts, continues_as, ranks }: Ladder) => ({
  name,
  min_age,
  max_age,
  age_counts,
  continues_as,
  ranks: ranks.map(({ students: _, ...rank }) => rank),
})

test('adds every template, and saving the new ladder changes nothing', async () => {
  const sensei = await server.createSensei()
  const templates: LadderTemplate[] = (await sensei.get('/ladder-templates')).body
  expect(templates).toHaveLength(14)
  const [mainStyle] = (await sensei.get('/belts')).body.styles
  for (const template of templates) {
    const { status, body } = await sensei.post(`/styles/${mainStyle.id}/ladders`, {
      template: template.id,
    })
    expect([status, body.detail]).toEqual([200, undefined])
    const ladder: Ladder = body
    const { id, style: _style, note: _note, ...ladderFields } = template
    expect(ladder).toMatchObject({ ...ladderFields, template: id })
    const levels = ladder.ranks.map(({ belt_level }) => BELTS.indexOf(belt_level))
    expect(levels).toEqual(levels.toSorted((a, b) => a - b))
    expect(await sensei.put(`/ladders/${ladder.id}`, toForm(ladder))).toMatchObject({
      status: 200,
      body: ladder,
    })
  }
})

test('copies the tags, patches, stripes and ages of a template', async () => {
  const sensei = await server.createSensei()
  const templates: LadderTemplate[] = (await sensei.get('/ladder-templates')).body
  const findRank = (id: string, name: string) =>
    templates.find((template) => template.id === id)!.ranks.find((rank) => rank.name === name)
  expect(findRank('karate-shotokan', '9th kyu')).toMatchObject({
    tags_count: 1,
    tags_colour: 'black',
    min_months: 1,
    stripes: 0,
  })
  expect(findRank('krav-maga', 'Beginner')).toMatchObject({ pattern: 'patch', colours: [] })
  expect(findRank('judo-usja', '6th kyu')).toMatchObject({ min_months: 2, min_classes: 15 })
  const [mainStyle] = (await sensei.get('/belts')).body.styles
  const addLadder = async (template: string): Promise<Ladder> =>
    (await sensei.post(`/styles/${mainStyle.id}/ladders`, { template })).body
  expect(await addLadder('bjj-adults')).toMatchObject({
    min_age: 16,
    max_age: null,
    age_counts: 'calendar_year',
  })
  expect(await addLadder('aikido')).toMatchObject({ age_counts: 'birthday' })
})

test('links a ladder to its continuation, whether it is added first or second', async () => {
  const sensei = await server.createSensei()
  for (const order of [
    ['karate-juniors', 'karate-shotokan'],
    ['karate-shotokan', 'karate-juniors'],
  ]) {
    const { body: style } = await sensei.post('/styles', {
      name: 'Karate',
      vacation_counts: true,
      class_ids: [],
    })
    for (const template of order) await sensei.post(`/styles/${style.id}/ladders`, { template })
    const { styles } = (await sensei.get('/belts')).body
    const ladders: Ladder[] = styles.find(({ id }: { id: string }) => id === style.id).ladders
    const [juniors, seniors] = ['karate-juniors', 'karate-shotokan'].map((id) =>
      ladders.find(({ template }) => template === id)!,
    )
    expect([juniors!.continues_as, seniors!.continues_as]).toEqual([seniors!.id, null])
  }
})

test('refuses an unknown template', async () => {
  const sensei = await server.createSensei()
  const [mainStyle] = (await sensei.get('/belts')).body.styles
  // Every JavaScript object has a property `constructor`.
  for (const template of ['sumo', 'constructor'])
    expect(await sensei.post(`/styles/${mainStyle.id}/ladders`, { template })).toMatchObject({
      status: 404,
      body: { detail: 'Template not found' },
    })
})
