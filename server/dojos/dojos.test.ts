import { expect, test } from 'vitest'
import { testHouse } from '../test/house.ts'
import { dojos } from './tables.ts'

const house = await testHouse()

test('an instructor is told in which time zone their dojo is', async () => {
  const sensei = await house.sensei()
  expect((await sensei.get('/dojo')).body).toEqual({ time_zone: 'America/Chicago' })
  await house.db.withoutDojo((tx) => tx.update(dojos).set({ time_zone: 'America/Denver' }))
  expect((await sensei.get('/dojo')).body).toEqual({ time_zone: 'America/Denver' })
})
