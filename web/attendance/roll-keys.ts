import { type KeyboardEvent as ReactKeyboardEvent, type RefObject, useEffect } from 'react'
import { moveFocusWithArrows } from '../lib/arrow-focus.ts'

type KeyMark = { value: 'present' | 'absent'; present: boolean }
const MARK_BY_KEY: Record<string, KeyMark> = {
  p: { value: 'present', present: true },
  a: { value: 'absent', present: false },
}

type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>
const findMark = ({ key, ctrlKey, metaKey, altKey }: KeyPress) =>
  ctrlKey || metaKey || altKey ? undefined : MARK_BY_KEY[key.toLowerCase()]

const findButton = (row: Element | null | undefined, value: string) =>
  row?.querySelector<HTMLElement>(`[value=${value}]`)

/** The button that has the focus because P or A marked the student above it. */
let focusedButton: HTMLElement | undefined

function focusNextRow(row: Element | null, value: string) {
  focusedButton = findButton(row?.nextElementSibling ?? row, value) ?? undefined
  focusedButton?.focus()
}

/** P and A mark the student of the row and move the focus to the next row. Arrow keys only move the
 *  focus. Right after P or A, the Down key does nothing. Otherwise, somebody who presses both would
 *  skip a student. */
export function handleRollKey(
  event: ReactKeyboardEvent<HTMLButtonElement>,
  onMark: (present: boolean) => void,
) {
  const isRightAfterMark = focusedButton === event.currentTarget
  focusedButton = undefined
  if (isRightAfterMark && event.key === 'ArrowDown') {
    event.preventDefault()
    return
  }
  moveFocusWithArrows(event)
  const mark = findMark(event)
  if (!mark) return
  event.preventDefault()
  onMark(mark.present)
  focusNextRow(event.currentTarget.closest('li'), mark.value)
}

/** The date field does not count, because dates contain no letters and it has the focus when the
 *  dialog opens. */
const isTyping = (target: Element) => target.matches('input:not([type=date]), select, textarea')

/** While no row has the focus, P and A mark the first unmarked student. */
export function useRollKeys(list: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { target, defaultPrevented } = event
      const mark = findMark(event)
      if (!mark || defaultPrevented || !(target instanceof Element) || isTyping(target)) return
      const isInDialog = target.closest('dialog') === list.current?.closest('dialog')
      if (!isInDialog && target !== document.body) return
      const row = [...(list.current?.children ?? [])].find(
        (listItem) => !listItem.querySelector('[aria-pressed=true]'),
      )
      const button = findButton(row, mark.value)
      if (!row || !button) return
      event.preventDefault()
      button.click()
      focusNextRow(row, mark.value)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [list])
}
