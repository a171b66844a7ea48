/** Filters and actions that a desktop shows side by side, and a phone behind a single control. */
import { expect, type Page, test } from '@playwright/test'

const isDesktop = () => test.info().project.name === 'desktop'
const filterSelect = (page: Page, filter: string) =>
  page.getByRole('combobox', { name: filter, exact: true })

export async function chooseFilter(page: Page, filter: string, choice: string): Promise<void> {
  if (isDesktop()) return page.getByRole('radio', { name: choice, exact: true }).check()
  await filterSelect(page, filter).selectOption({ label: choice })
}

export async function expectFilter(page: Page, filter: string, choice: string): Promise<void> {
  if (isDesktop())
    return expect(page.getByRole('radio', { name: choice, exact: true })).toBeChecked()
  return expect(filterSelect(page, filter).locator('option:checked')).toHaveText(choice)
}

export async function expectFilterChoices(
  page: Page,
  filter: string,
  choices: readonly string[],
): Promise<void> {
  const elements = isDesktop()
    ? page.getByRole('radiogroup', { name: filter }).locator('label')
    : filterSelect(page, filter).locator('option')
  // On a desktop, a choice ends with its count.
  await expect(elements).toHaveText(choices.map((choice) => new RegExp(`^${choice}\\W*\\d*\\W*$`)))
}

/** On a phone, the less common actions are behind "More". */
export async function openMore(page: Page): Promise<void> {
  if (!isDesktop()) await page.getByRole('button', { name: 'More', exact: true }).click()
}

export async function pressAction(page: Page, name: string): Promise<void> {
  await openMore(page)
  await page.getByRole('button', { name, exact: true }).click()
}

const MONTH_BUTTON =
  /^(?:January|February|March|April|May|June|July|August|September|October|November|December) \d{4}$/

/** On a phone, the Payment Center's months are behind a button with the name of the month. */
export async function openMonths(page: Page): Promise<void> {
  if (!isDesktop()) await page.getByRole('button', { name: MONTH_BUTTON }).click()
}

export async function chooseMonth(
  page: Page,
  name: string,
  { yearsBack }: { yearsBack: number } = { yearsBack: 0 },
): Promise<void> {
  await openMonths(page)
  for (let year = 0; year < yearsBack; year += 1)
    await page.getByRole('button', { name: 'Previous year' }).click()
  await page.getByRole('button', { name, exact: true }).click()
}
