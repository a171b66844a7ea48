import { type KeyboardEvent as ReactKeyboardEvent, type RefObject, useEffect } from 'react'
import { moveFocusWithArrows } from '../lib/arrow-focus.ts'

type Mark = { value: 'present' | 'absent'; present: boolean }
const MARKS: Record<string, Mark> = {
  p: { value: 'present', present: true },
  a: { value: 'absent', present: false },
}

type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>
const markOfKey = ({ key, ctrlKey, metaKey, altKey }: KeyPress) =>
  ctrlKey || metaKey || altKey ? undefined : MARKS[key.toLowerCase()]

const buttonIn = (row: Element | null | undefined, value: string) =>
  row?.querySelector<HTMLElement>(`[value=${value}]`)

/** The button that P or A went on to. */
let reachedButton: HTMLElement | undefined

function focusNextRow(row: Element | null, value: string) {
  reachedButton = buttonIn(row?.nextElementSibling ?? row, value) ?? undefined
  reachedButton?.focus()
}

/** P and A mark the student of the row and go on to the next. Arrow keys only move the focus, but
 *  Down right after such a mark stays, so that whoever presses both skips nobody. */
export function handleRollKey(
  event: ReactKeyboardEvent<HTMLButtonElement>,
  onMark: (present: boolean) => void,
) {
  const isRightAfterMark = reachedButton === event.currentTarget
  reachedButton = undefined
  if (isRightAfterMark && event.key === 'ArrowDown') {
    event.preventDefault()
    return
  }
  moveFocusWithArrows(event)
  const mark = markOfKey(event)
  if (!mark) return
  event.preventDefault()
  onMark(mark.present)
  focusNextRow(event.currentTarget.closest('li'), mark.value)
}

/** Nobody types letters into a date, so the keys also work in the date field, where the dialog's
 *  focus starts. */
const isTyping = (target: Element) => target.matches('input:not([type=date]), select, textarea')

/** While no row has the focus, P and A begin with the first student who is not marked. */
export function useRollKeys(list: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { target, defaultPrevented } = event
      const mark = markOfKey(event)
      if (!mark || defaultPrevented || !(target instanceof Element) || isTyping(target)) return
      const isInDialog = target.closest('dialog') === list.current?.closest('dialog')
      if (!isInDialog && target !== document.body) return
      const row = [...(list.current?.children ?? [])].find(
        (candidate) => !candidate.querySelector('[aria-pressed=true]'),
      )
      const button = buttonIn(row, mark.value)
      if (!row || !button) return
      event.preventDefault()
      button.click()
      focusNextRow(row, mark.value)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [list])
}
