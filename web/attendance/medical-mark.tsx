import { ActionIcon } from '@mantine/core'
import { IconMedicalCross } from '@tabler/icons-react'
import { type Student, studentsApi } from '@tatami/contract/students/students'
import { useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { endpointQuery } from '../lib/query.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'

const MedicalSheet = lazyComponent(() => import('./medical-sheet.tsx'), 'MedicalSheet')

export function MedicalMark({ student }: { student: Student }) {
  const [isOpen, setOpen] = useState(false)
  const cache = useQueryClient()
  const prefetch = () => {
    MedicalSheet.preload()
    // If this fails, the sheet loads the student itself.
    cache.query(endpointQuery(studentsApi.show, { params: { id: student.id } })).catch(() => {})
  }
  return (
    <>
      <ActionIcon
        variant="light"
        color="red"
        size="lg"
        aria-label={`Medical note for ${student.name}`}
        aria-haspopup="dialog"
        onPointerDown={prefetch}
        onFocus={MedicalSheet.preload}
        onClick={() => setOpen(true)}
      >
        <IconMedicalCross size={20} aria-hidden />
      </ActionIcon>
      {isOpen && <MedicalSheet student={student} onClose={() => setOpen(false)} />}
    </>
  )
}
