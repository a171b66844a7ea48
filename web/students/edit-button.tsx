import { IconPencil } from '@tabler/icons-react'
import type { Student } from '@tatami/contract/students/students'
import type { KeyboardEvent } from 'react'
import { WithRight } from '../ui/with-right.tsx'
import styles from './edit-button.module.css'
import kit from '../ui/kit.module.css'

type Props = {
  student: Student
  onEdit: (student: Student) => void
  onPreload: () => void
}

export const EditButton = ({ student, onEdit, onPreload }: Props) => (
  <WithRight right="students.edit">
    <button
      type="button"
      className={`${kit.bareButton} ${styles.edit}`}
      data-arrow-keys
      aria-label={`Edit ${student.name}`}
      onClick={() => onEdit(student)}
      onPointerEnter={onPreload}
      onFocus={onPreload}
      onKeyDown={focusNextEditButton}
    >
      <IconPencil size={20} aria-hidden />
    </button>
  </WithRight>
)

/** Arrow keys move the focus to the Edit button of the next or previous student. */
function focusNextEditButton(event: KeyboardEvent<HTMLElement>) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (!step) return
  const buttons = [...document.querySelectorAll<HTMLElement>('[data-arrow-keys]')]
  buttons[buttons.indexOf(event.currentTarget) + step]?.focus()
  event.preventDefault()
}
