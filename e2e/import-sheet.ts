import { expect, type Page } from '@playwright/test'
import type { Dojo } from './dojo.ts'
import { signIn } from './harness.ts'

type Visit = (path: string) => Promise<void>

export async function openImport(page: Page, dojo: Dojo, visit: Visit): Promise<void> {
  await signIn(page, dojo)
  await visit('/import-students')
}

/** Pastes text like Ctrl-V, but without the system's clipboard. */
export const pasteSheet = (page: Page, ...lines: string[]) =>
  page.getByLabel('Paste here').evaluate((field, text) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', text)
    field.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    )
  }, lines.join('\n'))

export const chooseFile = (page: Page, name: string, content: Uint8Array | string) =>
  page
    .getByLabel('CSV or XLSX file')
    .setInputFiles({ name, mimeType: '', buffer: Buffer.from(content) })

/** Presses the button that imports the sheet, and waits until it is done. */
export async function pressImport(page: Page, label: string): Promise<void> {
  await page.getByRole('button', { name: label, exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Students imported' })).toBeVisible()
}
