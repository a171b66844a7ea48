import { expect, signIn, test } from './harness.ts'

test('prints payments and attendance in black on white, with the name of the dojo', async ({
  dojo,
  page,
  visit,
}) => {
  const { id } = await dojo.createClass({ class_name: 'Kids Judo' })
  await dojo.createStudent({ name: 'Ken Adams', enrolled_classes: [id] })
  await signIn(page, dojo)
  await page.emulateMedia({ colorScheme: 'dark' })
  await visit('/payment-center')
  const ken = page.getByText('Ken Adams', { exact: true }).first()
  await expect(ken).toBeVisible()
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await expect(page.getByText(/· Payment Center$/)).toBeVisible()
  await expect(ken).toBeVisible()
  await expect(ken).toHaveCSS('color', 'rgb(0, 0, 0)')
  for (const element of [
    page.getByRole('navigation', { name: 'Main' }),
    page.getByRole('contentinfo'),
    page.getByRole('button', { name: /^Mark/ }),
  ]) {
    await expect(element.first()).toBeHidden()
  }
  await page.emulateMedia({ media: 'screen' })
  await visit(`/attendance?class=${id}`)
  const roll = page.getByRole('dialog', { name: 'Mark Attendance' })
  await roll.getByRole('button', { name: 'Present', exact: true }).click()
  await page.emulateMedia({ media: 'print' })
  await expect(roll.getByText('Ken Adams').first()).toBeVisible()
  await expect(roll.getByLabel('Class')).toBeVisible()
  await expect(roll.getByRole('button', { name: 'Present', exact: true })).toBeVisible()
  await expect(page.getByText('Attendance records', { exact: true })).toBeHidden()
})
