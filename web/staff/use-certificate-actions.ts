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

/** What to load again after a certificate changes. */
export const CERTIFICATE_QUERIES = [
  staffCertificatesApi.list,
  staffCertificatesApi.listOwn,
  staffCertificatesApi.alerts,
]

const OPTIONS = {
  refreshes: CERTIFICATE_QUERIES,
  onError: (error: Error) =>
    alertFailure(errorMessage(error, 'That could not be saved. Please try again.')),
}

/** The last change, and how to undo it. */
export type CertificateChange = { message: string; undo: () => void }

/** Changes a person’s certificates. The last change can be undone while the dialog is open. */
export function useCertificateActions() {
  const [lastChange, setLastChange] = useState<CertificateChange | null>(null)
  const removeMutation = useEndpointMutation(staffCertificatesApi.remove, OPTIONS)
  const restoreMutation = useEndpointMutation(staffCertificatesApi.restore, OPTIONS)
  const renewMutation = useEndpointMutation(staffCertificatesApi.renew, OPTIONS)
  const recheckMutation = useEndpointMutation(staffCertificatesApi.recheck, OPTIONS)
  const changeMutation = useEndpointMutation(staffCertificatesApi.change, OPTIONS)
  const clearLastChange = { onSuccess: () => setLastChange(null) }
  const removeNew = (id: string) => removeMutation.mutate({ params: { id } }, clearLastChange)

  const showAdded = ({ id, kind }: StaffCertificate) =>
    setLastChange({ message: `${kind.name} added.`, undo: () => removeNew(id) })

  const renew = ({ id, kind }: StaffCertificate) =>
    renewMutation.mutate(
      { params: { id } },
      {
        onSuccess: ({ certificate }) =>
          setLastChange({
            message: `${kind.name} renewed until ${formatDate(usualLastDay(kind, today()))}.`,
            undo: () => removeNew(certificate.id),
          }),
      },
    )

  const recheck = ({ id, kind, got_on, expires_on, recheck_on, note }: StaffCertificate) => {
    const undo = () =>
      changeMutation.mutate(
        { params: { id }, body: { got_on, expires_on, recheck_on, note } },
        clearLastChange,
      )
    const onSuccess = () => setLastChange({ message: `${kind.name} rechecked today.`, undo })
    recheckMutation.mutate({ params: { id } }, { onSuccess })
  }

  const remove = ({ id, kind }: StaffCertificate) => {
    const undo = () => restoreMutation.mutate({ params: { id } }, clearLastChange)
    const onSuccess = () => setLastChange({ message: `${kind.name} removed.`, undo })
    removeMutation.mutate({ params: { id } }, { onSuccess })
  }

  const isPending = [
    removeMutation,
    restoreMutation,
    renewMutation,
    recheckMutation,
    changeMutation,
  ].some((mutation) => mutation.isPending)
  return { lastChange, showAdded, renew, recheck, remove, isPending }
}
