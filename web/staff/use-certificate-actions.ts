import {
  type StaffCertificate,
  staffCertificatesApi,
  usualLastDay,
} from '@tatami/contract/staff/staff-certificates'
import { useState } from 'react'
import { alertFailure } from '../lib/alert-failure.ts'
import { errorMessage } from '../lib/api.ts'
import { formatDate, today } from '../lib/dates.ts'
import { useEndpointMutation } from '../lib/query.ts'

/** What certificates change on other screens, too. */
export const CERTIFICATE_READS = [
  staffCertificatesApi.list,
  staffCertificatesApi.listOwn,
  staffCertificatesApi.alerts,
]

const OPTIONS = {
  refreshes: CERTIFICATE_READS,
  onError: (error: Error) =>
    alertFailure(errorMessage(error, 'That could not be saved. Please try again.')),
}

/** What was just done, and how to undo it. */
export type CertificateAct = { message: string; undo: () => void }

/** The buttons of a person's certificates. Each act can be undone while the dialog is open. */
export function useCertificateActions() {
  const [lastAct, setLastAct] = useState<CertificateAct | null>(null)
  const removeMutation = useEndpointMutation(staffCertificatesApi.remove, OPTIONS)
  const restoreMutation = useEndpointMutation(staffCertificatesApi.restore, OPTIONS)
  const renewMutation = useEndpointMutation(staffCertificatesApi.renew, OPTIONS)
  const recheckMutation = useEndpointMutation(staffCertificatesApi.recheck, OPTIONS)
  const changeMutation = useEndpointMutation(staffCertificatesApi.change, OPTIONS)
  const clearAct = { onSuccess: () => setLastAct(null) }
  const withoutNew = (id: string) => removeMutation.mutate({ params: { id } }, clearAct)

  const showAdded = ({ id, kind }: StaffCertificate) =>
    setLastAct({ message: `${kind.name} added.`, undo: () => withoutNew(id) })

  const renew = ({ id, kind }: StaffCertificate) =>
    renewMutation.mutate(
      { params: { id } },
      {
        onSuccess: ({ certificate }) =>
          setLastAct({
            message: `${kind.name} renewed until ${formatDate(usualLastDay(kind, today()))}.`,
            undo: () => withoutNew(certificate.id),
          }),
      },
    )

  const recheck = ({ id, kind, got_on, expires_on, recheck_on, note }: StaffCertificate) => {
    const undo = () =>
      changeMutation.mutate(
        { params: { id }, body: { got_on, expires_on, recheck_on, note } },
        clearAct,
      )
    const onSuccess = () => setLastAct({ message: `${kind.name} rechecked today.`, undo })
    recheckMutation.mutate({ params: { id } }, { onSuccess })
  }

  const remove = ({ id, kind }: StaffCertificate) => {
    const undo = () => restoreMutation.mutate({ params: { id } }, clearAct)
    const onSuccess = () => setLastAct({ message: `${kind.name} removed.`, undo })
    removeMutation.mutate({ params: { id } }, { onSuccess })
  }

  const isPending = [
    removeMutation,
    restoreMutation,
    renewMutation,
    recheckMutation,
    changeMutation,
  ].some((mutation) => mutation.isPending)
  return { lastAct, showAdded, renew, recheck, remove, isPending }
}
