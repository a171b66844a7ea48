import { expect, test } from 'vitest'
import { aStudent, testHouse } from '../test/house.ts'
import { claimTexts } from './claim.ts'

const house = await testHouse()

test('no more leave at a time than the pace allows, also in a table that PostgreSQL knows nothing of yet', async () => {
  const sensei = await house.sensei()
  for (let number = 0; number < 30; number += 1) await sensei.post('/students', aStudent({ class_preferences: ['cedar_park'] }))
  await sensei.post('/sms/send-bulk-message', { message_type: 'weather_cancel', custom_message: 'No class today.' })
  const { claimed, waitMs } = await house.db.withoutDojo((tx) => claimTexts(tx, 10, 100))
  expect(claimed.length).toBeLessThanOrEqual(2)
  expect(waitMs).toBeGreaterThan(0)
})
