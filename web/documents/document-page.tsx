import { Button } from '@mantine/core'
import { documentsApi, type DocumentDetails } from '@tatami/contract/documents/documents'
import type { Reply } from '@tatami/contract/lib/endpoint'
import { isUnsigned } from '@tatami/contract/documents/signatures'
import { useState } from 'react'
import { useParams } from 'react-router'
import { alertFailure } from '../lib/alert-failure.ts'
import { errorMessage, failureMessage } from '../lib/api.ts'
import { useCan } from '../lib/current-user.ts'
import { LayoutLink } from '../lib/layout-link.tsx'
import { studentPath } from '../lib/paths.ts'
import { endpointQuery, useEndpointMutation, useRetryingQuery } from '../lib/query.ts'
import { pluralize } from '../lib/text.ts'
import { FramedList, FramedRow } from '../ui/framed-list.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { Loading } from '../ui/loading.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Panel } from '../ui/panel.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import { DocumentBody } from './document-preview.tsx'
import { describeDocument, describeState } from './document-words.ts'
import kit from '../ui/kit.module.css'

const DocumentDialog = lazyComponent(() => import('./document-dialog.tsx'), 'DocumentDialog')
const PublishDialog = lazyComponent(() => import('./publish-dialog.tsx'), 'PublishDialog')

/** A document: its text, and who still has to sign it. */
export function DocumentPage() {
  const { id = '' } = useParams()
  const query = useRetryingQuery(endpointQuery(documentsApi.show, { params: { id } }))
  const document = query.data?.document
  return (
    <div className={kit.stack}>
      <PageHeader title={document?.name ?? 'Document'} />
      <Loading query={query} error="The document could not be loaded.">
        <Skeletons count={3} height={120} label="Loading..." />
      </Loading>
      {document && <DocumentView document={document} />}
    </div>
  )
}

function DocumentView({ document }: { document: DocumentDetails }) {
  const [dialog, setDialog] = useState<'edit' | 'publish' | null>(null)
  const mayEdit = useCan()('settings')
  const [firstText] = document.texts
  return (
    <>
      <p className={kit.muted}>{describeDocument(document)}</p>
      {mayEdit && (
        <div className={kit.wrap}>
          {document.has_unpublished_changes && !document.is_archived && (
            <Button onClick={() => setDialog('publish')}>Publish</Button>
          )}
          <Button variant="default" onClick={() => setDialog('edit')}>
            Edit
          </Button>
          <ArchiveButton document={document} />
        </div>
      )}
      {document.version !== null && !document.is_archived && <People document={document} />}
      <Panel title="Text">
        <DocumentBody body={firstText?.body ?? ''} />
      </Panel>
      {dialog === 'edit' && <DocumentDialog document={document} onClose={() => setDialog(null)} />}
      {dialog === 'publish' && (
        <PublishDialog document={document} onClose={() => setDialog(null)} />
      )}
    </>
  )
}

/** Archiving deletes nothing, so it needs no confirmation: the same button takes it back. */
function ArchiveButton({ document: { id, is_archived } }: { document: DocumentDetails }) {
  const archive = useEndpointMutation(documentsApi.archive, {
    refreshes: [documentsApi.show, documentsApi.list, documentsApi.unsigned],
    onError: (error) =>
      alertFailure(errorMessage(error, 'The document could not be changed. Please try again.')),
  })
  return (
    <Button
      variant="default"
      disabled={archive.isPending}
      onClick={() => archive.mutate({ params: { id }, body: { is_archived: !is_archived } })}
    >
      {is_archived ? 'Ask for it again' : 'Archive'}
    </Button>
  )
}

function describeRequest({ asked, not_reached }: Reply<typeof documentsApi.askAgain>): string {
  if (asked === 0) return 'Nobody could be reached in the app or by email: text them a link.'
  const sentence = `Asked for ${pluralize(asked, 'student')}, in the app and by email.`
  return not_reached === 0
    ? sentence
    : `${sentence} ${pluralize(not_reached, 'student')} cannot be reached that way: text them a link.`
}

/** By text, only one student at a time: each family gets a link of its own. */
function AskAgainButton({ documentId }: { documentId: string }) {
  const ask = useEndpointMutation(documentsApi.askAgain)
  return (
    <div className={kit.stackSmall}>
      {!ask.isSuccess && (
        <div>
          <Button
            disabled={ask.isPending}
            onClick={() => ask.mutate({ params: { id: documentId } })}
          >
            Ask everybody again
          </Button>
        </div>
      )}
      <p role="status" className={kit.muted}>
        {ask.data && describeRequest(ask.data)}
      </p>
      <ErrorNotice>{failureMessage(ask, 'Nobody was asked. Please try again.')}</ErrorNotice>
    </div>
  )
}

function People({ document: { id, people } }: { document: DocumentDetails }) {
  const can = useCan()
  const unsignedPeople = people.filter(({ state }) => isUnsigned(state))
  const otherPeople = people.filter(({ state }) => !isUnsigned(state))
  return (
    <Panel title={unsignedPeople.length > 0 ? 'Not signed' : 'Signatures'}>
      {unsignedPeople.length > 0 && can('students.edit') && <AskAgainButton documentId={id} />}
      {people.length === 0 && <p className={kit.muted}>Everybody has signed.</p>}
      {people.length > 0 && (
        <FramedList aria-label="Students">
          {[...unsignedPeople, ...otherPeople].map((person) => (
            <FramedRow key={person.student_id} name={person.name} details={[describeState(person)]}>
              <Button component={LayoutLink} to={studentPath(person.student_id)} variant="default">
                Open<VisuallyHidden>{` ${person.name}`}</VisuallyHidden>
              </Button>
            </FramedRow>
          ))}
        </FramedList>
      )}
    </Panel>
  )
}
