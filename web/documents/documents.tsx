import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import {
  documentsApi,
  type DocumentList,
  type DocumentSummary,
} from '@tatami/contract/documents/documents'
import { useState } from 'react'
import { useCan } from '../lib/current-user.ts'
import { LayoutLink } from '../lib/layout-link.tsx'
import { documentPath } from '../lib/paths.ts'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { FramedList, FramedRow } from '../ui/framed-list.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { Loading } from '../ui/loading.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import { describeCounts, describeDocument } from './document-words.ts'
import kit from '../ui/kit.module.css'

const DocumentDialog = lazyComponent(() => import('./document-dialog.tsx'), 'DocumentDialog')
const RulesDialog = lazyComponent(() => import('./document-rules-dialog.tsx'), 'RulesDialog')

/** The waivers and other documents of the school. */
export function Documents() {
  const query = useRetryingQuery(endpointQuery(documentsApi.list))
  const [dialog, setDialog] = useState<'new' | 'rules' | null>(null)
  const mayEdit = useCan()('settings')
  const close = () => setDialog(null)
  const addButton = mayEdit && (
    <Button leftSection={<IconPlus size={20} aria-hidden />} onClick={() => setDialog('new')}>
      Write a document
    </Button>
  )
  return (
    <div className={kit.stack}>
      <PageHeader title="Documents">{query.data?.documents.length ? addButton : null}</PageHeader>
      <Loading query={query} error="The documents could not be loaded.">
        <Skeletons count={3} height={76} label="Loading..." />
      </Loading>
      {query.data?.documents.length === 0 && (
        <EmptyState action={addButton}>
          No documents yet. Parents can sign a waiver or an agreement on their phone, and you see
          who has not signed.
        </EmptyState>
      )}
      {query.data && <DocumentRows documents={query.data.documents} />}
      {query.data && query.data.documents.length > 0 && mayEdit && (
        <RulesRow rules={query.data.rules} onEdit={() => setDialog('rules')} />
      )}
      {dialog === 'new' && <DocumentDialog document={null} onClose={close} />}
      {dialog === 'rules' && query.data && <RulesDialog rules={query.data.rules} onClose={close} />}
    </div>
  )
}

function DocumentRows({ documents }: { documents: readonly DocumentSummary[] }) {
  if (documents.length === 0) return null
  return (
    <FramedList aria-label="Documents">
      {documents.map((document) => {
        const counts = document.is_archived ? '' : describeCounts(document)
        return (
          <FramedRow
            key={document.id}
            name={document.name}
            details={[describeDocument(document)]}
            {...(counts !== '' && { warning: counts })}
          >
            <Button component={LayoutLink} to={documentPath(document.id)} variant="default">
              Open<VisuallyHidden>{` ${document.name}`}</VisuallyHidden>
            </Button>
          </FramedRow>
        )
      })}
    </FramedList>
  )
}

type RulesProps = { rules: DocumentList['rules']; onEdit: () => void }

const RulesRow = ({ rules: { is_holding }, onEdit }: RulesProps) => (
  <div className={`${kit.spread} ${kit.sunken}`}>
    <span>
      {is_holding
        ? 'The kiosk sends students without a signature to you.'
        : 'The kiosk checks students in, and asks for the signature.'}
    </span>
    <Button variant="subtle" onClick={onEdit}>
      Rules
    </Button>
  </div>
)
