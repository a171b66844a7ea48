import { Button, Radio, Stack, TextInput } from '@mantine/core'
import { documentsApi, type LINK_CHANNELS } from '@tatami/contract/documents/documents'
import type { Student } from '@tatami/contract/students/students'
import { useState } from 'react'
import { failureMessage } from '../lib/api.ts'
import { useCan } from '../lib/current-user.ts'
import { LayoutLink } from '../lib/layout-link.tsx'
import { studentPath } from '../lib/paths.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { CancelButton, Sheet } from '../ui/sheet.tsx'
import { openSigningPage } from './open-signing-page.ts'
import kit from '../ui/kit.module.css'

const PaperDialog = lazyComponent(() => import('./paper-dialog.tsx'), 'PaperDialog')

export type OpenPaper = { document_id: string; name: string }
export type SigningStudent = Pick<Student, 'id' | 'name' | 'guardians'>
type Props = {
  student: SigningStudent
  papers: readonly OpenPaper[]
  /** True if the kiosk sends the student to the instructor. */
  isHeld: boolean
  /** Not on the roll, which is a form, because a form cannot be in another. */
  recordsPaper?: boolean
  onClose: () => void
}

const STUDENT = 'student'
const SOMEBODY_ELSE = 'else'

/** Who signs, and how: on this device, by a link or on paper. */
export function SignSheet({ student, papers, isHeld, recordsPaper = false, onClose }: Props) {
  const [signer, setSigner] = useState<string>(student.guardians[0]?.id ?? STUDENT)
  const [isOnPaper, setOnPaper] = useState(false)
  const can = useCan()
  const createLink = useCreateLink(student, papers, signer)
  const isSomebodyElse = signer === SOMEBODY_ELSE
  const maySend = can('texts.send') || can('students.edit')
  return (
    <>
      <Sheet
        opened
        onClose={onClose}
        title={student.name}
        size="small"
        actions={<CancelButton>Close</CancelButton>}
      >
        <Stack gap="md">
          <p>{papers.map(({ name }) => name).join(', ')}</p>
          <SignerChoice student={student} signer={signer} onChange={setSigner} />
          <Stack gap="sm">
            <Button disabled={createLink.isPending} onClick={() => createLink.by('device')}>
              Sign here
            </Button>
            {maySend && !isSomebodyElse && <SendButtons createLink={createLink} />}
            {can('students.edit') && (
              <PaperButton
                student={student}
                opensHere={recordsPaper}
                onOpen={() => setOnPaper(true)}
              />
            )}
          </Stack>
          <p role="status" className={kit.muted}>
            {createLink.isSent && 'The link is on its way. It works for 7 days.'}
          </p>
          <ErrorNotice>{createLink.error}</ErrorNotice>
          {isHeld && <PassForm student={student} onPassed={onClose} />}
        </Stack>
      </Sheet>
      {isOnPaper && (
        <PaperDialog
          student={student}
          papers={papers}
          onRecorded={onClose}
          onClose={() => setOnPaper(false)}
        />
      )}
    </>
  )
}

type Channel = (typeof LINK_CHANNELS)[number]

function useCreateLink(student: SigningStudent, papers: readonly OpenPaper[], signer: string) {
  const mutation = useEndpointMutation(documentsApi.createLink, {
    onSuccess: ({ link }) => {
      if (link !== null) openSigningPage(link)
    },
  })
  return {
    isPending: mutation.isPending,
    isSent: mutation.data?.link === null,
    error: failureMessage(
      mutation,
      'Signing needs a network. Please try again, or use a form on paper.',
    ),
    by: (channel: Channel) =>
      mutation.mutate({
        params: { id: student.id },
        body: {
          document_ids: papers.map(({ document_id }) => document_id),
          by: channel,
          ...(signer === SOMEBODY_ELSE && { is_somebody_else: true }),
          ...(signer !== SOMEBODY_ELSE && signer !== STUDENT && { guardian_id: signer }),
        },
      }),
  }
}

type PaperButtonProps = { student: SigningStudent; opensHere: boolean; onOpen: () => void }

/** From the roll, a signature on paper is recorded on the student’s page. */
const PaperButton = ({ student, opensHere, onOpen }: PaperButtonProps) =>
  opensHere ? (
    <Button variant="default" aria-haspopup="dialog" onClick={onOpen}>
      Signed on paper
    </Button>
  ) : (
    <Button component={LayoutLink} to={studentPath(student.id)} variant="default">
      Signed on paper: open the student’s page
    </Button>
  )

const SendButtons = ({ createLink }: { createLink: ReturnType<typeof useCreateLink> }) => (
  <>
    <Button
      variant="default"
      disabled={createLink.isPending}
      onClick={() => createLink.by('phone')}
    >
      Text a link
    </Button>
    <Button variant="default" disabled={createLink.isPending} onClick={() => createLink.by('mail')}>
      Email a link
    </Button>
  </>
)

type ChoiceProps = {
  student: SigningStudent
  signer: string
  onChange: (signer: string) => void
}

const SignerChoice = ({ student, signer, onChange }: ChoiceProps) => (
  <Radio.Group label="Who signs?" size="md" value={signer} onChange={onChange}>
    <Stack gap="sm" mt="xs">
      {student.guardians.map(({ id, name, relation }) => (
        <Radio key={id} size="md" value={id} label={name} description={relation} />
      ))}
      <Radio size="md" value={STUDENT} label={student.name} />
      <Radio
        size="md"
        value={SOMEBODY_ELSE}
        label="Somebody else"
        description="On this device. You confirm it afterward."
      />
    </Stack>
  </Radio.Group>
)

/** The reason is kept. */
function PassForm({ student, onPassed }: { student: SigningStudent; onPassed: () => void }) {
  const [reason, setReason] = useState('')
  const letPass = useEndpointMutation(documentsApi.letPass, {
    refreshes: [documentsApi.unsigned],
    onSuccess: onPassed,
  })
  return (
    <div className={`${kit.stackSmall} ${kit.sunken}`}>
      <TextInput
        label="Let pass today, because"
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
        maxLength={300}
      />
      <div>
        <Button
          variant="default"
          disabled={reason.trim() === '' || letPass.isPending}
          onClick={() => letPass.mutate({ params: { id: student.id }, body: { reason } })}
        >
          Let pass
        </Button>
      </div>
      <ErrorNotice>{failureMessage(letPass, 'That was not saved. Please try again.')}</ErrorNotice>
    </div>
  )
}
