/** Filters and actions that are side by side on a desktop, and behind one control on a phone. */
import { expect, type Page, test } from '@playwright/test'

const isDesktop = () => test.info().project.name === 'desktop'
const list = (page: Page, filter: string) =>
  page.getByRole('combobox', { name: filter, exact: true })

export async function chooseFilter(page: Page, filter: string, choice: string): Promise<void> {
  if (isDesktop()) return page.getByRole('radio', { name: choice, exact: true }).check()
  await list(page, filter).selectOption({ label: choice })
}

export async function expectFilter(page: Page, filter: string, choice: string): Promise<void> {
  if (isDesktop())
    return expect(page.getByRole('radio', { name: choice, exact: true })).toBeChecked()
  return expect(list(page, filter).locator('option:checked')).toHaveText(choice)
}

export async function expectFilterChoices(
  page: Page,
  filter: string,
  choices: readonly string[],
): Promise<void> {
  const elements = isDesktop()
    ? page.getByRole('radiogroup', { name: filter }).locator('label')
    : list(page, filter).locator('option')
  // On a desktop the count follows the words directly.
  await expect(elements).toHaveText(choices.map((choice) => new RegExp(`^${choice}\\W*\\d*\\W*$`)))
}

/** Opens the actions that a phone has behind "More". */
export async function openMore(page: Page): Promise<void> {
  if (!isDesktop()) await page.getByRole('button', { name: 'More', exact: true }).click()
}

export async function pressAction(page: Page, name: string): Promise<void> {
  await openMore(page)
  await page.getByRole('button', { name, exact: true }).click()
}

const MONTH_BUTTON =
  /^(?:January|February|March|April|May|June|July|August|September|October|November|December) \d{4}$/

/** Opens the months of the Payment Center, which a phone has behind the name of the month. */
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
