import { mustExist } from '@tatami/contract/lib/must-exist'
import { type Right, rightsOfPreset } from '@tatami/contract/rights'
import { staffApi } from '@tatami/contract/staff/staff'
import { call } from './api.ts'
import { createDailyClassWith, prepareDevice, test } from './device.ts'
import type { Dojo } from './dojo.ts'
import { expect } from './harness.ts'
import { countStored, readAllStorage } from './phone.ts'

async function changeRights(dojo: Dojo, email: string, rights: Right[]) {
  const { people } = await call(staffApi.list, {}, dojo.token)
  const { id } = mustExist(
    people.find((person) => person.email === email),
    'The person',
  )
  await call(staffApi.change, { params: { id }, body: { rights } }, dojo.token)
}

test('a device forgets the names and rolls that its user may no longer see', async ({
  device,
  dojo,
}) => {
  const { id } = await createDailyClassWith(dojo, ['Ken Adams'])
  const kim = await dojo.createStaff({ rights: rightsOfPreset('assistant') })
  const { page } = await prepareDevice(device, kim, `/attendance?class=${id}`)
  expect(await readAllStorage(page)).toContain('Ken Adams')

  await changeRights(dojo, kim.email, ['roll'])
  await page.reload()
  await expect.poll(() => readAllStorage(page)).not.toContain('Ken Adams')
  await expect.poll(() => readAllStorage(page)).toContain('"name":"Ken"')

  await changeRights(dojo, kim.email, [])
  await page.reload()
  await expect.poll(() => countStored(page, 'copies')).toBe(0)
})
