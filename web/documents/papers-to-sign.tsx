import { useRetryingQuery } from '../lib/query.ts'
import { pluralize } from '../lib/text.ts'
import { Panel } from '../ui/panel.tsx'
import { ownDocumentsQuery, PapersToSign } from './own-documents.tsx'

/** "2 papers to sign", on the home screen of parents and students. Nothing if there are none. */
export function HomePapers() {
  const { data } = useRetryingQuery(ownDocumentsQuery)
  const people = data?.people ?? []
  if (people.length === 0) return null
  const count = people.reduce((sum, { to_sign }) => sum + to_sign.length, 0)
  return (
    <Panel title={`${pluralize(count, 'paper')} to sign`}>
      <PapersToSign people={people} />
    </Panel>
  )
}
