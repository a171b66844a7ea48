import { type KeyboardEvent as ReactKeyboardEvent, type RefObject, useEffect } from 'react'
import { moveFocusWithArrows } from '../lib/arrow-focus.ts'

type Mark = { value: 'present' | 'absent'; present: boolean }
const MARKS: Record<string, Mark> = {
  p: { value: 'present', present: true },
  a: { value: 'absent', present: false },
}

type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>
const findMark = ({ key, ctrlKey, metaKey, altKey }: KeyPress) =>
  ctrlKey || metaKey || altKey ? undefined : MARKS[key.toLowerCase()]

const findButton = (row: Element | null | undefined, value: string) =>
  row?.querySelector<HTMLElement>(`[value=${value}]`)

/** The button that got the focus after P or A marked the student before it. */
let reachedButton: HTMLElement | undefined

function focusNextRow(row: Element | null, value: string) {
  reachedButton = findButton(row?.nextElementSibling ?? row, value) ?? undefined
  reachedButton?.focus()
}

/** P and A mark the student of the row and move the focus to the next row. Arrow keys only move the
 *  focus. Down directly after P or A does nothing, so that people who press both skip no one. */
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
  const mark = findMark(event)
  if (!mark) return
  event.preventDefault()
  onMark(mark.present)
  focusNextRow(event.currentTarget.closest('li'), mark.value)
}

/** The keys also work in the date field, which has the focus when the dialog opens. Dates contain no
 *  letters. */
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
