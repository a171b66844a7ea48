import { NativeSelect } from '@mantine/core'
import { exportsApi } from '@tatami/contract/exports/exports'
import type { Student } from '@tatami/contract/students/students'
import { useState } from 'react'
import { firstName } from '@tatami/contract/lib/name-parts'
import { DownloadSheet } from '../ui/download-sheet.tsx'

type Props = { student: Student; onClose: () => void }

export function StudentDataDialog({ student: { id, name, guardians }, onClose }: Props) {
  const readers = [
    ...guardians.map((guardian) => ({
      value: guardian.id,
      label: guardian.name,
      description: `What ${firstName(guardian.name)} may see.`,
    })),
    { value: id, label: name, description: 'Without your notes and without guardians.' },
    {
      value: '',
      label: 'Your own files',
      description: 'Everything you have, including your notes. Please don’t share it.',
    },
  ]
  const [readerId, setReaderId] = useState(guardians[0]?.id ?? id)
  return (
    <DownloadSheet
      title={`Data of ${name}`}
      endpoint={exportsApi.student}
      input={{ params: { id }, body: readerId ? { reader_id: readerId } : {} }}
      onClose={onClose}
    >
      <p>A zip file of attendance, payments, texts and more, to open in a spreadsheet.</p>
      <NativeSelect
        label="Who is it for?"
        description={readers.find(({ value }) => value === readerId)?.description}
        inputWrapperOrder={['label', 'input', 'description']}
        value={readerId}
        onChange={(event) => setReaderId(event.currentTarget.value)}
        data={readers.map(({ value, label }) => ({ value, label }))}
      />
    </DownloadSheet>
  )
}
