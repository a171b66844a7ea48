import { Button } from '@mantine/core'
import {
  type OwnDocuments as OwnDocumentsReply,
  ownDocumentsApi,
  type OwnSignature,
} from '@tatami/contract/documents/signing'
import { alertFailure } from '../lib/alert-failure.ts'
import { errorMessage } from '../lib/api.ts'
import { formatDateTime } from '../lib/dates.ts'
import { endpointQuery, useEndpointMutation, useRetryingQuery } from '../lib/query.ts'
import { joinNonEmpty } from '../lib/text.ts'
import { DownloadButton } from '../ui/download-button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { FramedList, FramedRow } from '../ui/framed-list.tsx'
import { Loading } from '../ui/loading.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { openSigningPage } from './open-signing-page.ts'
import kit from '../ui/kit.module.css'

export const ownDocumentsQuery = endpointQuery(ownDocumentsApi.list)

/** What the user has to sign, and the copies of what they signed. */
export function OwnDocuments() {
  const query = useRetryingQuery(ownDocumentsQuery)
  const { people = [], signatures = [] } = query.data ?? {}
  return (
    <div className={kit.stack}>
      <PageHeader title="Documents" />
      <Loading query={query} error="Your documents could not be loaded.">
        <Skeletons count={3} height={76} label="Loading..." />
      </Loading>
      {query.data && people.length + signatures.length === 0 && (
        <EmptyState>Nothing to sign.</EmptyState>
      )}
      {people.length > 0 && <PapersToSign people={people} />}
      {signatures.length > 0 && (
        <FramedList aria-label="Signed">
          {signatures.map((signature) => (
            <SignedRow key={signature.id} signature={signature} />
          ))}
        </FramedList>
      )}
    </div>
  )
}

export const PapersToSign = ({ people }: { people: OwnDocumentsReply['people'] }) => (
  <FramedList aria-label="To sign">
    {people.map(({ student_id, name, to_sign }) => (
      <FramedRow key={student_id} name={name} details={to_sign.map((paper) => paper.name)}>
        <SignButton studentId={student_id} name={name} />
      </FramedRow>
    ))}
  </FramedList>
)

/** Opens the page for signing, which needs a network. */
function SignButton({ studentId, name }: { studentId: string; name: string }) {
  const createLink = useEndpointMutation(ownDocumentsApi.createLink, {
    onSuccess: ({ link }) => openSigningPage(link),
    onError: (error) =>
      alertFailure(errorMessage(error, 'Signing needs a network. Please try again.')),
  })
  return (
    <Button
      aria-label={`Sign for ${name}`}
      disabled={createLink.isPending}
      onClick={() => createLink.mutate({ body: { student_id: studentId } })}
    >
      Sign
    </Button>
  )
}

function SignedRow({ signature }: { signature: OwnSignature }) {
  const { id, document_name, person_name, signed_at, revoked_at, has_file } = signature
  return (
    <FramedRow
      name={document_name}
      details={[
        joinNonEmpty([person_name, `signed ${formatDateTime(signed_at)}`]),
        ...(revoked_at ? ['Revoked'] : []),
      ]}
    >
      {has_file && (
        <DownloadButton
          endpoint={ownDocumentsApi.file}
          input={{ params: { id } }}
          variant="default"
          busyLabel="Downloading..."
          aria-label={`Download ${document_name}`}
        >
          Download
        </DownloadButton>
      )}
    </FramedRow>
  )
}
