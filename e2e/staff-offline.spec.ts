import { mustExist } from '@tatami/contract/lib/must-exist'
import { type Right, rightsOfPreset } from '@tatami/contract/rights'
import { staffApi } from '@tatami/contract/staff/staff'
import { call } from './api.ts'
import { createDailyClassWith, prepareDevice, test } from './device.ts'
import type { Dojo } from './dojo.ts'
import { expect } from './harness.ts'
import { countStored, readAllStorage } from './phone.ts'

async function findStaffId(dojo: Dojo, email: string): Promise<string> {
  const { people } = await call(staffApi.list, {}, dojo.token)
  return mustExist(
    people.find((person) => person.email === email),
    'The person',
  ).id
}

async function changeRights(dojo: Dojo, email: string, rights: Right[]) {
  const id = await findStaffId(dojo, email)
  await call(staffApi.change, { params: { id }, body: { rights } }, dojo.token)
}

test('deletes names and rolls from a device if its user may no longer see them', async ({
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

test('deletes all data from a device when its user leaves the staff', async ({
  device,
  dojo,
  allowErrors,
}) => {
  const { id } = await createDailyClassWith(dojo, ['Ken Adams'])
  const kim = await dojo.createStaff({ rights: rightsOfPreset('assistant') })
  const { page } = await prepareDevice(device, kim, `/attendance?class=${id}`)
  expect(await readAllStorage(page)).toContain('Ken Adams')

  await call(
    staffApi.end,
    { params: { id: await findStaffId(dojo, kim.email) }, body: {} },
    dojo.token,
  )
  allowErrors(/401/)
  await page.reload()
  await expect(page.getByText('You are no longer on the staff')).toBeVisible()
  await expect.poll(() => countStored(page, 'copies')).toBe(0)
  expect(await readAllStorage(page)).not.toContain('Ken Adams')
})
