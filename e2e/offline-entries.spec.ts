import { packsApi } from '@tatami/contract/memberships/packs'
import { plansApi } from '@tatami/contract/plans/plans'
import { PLAN_TEMPLATES } from '@tatami/contract/plans/templates'
import { mustExist } from '@tatami/contract/lib/must-exist'
import { call } from './api.ts'
import { attendanceDialog } from './attendance-dialog.ts'
import { createDailyClassWith, prepareDevice, test } from './device.ts'
import { expect } from './harness.ts'

test('shows the last known number of visits left while offline', async ({ device, dojo }) => {
  const { id, students } = await createDailyClassWith(dojo, ['Ken Adams'])
  const ken = mustExist(students[0], 'Ken')
  const template = PLAN_TEMPLATES.find(({ kind }) => kind === 'pack')
  const { plan } = await call(
    plansApi.create,
    { body: mustExist(template, 'A template for a class pack') },
    dojo.token,
  )
  const sellPack = () =>
    call(packsApi.sell, { params: { id: ken.id }, body: { plan_id: plan.id } }, dojo.token)
  await sellPack()
  const roll = `/attendance?class=${id}`
  const phone = await prepareDevice(device, dojo, roll)
  await expect(attendanceDialog(phone.page).getByText('10 visits left')).toBeVisible()
  await phone.context.close()
  await sellPack()
  const { page, context } = await device.start({ offline: true })
  await device.open(page, roll)
  await expect(attendanceDialog(page).getByText('10 visits left')).toBeVisible()
  await context.setOffline(false)
  await expect(attendanceDialog(page).getByText('20 visits left')).toBeVisible()
})
