import { ActionIcon } from '@mantine/core'
import { IconWritingSign } from '@tabler/icons-react'
import { documentsApi, type UnsignedStudent } from '@tatami/contract/documents/documents'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { endpointQuery } from '../lib/query.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'
import type { SigningStudent } from './sign-sheet.tsx'

const SignSheet = lazyComponent(() => import('./sign-sheet.tsx'), 'SignSheet')

const unsignedQuery = endpointQuery(documentsApi.unsigned)

/** What a student of a roll has not signed. Undefined if there is nothing, or without a network. */
function useUnsignedStudent(id: string): UnsignedStudent | undefined {
  const { data } = useQuery(unsignedQuery)
  return data?.students.find(({ student_id }) => student_id === id)
}

/** The mark beside a student who has not signed a document. Opens the ways to sign. */
export function UnsignedMark({ student }: { student: SigningStudent }) {
  const [isOpen, setOpen] = useState(false)
  const unsignedStudent = useUnsignedStudent(student.id)
  if (!unsignedStudent) return null
  const { documents, is_held } = unsignedStudent
  const names = documents.map(({ name }) => name).join(', ')
  return (
    <>
      <ActionIcon
        variant="light"
        color="orange"
        size="lg"
        aria-label={`${student.name} has not signed: ${names}`}
        aria-haspopup="dialog"
        onPointerDown={SignSheet.preload}
        onClick={() => setOpen(true)}
      >
        <IconWritingSign size={20} aria-hidden />
      </ActionIcon>
      {isOpen && (
        <SignSheet
          student={student}
          papers={documents}
          isHeld={is_held}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
