import { Button } from '@mantine/core'
import { firstName } from '@tatami/contract/lib/name-parts'
import type { StaffPerson } from '@tatami/contract/staff/staff'
import {
  certificateState,
  type StaffCertificate,
  staffCertificatesApi,
} from '@tatami/contract/staff/staff-certificates'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { today } from '../lib/dates.ts'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { Loading } from '../ui/loading.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import { AddCertificateDialog, EditCertificateDialog } from './certificate-dialogs.tsx'
import { CertificateList } from './certificate-list.tsx'
import styles from './certificates-sheet.module.css'
import { useCertificateActions } from './use-certificate-actions.ts'
import kit from '../ui/kit.module.css'

type Props = { person: StaffPerson; onClose: () => void }

/** The certificates of a person, with buttons to add, renew, recheck and edit them. */
export function CertificatesSheet({ person: { id, name }, onClose }: Props) {
  const query = useRetryingQuery(endpointQuery(staffCertificatesApi.list))
  const certificates = (query.data?.certificates ?? []).filter(({ staff_id }) => staff_id === id)
  const actions = useCertificateActions()
  const [isAdding, setAdding] = useState(false)
  const [editedCertificate, setEditedCertificate] = useState<StaffCertificate | null>(null)
  return (
    <>
      <Sheet
        opened
        onClose={onClose}
        title={`Certificates of ${name}`}
        actions={<SheetActions actions={actions} onAdd={() => setAdding(true)} />}
      >
        <div className={kit.stack}>
          <Loading query={query} error="The certificates could not be loaded.">
            <Skeletons count={2} height={76} label="Loading..." />
          </Loading>
          {query.data && certificates.length === 0 && (
            <p className={kit.muted}>
              None yet. Add a certificate of {firstName(name)}, and Tatami reminds both of you
              before it ends.
            </p>
          )}
          {certificates.length > 0 && (
            <CertificateList
              label="Certificates"
              certificates={certificates}
              renderActions={(certificate) => (
                <CertificateButtons
                  certificate={certificate}
                  actions={actions}
                  onEdit={() => setEditedCertificate(certificate)}
                />
              )}
            />
          )}
        </div>
      </Sheet>
      {isAdding && (
        <AddCertificateDialog
          staffId={id}
          kinds={query.data?.kinds ?? []}
          onAdded={actions.showAdded}
          onClose={() => setAdding(false)}
        />
      )}
      {editedCertificate && (
        <EditCertificateDialog
          certificate={editedCertificate}
          onRemove={() => actions.remove(editedCertificate)}
          onClose={() => setEditedCertificate(null)}
        />
      )}
    </>
  )
}

type Actions = ReturnType<typeof useCertificateActions>

/** Outside the scrolling list, so that Undo is always visible. */
const SheetActions = ({ actions, onAdd }: { actions: Actions; onAdd: () => void }) => (
  <>
    <div role="status" className={styles.lastChange}>
      {actions.lastChange && (
        <div className={`${kit.spread} ${kit.sunken}`}>
          <span>{actions.lastChange.message}</span>
          <Button variant="subtle" disabled={actions.isPending} onClick={actions.lastChange.undo}>
            Undo
          </Button>
        </div>
      )}
    </div>
    <Button leftSection={<IconPlus size={20} aria-hidden />} onClick={onAdd}>
      Add a certificate
    </Button>
  </>
)

type ButtonsProps = {
  certificate: StaffCertificate
  actions: Actions
  onEdit: () => void
}

function CertificateButtons({ certificate, actions, onEdit }: ButtonsProps) {
  const { kind, is_current, recheck_on } = certificate
  const isUrgent = certificateState(certificate, today()) !== 'valid'
  const variant = isUrgent ? 'filled' : 'default'
  const hiddenKindName = <VisuallyHidden>{` ${kind.name}`}</VisuallyHidden>
  return (
    <>
      {is_current && recheck_on !== null && (
        <Button
          variant={variant}
          disabled={actions.isPending}
          onClick={() => actions.recheck(certificate)}
        >
          Rechecked{hiddenKindName}
        </Button>
      )}
      {is_current && (
        <Button
          variant={recheck_on === null ? variant : 'default'}
          disabled={actions.isPending}
          onClick={() => actions.renew(certificate)}
        >
          Renew{hiddenKindName}
        </Button>
      )}
      <Button variant="subtle" onClick={onEdit}>
        Edit{hiddenKindName}
      </Button>
    </>
  )
}
