import type { Page } from '@playwright/test'
import type { MarkValue } from '@tatami/contract/attendance/attendance'
import { dialogOf } from './attendance-dialog.ts'

export type ShownRow = { name: string; present: MarkValue; isAsked: boolean }

/** Each student's row as it is shown: what is pressed, or the own one of two marks. */
export const shownRows = (page: Page): Promise<ShownRow[]> =>
  dialogOf(page)
    .getByRole('group')
    .evaluateAll((groups) =>
      groups.map((group) => {
        const buttons = [...group.querySelectorAll('button')]
        const isAsked = buttons.every((button) => button.ariaPressed === null)
        const pressedButton = isAsked
          ? buttons[0]
          : buttons.find((button) => button.ariaPressed === 'true')
        const present = { present: true, absent: false }[pressedButton?.value ?? ''] ?? null
        return { name: group.ariaLabel ?? '', present, isAsked }
      }),
    )

/** Taps what is not pressed yet, `present` where both could be; where there are two marks the own one or, with `theirs`, the other. Returns
 *  what was tapped, and what was shown before. In one go, so that no answer changes the row in between. */
export const tapRow = (page: Page, name: string, present: boolean, theirs: boolean) =>
  dialogOf(page).evaluate(
    async (dialog, [student, value, side]) => {
      const valueOf = (button: HTMLButtonElement | undefined) =>
        ({ present: true, absent: false })[button?.value ?? ''] ?? null
      const buttons = () => [
        ...dialog.querySelectorAll<HTMLButtonElement>(
          `[role=group][aria-label="${student}"] button`,
        ),
      ]
      const isAsked = () => buttons().every((button) => button.ariaPressed === null)
      const pressedButton = () => buttons().find((button) => button.ariaPressed === 'true')
      const valueBefore = isAsked() ? valueOf(buttons()[0]) : valueOf(pressedButton())
      const free = buttons().filter((button) => button !== pressedButton())
      const target = isAsked()
        ? buttons()[side ? 1 : 0]!
        : (free.find((button) => valueOf(button) === value) ?? free[0]!)
      const tappedValue = valueOf(target)
      target.click()
      // It shows once it is stored.
      for (
        let turn = 0;
        turn < 400 && (isAsked() || valueOf(pressedButton()) !== tappedValue);
        turn += 1
      )
        await new Promise((r) => setTimeout(r, 5))
      return { tappedValue, valueBefore }
    },
    [name, present, theirs] as const,
  )

/** Taps a button on all of the roll, if it can be tapped. Returns what every row showed before, and waits until they show something else. */
export async function tapOnAll(page: Page, button: RegExp): Promise<ShownRow[] | undefined> {
  const handle = dialogOf(page).getByRole('button', { name: button })
  if (!(await handle.isVisible()) || (await handle.isDisabled())) return undefined
  const rowsBefore = await shownRows(page)
  await handle.evaluate((element: HTMLButtonElement) => element.click())
  return rowsBefore
}

/** Waits until nothing is on its way or waits for the network; as a phone does that has just found it again. */
export const untilSent = (page: Page) =>
  dialogOf(page).evaluate(async (dialog) => {
    for (let turn = 0; turn < 600; turn += 1) {
      if (!/Saving…|[Ww]aiting for network/.test(dialog.textContent)) return
      if (turn % 10 === 0) window.dispatchEvent(new Event('online'))
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    throw new Error(`Something still waits: ${dialog.textContent}`)
  })
