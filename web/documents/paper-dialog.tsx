import { FileInput, NativeSelect, TextInput } from '@mantine/core'
import { documentsApi } from '@tatami/contract/documents/documents'
import { useState } from 'react'
import { progressProps } from '../lib/api.ts'
import { today } from '../lib/dates.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { readScan } from './scan-file.ts'
import type { OpenPaper, SigningStudent } from './sign-sheet.tsx'

type Props = {
  student: SigningStudent
  papers: readonly OpenPaper[]
  onRecorded: () => void
  onClose: () => void
}

const STUDENT = 'student'
const SOMEBODY_ELSE = 'other'

/** Records a signature on paper, with a photo of the paper or without. */
export function PaperDialog({ student, papers, onRecorded, onClose }: Props) {
  const [firstGuardian] = student.guardians
  const [documentId, setDocumentId] = useState(papers[0]?.document_id ?? '')
  const [signer, setSigner] = useState(firstGuardian?.id ?? STUDENT)
  const [name, setName] = useState(firstGuardian?.name ?? student.name)
  const [day, setDay] = useState(today())
  const [photo, setPhoto] = useState<File | null>(null)
  const { record, isReading } = useRecordPaper(student.id, onRecorded)
  const chooseSigner = (id: string) => {
    setSigner(id)
    const guardian = student.guardians.find((candidate) => candidate.id === id)
    setName(guardian?.name ?? (id === STUDENT ? student.name : ''))
  }
  return (
    <FormDialog
      title="Signed on paper"
      size="small"
      onClose={onClose}
      isDirty={photo !== null}
      onSubmit={(event) => {
        event.preventDefault()
        void record.start({ documentId, signer, name, day, photo })
      }}
      {...progressProps(record, 'The signature could not be saved. Please try again.')}
      busy={record.isPending || isReading}
      submitLabel="Save"
      busyLabel="Saving..."
      isReady={name.trim() !== '' && day !== ''}
    >
      <NativeSelect
        label="Document"
        value={documentId}
        data={papers.map((paper) => ({ value: paper.document_id, label: paper.name }))}
        onChange={({ currentTarget }) => setDocumentId(currentTarget.value)}
      />
      <NativeSelect
        label="Who signed"
        value={signer}
        data={[
          ...student.guardians.map((guardian) => ({ value: guardian.id, label: guardian.name })),
          { value: STUDENT, label: student.name },
          { value: SOMEBODY_ELSE, label: 'Somebody else' },
        ]}
        onChange={({ currentTarget }) => chooseSigner(currentTarget.value)}
      />
      <TextInput
        label="Name on the paper"
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        required
        maxLength={100}
      />
      <TextInput
        label="Signed on"
        type="date"
        value={day}
        max={today()}
        onChange={({ currentTarget }) => setDay(currentTarget.value)}
        required
      />
      <FileInput
        label="Photo of the paper"
        size="md"
        description="Optional. Without it, only your name says that you saw the paper."
        accept="image/jpeg,image/png,image/webp"
        value={photo}
        onChange={setPhoto}
        clearable
      />
    </FormDialog>
  )
}

type PaperRecord = {
  documentId: string
  signer: string
  name: string
  day: string
  photo: File | null
}

function useRecordPaper(studentId: string, onRecorded: () => void) {
  const [isReading, setReading] = useState(false)
  const mutation = useEndpointMutation(documentsApi.recordPaper, {
    refreshes: [documentsApi.ofStudent, documentsApi.unsigned, documentsApi.list],
    onSuccess: onRecorded,
  })
  const start = async ({ documentId, signer, name, day, photo }: PaperRecord) => {
    if (mutation.isPending || isReading) return
    setReading(true)
    const scan = photo && (await readScan(photo))
    setReading(false)
    mutation.mutate({
      params: { id: studentId },
      body: {
        document_id: documentId,
        signer_name: name,
        signed_on: day,
        ...(signer === SOMEBODY_ELSE && { relation: 'other' }),
        ...(signer !== SOMEBODY_ELSE && signer !== STUDENT && { guardian_id: signer }),
        ...(scan && { photo: scan }),
      },
    })
  }
  return { isReading, record: { ...mutation, start } }
}
