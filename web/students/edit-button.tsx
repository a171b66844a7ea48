import { ActionIcon } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import type { Student } from '@tatami/contract/students'
import styles from './edit-button.module.css'
import { walkWithArrows } from './walk-with-arrows.ts'

/** The edit icon; a tap anywhere on its card or row is a tap on it. */
export const EditButton = ({ student, onEdit, onNear }: { student: Student; onEdit: (student: Student) => void; onNear: () => void }) => (
  <ActionIcon
    variant="subtle"
    color="gray"
    size="lg"
    className={styles.edit}
    data-walk
    aria-label={`Edit ${student.name}`}
    onClick={() => onEdit(student)}
    onPointerEnter={onNear}
    onFocus={onNear}
    onKeyDown={walkWithArrows}
  >
    <IconPencil size={20} aria-hidden />
  </ActionIcon>
)
