/** Reads and taps the rows of the roll. A row with a conflict shows two marks, the phone's own
 *  and the other one, and asks which is right. */
import type { Page } from '@playwright/test'
import type { MarkValue } from '@tatami/contract/attendance/attendance'
import { attendanceDialog } from './attendance-dialog.ts'

export type RollRow = { name: string; present: MarkValue; hasConflict: boolean }

/** Reads the row of each student. `present` is the pressed mark or, in a conflict, the phone's own
 *  mark. */
export const readRollRows = (page: Page): Promise<RollRow[]> =>
  attendanceDialog(page)
    .getByRole('group')
    .evaluateAll((groups) =>
      groups.map((group) => {
        const buttons = [...group.querySelectorAll('button')]
        const hasConflict = buttons.every((button) => button.ariaPressed === null)
        const pressedButton = hasConflict
          ? buttons[0]
          : buttons.find((button) => button.ariaPressed === 'true')
        const present = { present: true, absent: false }[pressedButton?.value ?? ''] ?? null
        return { name: group.ariaLabel ?? '', present, hasConflict }
      }),
    )

/** Taps a mark that is not pressed yet: `present` if possible. In a conflict, taps the phone's own
 *  mark or, with `tapsOtherMark`, the other one. Returns the tapped mark and the mark that the row
 *  showed before. Runs within the page, so no response can change the row in between. */
export const tapRow = (page: Page, name: string, present: boolean, tapsOtherMark: boolean) =>
  attendanceDialog(page).evaluate(
    async (dialog, [student, value, tapsOther]) => {
      const valueOf = (button: HTMLButtonElement | undefined) =>
        ({ present: true, absent: false })[button?.value ?? ''] ?? null
      const buttons = () => [
        ...dialog.querySelectorAll<HTMLButtonElement>(
          `[role=group][aria-label="${student}"] button`,
        ),
      ]
      const hasConflict = () => buttons().every((button) => button.ariaPressed === null)
      const pressedButton = () => buttons().find((button) => button.ariaPressed === 'true')
      const valueBefore = hasConflict() ? valueOf(buttons()[0]) : valueOf(pressedButton())
      const freeButtons = buttons().filter((button) => button !== pressedButton())
      const target = hasConflict()
        ? buttons()[tapsOther ? 1 : 0]
        : (freeButtons.find((button) => valueOf(button) === value) ?? freeButtons[0])
      const tappedValue = valueOf(target)
      if (!target) throw new Error('The row has no button')
      target.click()
      // The row shows the mark once it is stored on the device: 20 s at most on a busy machine.
      const showsMark = () => !hasConflict() && valueOf(pressedButton()) === tappedValue
      const maxAttempts = () => (hasConflict() ? 400 : 4000)
      for (let attempt = 0; !showsMark() && attempt < maxAttempts(); attempt += 1)
        await new Promise((resolve) => setTimeout(resolve, 5))
      return { tappedValue, valueBefore }
    },
    [name, present, tapsOtherMark] as const,
  )

/** Taps a button that marks the whole roll. Returns the rows before, or undefined if it is
 *  disabled. */
export async function tapOnAll(page: Page, name: RegExp): Promise<RollRow[] | undefined> {
  const button = attendanceDialog(page).getByRole('button', { name })
  if (!(await button.isVisible()) || (await button.isDisabled())) return undefined
  const rowsBefore = await readRollRows(page)
  await button.evaluate((element: HTMLButtonElement) => element.click())
  return rowsBefore
}

/** Waits until every mark is sent. Repeatedly tells the page that it is online, so it retries
 *  without a delay. */
export const waitUntilSent = (page: Page) =>
  attendanceDialog(page).evaluate(async (dialog) => {
    for (let attempt = 0; attempt < 600; attempt += 1) {
      if (!/Saving…|[Ww]aiting for network/.test(dialog.textContent)) return
      if (attempt % 10 === 0) window.dispatchEvent(new Event('online'))
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    throw new Error(`Some marks are not sent: ${dialog.textContent}`)
  })
