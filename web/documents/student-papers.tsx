import { Button } from '@mantine/core'
import { documentsApi } from '@tatami/contract/documents/documents'
import type { NeededDocument } from '@tatami/contract/documents/signatures'
import type { Student } from '@tatami/contract/students/students'
import { useState } from 'react'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { FramedList, FramedRow } from '../ui/framed-list.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { Loading } from '../ui/loading.tsx'
import { SkeletonBlock } from '../ui/skeletons.tsx'
import { describeState } from './document-words.ts'
import { SignatureList } from './signature-list.tsx'
import kit from '../ui/kit.module.css'

const SignSheet = lazyComponent(() => import('./sign-sheet.tsx'), 'SignSheet')

export const studentDocumentsQuery = (id: string) =>
  endpointQuery(documentsApi.ofStudent, { params: { id } })

type Props = { student: Pick<Student, 'id' | 'name' | 'guardians' | 'left_on'> }

/** The documents that a student needs, and all signatures. Shows nothing in a school without
 *  documents. */
export function StudentPapers({ student }: Props) {
  const query = useRetryingQuery(studentDocumentsQuery(student.id))
  const [isAsking, setAsking] = useState(false)
  const { needed = [], signatures = [] } = query.data ?? {}
  const openPapers = needed.filter(({ state }) => state !== 'signed')
  if (query.data && needed.length + signatures.length === 0) return null
  return (
    <section className={kit.stackSmall} aria-label="Signed documents">
      <Loading query={query} error="The documents could not be loaded.">
        <SkeletonBlock height="4rem" />
      </Loading>
      {needed.length > 0 && <NeededList needed={needed} />}
      {openPapers.length > 0 && student.left_on === null && (
        <div>
          <Button onClick={() => setAsking(true)} aria-haspopup="dialog">
            Get a signature
          </Button>
        </div>
      )}
      {signatures.length > 0 && <SignatureList signatures={signatures} />}
      {isAsking && (
        <SignSheet
          student={student}
          papers={openPapers}
          isHeld={false}
          recordsPaper
          onClose={() => setAsking(false)}
        />
      )}
    </section>
  )
}

const NeededList = ({ needed }: { needed: readonly NeededDocument[] }) => (
  <FramedList aria-label="Documents">
    {needed.map((document) => (
      <FramedRow
        key={document.document_id}
        name={document.name}
        details={document.state === 'signed' ? [describeState(document)] : []}
        {...(document.state !== 'signed' && { warning: describeState(document) })}
      />
    ))}
  </FramedList>
)
