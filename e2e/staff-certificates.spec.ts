import { staffApi } from '@tatami/contract/staff/staff'
import {
  DEFAULT_CERTIFICATE_KINDS,
  staffCertificatesApi,
} from '@tatami/contract/staff/staff-certificates'
import { mustExist } from '@tatami/contract/lib/must-exist'
import type { Page } from '@playwright/test'
import { call } from './api.ts'
import { createDailyClass } from './daily-class.ts'
import { dayAhead } from './days.ts'
import type { Dojo } from './dojo.ts'
import { expect, expectAccessible, signIn, test } from './harness.ts'

const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })
const peopleList = (page: Page) => page.getByRole('list', { name: 'People' })

const kindId = (name: string) =>
  mustExist(
    DEFAULT_CERTIFICATE_KINDS.find((kind) => kind.name === name),
    name,
  ).id

async function addCertificate(dojo: Dojo, kind: string, expiresOn: string) {
  const { people } = await call(staffApi.list, {}, dojo.token)
  const kim = mustExist(
    people.find(({ name }) => name === 'Kim Park'),
    'Kim',
  )
  const body = {
    staff_id: kim.id,
    kind_id: kindId(kind),
    got_on: dayAhead(-700),
    expires_on: expiresOn,
  }
  await call(staffCertificatesApi.add, { body }, dojo.token)
}

test('adds, renews, changes and removes the certificates of a person', async ({
  page,
  dojo,
  visit,
}) => {
  await dojo.createStaff({ rights: ['roll'] })
  await addCertificate(dojo, 'SafeSport', dayAhead(-3))
  await signIn(page, dojo)
  await visit('/staff')
  await expect(peopleList(page)).toContainText(/SafeSport: Expired/)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Open Kim Park' }).click()
  await dialog(page, 'Kim Park').getByRole('button', { name: 'Certificates' }).click()
  const sheet = dialog(page, 'Certificates of Kim Park')
  await expect(sheet.getByRole('list', { name: 'Certificates' })).toContainText(/Expired/)
  await expectAccessible(page)

  // Renewing and undoing take one tap each.
  await sheet.getByRole('button', { name: 'Renew SafeSport' }).click()
  await expect(sheet.getByText(/^SafeSport renewed until/)).toBeVisible()
  await expect(sheet.getByRole('list', { name: 'Certificates' })).toContainText(/Valid until/)
  await expect(sheet.getByText('Earlier (1)')).toBeVisible()
  await sheet.getByRole('button', { name: 'Undo' }).click()
  await expect(sheet.getByText('Earlier (1)')).toHaveCount(0)
  await sheet.getByRole('button', { name: 'Renew SafeSport' }).click()
  await expect(sheet.getByText('Earlier (1)')).toBeVisible()

  await sheet.getByRole('button', { name: 'Add a certificate' }).click()
  const addDialog = dialog(page, 'Add a certificate')
  await addDialog.getByLabel('Kind').selectOption('First aid')
  await addDialog.getByLabel('Note').fill('Card in the office')
  await expectAccessible(page)
  await addDialog.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(sheet.getByText('Card in the office')).toBeVisible()

  await sheet.getByRole('button', { name: 'Edit First aid' }).click()
  const editDialog = dialog(page, 'First aid')
  await editDialog.getByLabel('Expires on').fill(dayAhead(20))
  await expectAccessible(page)
  await editDialog.getByRole('button', { name: 'Save' }).click()
  await expect(sheet.getByText(/^Ends /)).toBeVisible()

  await sheet.getByRole('button', { name: 'Edit First aid' }).click()
  await editDialog.getByRole('button', { name: 'Remove' }).click()
  await expect(sheet.getByText('Card in the office')).toHaveCount(0)
  await sheet.getByRole('button', { name: 'Undo' }).click()
  await expect(sheet.getByText('Card in the office')).toBeVisible()
  await sheet.getByRole('button', { name: 'Close' }).click()
  await dialog(page, 'Kim Park').getByRole('button', { name: 'Cancel' }).click()
  await expect(peopleList(page)).toContainText(/First aid: Ends/)
})

test('changes the kinds of certificates', async ({ page, dojo, visit }) => {
  await signIn(page, dojo)
  await visit('/staff')
  await page.getByRole('button', { name: 'Kinds of certificates' }).click()
  const sheet = dialog(page, 'Kinds of certificates')
  const kindList = sheet.getByRole('list', { name: 'Kinds of certificates' })
  await expect(kindList).toContainText('Background check2 years, recheck after 1 year')
  await sheet.getByRole('button', { name: 'Add a kind' }).click()
  const addDialog = dialog(page, 'Add a kind')
  await addDialog.getByLabel('Name').fill('Concussion course')
  await addDialog.getByLabel('Valid for (months)').fill('36')
  await expectAccessible(page)
  await addDialog.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(kindList).toContainText('Concussion course3 years')
  await sheet.getByRole('button', { name: 'Edit CPR' }).click()
  await dialog(page, 'CPR').getByRole('button', { name: 'Remove' }).click()
  await expect(kindList).not.toContainText('CPR')
  await expectAccessible(page)
})

test('shows expired certificates on Today, and who teaches minors with one', async ({
  page,
  dojo,
  visit,
  layoutPath,
}) => {
  const { id } = await createDailyClass(dojo)
  await dojo.createStudent({ date_of_birth: '2018-01-01', enrolled_classes: [id] })
  await dojo.createStaff({ rights: ['roll'], class_ids: [id] })
  await addCertificate(dojo, 'SafeSport', dayAhead(-1))
  await addCertificate(dojo, 'CPR', dayAhead(1))
  await signIn(page, dojo)
  await visit('/dashboard')
  const today = page.getByRole('region', { name: 'Today' })
  await expect(today.getByText('Kim Park: SafeSport expired')).toBeVisible()
  await expectAccessible(page)
  await today.getByRole('link', { name: /1 certificate expired, 1 certificate ends in/ }).click()
  await expect(page).toHaveURL(`${layoutPath}/staff`)
})

test('shows staff their own certificates, but nobody else’s', async ({ page, dojo, visit }) => {
  const kim = await dojo.createStaff({ rights: ['roll'] })
  await addCertificate(dojo, 'SafeSport', dayAhead(40))
  await signIn(page, kim)
  await visit('/dashboard')
  await expect(page.getByRole('region', { name: 'Today' })).toBeVisible()
  await expect(page.getByText(/certificate ends/)).toHaveCount(0)
  await visit('/my-certificates')
  const list = page.getByRole('list', { name: 'My certificates' })
  await expect(list).toContainText(/SafeSport\s*Ends/)
  await expect(list.getByRole('button')).toHaveCount(0)
  await expectAccessible(page)
})

test('tells an owner without certificates how to get reminders', async ({ page, dojo, visit }) => {
  await signIn(page, dojo)
  await visit('/my-certificates')
  await expect(page.getByText(/^No certificates yet/)).toBeVisible()
  await expectAccessible(page)
})
