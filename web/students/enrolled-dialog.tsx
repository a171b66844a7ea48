import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { classesApi } from '@tatami/contract/classes'
import { endpointQuery } from '../lib/query.ts'
import { Sheet } from '../ui/sheet.tsx'
import type { Enrolled } from './use-enrolment.ts'

/** Says what was done, with the classes that really took the student. */
export function EnrolledDialog({ student, joined, onClose, onNext }: Enrolled & { onClose: () => void; onNext: () => void }) {
  const { data: classes = [] } = useQuery(endpointQuery(classesApi.list))
  const names = new Intl.ListFormat('en').format(classes.filter(({ id }) => joined.includes(id)).map((c) => c.class_name))
  return (
    <Sheet
      opened
      onClose={onClose}
      title="Student Enrolled"
      size="small"
      role="alertdialog"
      actions={
        <>
          <Button variant="default" onClick={onNext}>
            Enroll Another
          </Button>
          <Button onClick={onClose} data-autofocus>
            Done
          </Button>
        </>
      }
    >
      <Text>{names ? `${student.name} is enrolled in ${names}.` : `${student.name} is enrolled, and in no class yet.`}</Text>
      <Text mt="sm">They can log in as {student.email} with the password that you chose.</Text>
    </Sheet>
  )
}
