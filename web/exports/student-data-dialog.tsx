import { NativeSelect, Stack } from '@mantine/core'
import { exportsApi } from '@tatami/contract/exports/exports'
import type { Student } from '@tatami/contract/students/students'
import { useState } from 'react'
import { firstName } from '@tatami/contract/lib/name-parts'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { CancelButton, Sheet } from '../ui/sheet.tsx'
import { useDownload } from '../ui/use-download.ts'

type Props = { student: Student; onClose: () => void }

/** For an instructor: one student's data, to hand to somebody who asks for it, or for the dojo's own files. */
export function StudentDataDialog({ student: { id, name, guardians }, onClose }: Props) {
  const readers = [
    ...guardians.map((guardian) => ({
      value: guardian.id,
      label: guardian.name,
      about: `What ${firstName(guardian.name)} may see.`,
    })),
    { value: id, label: name, about: 'Without your notes, and without guardians.' },
    {
      value: '',
      label: 'Your own files',
      about: 'Everything you have, your notes too. Please do not hand it out.',
    },
  ]
  const [readerId, setReaderId] = useState(readers[0]!.value)
  const file = useDownload(exportsApi.student)
  return (
    <Sheet
      opened
      onClose={onClose}
      title={`Data of ${name}`}
      size="small"
      actions={
        <>
          <CancelButton>Close</CancelButton>
          <BusyButton
            busy={file.isPending}
            busyLabel="Downloading..."
            onClick={() =>
              file.start({ params: { id }, body: readerId ? { reader_id: readerId } : {} })
            }
          >
            Download
          </BusyButton>
        </>
      }
    >
      <Stack gap="md">
        <p>A zip of attendance, payments, texts and more, to open in a spreadsheet.</p>
        <NativeSelect
          label="Who is it for?"
          description={readers.find(({ value }) => value === readerId)?.about}
          inputWrapperOrder={['label', 'input', 'description']}
          value={readerId}
          onChange={(event) => setReaderId(event.currentTarget.value)}
          data={readers.map(({ value, label }) => ({ value, label }))}
        />
        <ErrorNotice>{file.error}</ErrorNotice>
        <div role="status">{file.isDone && 'It is among your downloads.'}</div>
      </Stack>
    </Sheet>
  )
}
