import { Skeleton } from '@mantine/core'
import { onlinePaymentApi } from '@tatami/contract/online-payment/online-payment'
import { useEffect } from 'react'
import { useEndpointMutation } from '../lib/query.ts'
import { CopyField } from '../ui/copy-field.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { Sheet } from '../ui/sheet.tsx'
import styles from './pay-link-sheet.module.css'
import { SimulationBanner } from './simulation.tsx'
import kit from '../ui/kit.module.css'

type Props = { studentId: string; onClose: () => void }

export function PayLinkSheet({ studentId, onClose }: Props) {
  const { data: payLink, isError, mutate } = useEndpointMutation(onlinePaymentApi.createPayLink)
  const create = () => mutate({ body: { student_id: studentId } })
  // oxlint-disable-next-line react/exhaustive-deps -- Creates one link when the sheet opens.
  useEffect(create, [])
  return (
    <Sheet opened onClose={onClose} title="Pay link" size="small">
      <div className={kit.stack}>
        <SimulationBanner />
        <p>
          Whoever has this link sees what is owed when they open it, and can pay by card or bank
          account. It also shows brothers and sisters who have the same payer, by first name.
        </p>
        {isError && <ErrorNotice onRetry={create}>The link could not be created.</ErrorNotice>}
        {payLink ? (
          <>
            <CopyField label="Link" value={payLink.link} />
            <img className={styles.qr} src={payLink.qr} alt="QR code for the link" />
          </>
        ) : (
          <>
            <Skeleton height="4.5rem" />
            <Skeleton className={styles.qr} />
          </>
        )}
      </div>
    </Sheet>
  )
}
