import { UnstyledButton } from '@mantine/core'
import { IconCamera } from '@tabler/icons-react'
import { useState } from 'react'
import { Face, type StudentFace } from '../ui/face.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import styles from './editable-face.module.css'

const PhotoDialog = lazyComponent(() => import('./photo-dialog.tsx'), 'PhotoDialog')

type Props = { student: StudentFace & { id: string }; size: number }

/** Show this only to people who may change the photo. */
export function EditableFace({ student, size }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  const { name, photo } = student
  return (
    <>
      <UnstyledButton
        className={styles.button}
        aria-label={`${photo === null ? 'Add a' : 'Change the'} photo of ${name}`}
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
        {...PhotoDialog.preloadOnHover}
      >
        <Face student={student} size={size} />
        <span className={styles.camera} aria-hidden>
          <IconCamera size={16} />
        </span>
      </UnstyledButton>
      {isOpen && <PhotoDialog student={student} onClose={() => setIsOpen(false)} />}
    </>
  )
}
