import { familiesApi } from '@tatami/contract/families/families'
import type { Guardian, Guardianship } from '@tatami/contract/guardians/guardians'
import { firstName } from '@tatami/contract/lib/name-parts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { endpointQuery } from '../lib/query.ts'
import { pluralize } from '../lib/text.ts'
import { ConfirmDialog } from '../ui/message-dialogs.tsx'

/** If one of these rights is removed, notices that the guardian received are removed, too. */
type AccessRight = 'sees' | 'sees_fees'
type Removal = { right: AccessRight; noticeCount: number }

export const isAccessRight = (right: string): right is AccessRight =>
  right === 'sees' || right === 'sees_fees'

export const noticesQuery = (guardian: Guardian, link: Guardianship) =>
  endpointQuery(familiesApi.notices, {
    params: { id: guardian.id, studentId: link.student_id },
  })

/** True if removing the right also ends the guardian's agreement to the child's login. The
 *  agreement requires seeing the page. */
export const endsAgreement = (right: AccessRight, link: Guardianship) =>
  right === 'sees' && link.allows_log_in

type Options = {
  guardian: Guardian
  link: Guardianship
  onRemove: (right: AccessRight) => void
  onError: (right: AccessRight, error: unknown) => void
}

export function useRightRemoval({ guardian, link, onRemove, onError }: Options) {
  const client = useQueryClient()
  const [pendingRights, setPendingRights] = useState<readonly AccessRight[]>([])
  // These removals wait for a confirmation. Each gets a dialog, one after another.
  const [removals, setRemovals] = useState<readonly Removal[]>([])
  const removal = removals[0]
  const stopPending = (right: AccessRight) =>
    setPendingRights((rights) => rights.filter((pendingRight) => pendingRight !== right))
  const close = () => {
    if (removal) stopPending(removal.right)
    setRemovals((allRemovals) => allRemovals.slice(1))
  }
  async function requestRemoval(right: AccessRight) {
    if (pendingRights.includes(right)) return
    setPendingRights((rights) => [...rights, right])
    try {
      const { total, about_fees } = await client.query({
        ...noticesQuery(guardian, link),
        staleTime: 0,
      })
      const noticeCount = right === 'sees' ? total : about_fees
      if (noticeCount > 0 || endsAgreement(right, link)) {
        setRemovals((allRemovals) => [...allRemovals, { right, noticeCount }])
        return
      }
      onRemove(right)
    } catch (error) {
      onError(right, error)
    }
    stopPending(right)
  }
  return {
    isRemovalPending: (right: string) =>
      pendingRights.some((pendingRight) => pendingRight === right),
    requestRemoval,
    removal,
    cancel: close,
    confirm: () => {
      if (removal) onRemove(removal.right)
      close()
    },
  }
}

type DialogProps = {
  guardian: Guardian
  link: Guardianship
  removal: Removal
  onCancel: () => void
  onConfirm: () => void
}

export function RightRemovalDialog({ guardian, link, removal, onCancel, onConfirm }: DialogProps) {
  const student = firstName(link.student_name)
  const lostAccess = removal.right === 'sees' ? 'page' : 'messages about fees'
  return (
    <ConfirmDialog
      opened
      onClose={onCancel}
      onConfirm={onConfirm}
      title={`Hide ${student}’s ${lostAccess} from ${guardian.name}?`}
      confirmLabel="Remove"
      busy={false}
      busyLabel="Removing..."
      danger
    >
      {guardian.name} will no longer see {student}’s {lostAccess}.{' '}
      <LostNotices count={removal.noticeCount} />
      {endsAgreement(removal.right, link) && <EndedAgreement student={student} />}
    </ConfirmDialog>
  )
}

export const LostNotices = ({ count }: { count: number }) =>
  count > 0 && <>{pluralize(count, 'notice')} will be removed for good. </>

export const EndedAgreement = ({ student }: { student: string }) => (
  <>Their agreement to a login for {student} also ends.</>
)
