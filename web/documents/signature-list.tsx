import { Button, TextInput } from '@mantine/core'
import { documentsApi } from '@tatami/contract/documents/documents'
import type { GivenAnswer } from '@tatami/contract/documents/document-texts'
import type { Signature } from '@tatami/contract/documents/signatures'
import { studentsApi } from '@tatami/contract/students/students'
import { useState } from 'react'
import { alertFailure } from '../lib/alert-failure.ts'
import { errorMessage, progressProps } from '../lib/api.ts'
import { useCan } from '../lib/current-user.ts'
import { formatDateTime } from '../lib/dates.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { joinNonEmpty } from '../lib/text.ts'
import { Disclosure } from '../ui/disclosure.tsx'
import { DownloadButton } from '../ui/download-button.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { CHANNEL_WORDS } from './document-words.ts'
import kit from '../ui/kit.module.css'

const REFRESHES = {
  refreshes: [documentsApi.ofStudent, documentsApi.list, documentsApi.show, documentsApi.unsigned],
}

/** All signatures for a student, the newest first, with revoked ones. */
export function SignatureList({ signatures }: { signatures: readonly Signature[] }) {
  const [revokedSignature, setRevokedSignature] = useState<Signature | null>(null)
  return (
    <Disclosure summary={`Signatures (${signatures.length})`}>
      <ul className={kit.hairlines} aria-label="Signatures">
        {signatures.map((signature) => (
          <SignatureRow
            key={signature.id}
            signature={signature}
            onRevoke={() => setRevokedSignature(signature)}
          />
        ))}
      </ul>
      {revokedSignature && (
        <RevokeDialog signature={revokedSignature} onClose={() => setRevokedSignature(null)} />
      )}
    </Disclosure>
  )
}

const describeSigner = ({ signer_name, relation, signer_kind }: Signature): string =>
  signer_name === null
    ? `By the ${signer_kind === 'other' ? 'family' : signer_kind}`
    : joinNonEmpty([signer_name, relation])

function describeSigning({ signed_at, time_zone, channel, recorded_by }: Signature): string {
  const recorder = recorded_by === null ? '' : `, recorded by ${recorded_by}`
  return `${formatDateTime(signed_at)} (${time_zone}), ${CHANNEL_WORDS[channel]}${recorder}`
}

type RowProps = { signature: Signature; onRevoke: () => void }

function SignatureRow({ signature, onRevoke }: RowProps) {
  const { document_name, version, answers, medical_answers, revoked_at } = signature
  return (
    <li className={kit.stackTight} style={{ paddingBlock: '0.75rem' }}>
      <span className={kit.strong}>
        {document_name}, version {version}
      </span>
      <span className={kit.note}>{describeSigner(signature)}</span>
      <span className={kit.note}>{describeSigning(signature)}</span>
      {signature.is_signed_as_minor && <span className={kit.note}>Signed as a minor</span>}
      {revoked_at !== null && (
        <span className={`${kit.note} ${kit.red}`}>Revoked: {signature.revoked_reason}</span>
      )}
      <Answers answers={[...answers, ...medical_answers]} />
      <SignatureActions signature={signature} onRevoke={onRevoke} />
    </li>
  )
}

const ANSWER_WORDS: Record<string, string> = { yes: 'Yes', no: 'No' }

const Answers = ({ answers }: { answers: readonly GivenAnswer[] }) =>
  answers.map(({ key, label, value }) => (
    <span key={key} className={kit.note}>
      {label} {ANSWER_WORDS[value] ?? value}
    </span>
  ))

function SignatureActions({ signature, onRevoke }: RowProps) {
  const { id, document_name, needs_confirmation, revoked_at, has_file } = signature
  const can = useCan()
  const confirm = useEndpointMutation(documentsApi.confirm, {
    ...REFRESHES,
    onError: (error) => alertFailure(errorMessage(error, 'Please try again.')),
  })
  const isValid = revoked_at === null
  const hasMedicalAnswers = signature.medical_answers.length > 0 && signature.student_id !== null
  return (
    <div className={kit.wrap}>
      {has_file && can('students.contact') && (
        <DownloadButton
          endpoint={documentsApi.file}
          input={{ params: { id } }}
          variant="default"
          busyLabel="Downloading..."
          aria-label={`Download ${document_name}`}
        >
          Download
        </DownloadButton>
      )}
      {hasMedicalAnswers && can('medical') && <MedicalNoteButton signatureId={id} />}
      {needs_confirmation && isValid && can('students.edit') && (
        <Button disabled={confirm.isPending} onClick={() => confirm.mutate({ params: { id } })}>
          Confirm
        </Button>
      )}
      {isValid && can('students.edit') && (
        <Button variant="subtle" color="red" aria-haspopup="dialog" onClick={onRevoke}>
          Revoke
        </Button>
      )}
    </div>
  )
}

/** Answers never become a medical note without this tap. Adding them twice changes nothing. */
function MedicalNoteButton({ signatureId }: { signatureId: string }) {
  const add = useEndpointMutation(studentsApi.addMedicalAnswers, {
    refreshes: [studentsApi.show],
    onError: (error) =>
      alertFailure(errorMessage(error, 'The answers were not added. Please try again.')),
  })
  if (add.isSuccess)
    return (
      <span role="status" className={kit.note}>
        Added to the medical note
      </span>
    )
  return (
    <Button
      variant="default"
      disabled={add.isPending}
      onClick={() => add.mutate({ params: { id: signatureId } })}
    >
      Add to medical note
    </Button>
  )
}

type RevokeProps = { signature: Signature; onClose: () => void }

function RevokeDialog({ signature: { id, document_name }, onClose }: RevokeProps) {
  const [reason, setReason] = useState('')
  const revoke = useEndpointMutation(documentsApi.revoke, { ...REFRESHES, onSuccess: onClose })
  return (
    <FormDialog
      title={`Revoke the signature of ${document_name}`}
      size="small"
      onClose={onClose}
      isDirty={reason !== ''}
      onSubmit={(event) => {
        event.preventDefault()
        if (!revoke.isPending) revoke.mutate({ params: { id }, body: { reason } })
      }}
      {...progressProps(revoke, 'The signature could not be revoked. Please try again.')}
      submitLabel="Revoke"
      busyLabel="Revoking..."
      isReady={reason.trim() !== ''}
    >
      <p>The signature is kept with your reason, and the document has to be signed again.</p>
      <TextInput
        label="Reason"
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
        maxLength={300}
        required
        data-autofocus
      />
    </FormDialog>
  )
}
