import { Skeleton } from '@mantine/core'
import { onlinePaymentApi } from '@tatami/contract/online-payment/online-payment'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useCan } from '../lib/current-user.ts'
import { endpointQuery, useEndpointMutation } from '../lib/query.ts'
import { ErrorNotice } from '../ui/notices.tsx'
import styles from './statement-pay-link.module.css'
import kit from '../ui/kit.module.css'

type Props = { studentId: string }

/** A QR code on the paper, with which the family pays what it owes. Nothing if the school takes no
 *  payments online, or only tries that out. */
export function StatementPayLink({ studentId }: Props) {
  const mayCreateLinks = useCan()('money.take')
  const { data: status } = useQuery({
    ...endpointQuery(onlinePaymentApi.status),
    enabled: mayCreateLinks,
  })
  const isOn = status?.is_on && !status.is_simulated
  return mayCreateLinks && isOn && <PayLink studentId={studentId} />
}

function PayLink({ studentId }: Props) {
  const { data: payLink, isError, mutate } = useEndpointMutation(onlinePaymentApi.createPayLink)
  const create = () => mutate({ body: { student_id: studentId } })
  // oxlint-disable-next-line react/exhaustive-deps -- Creates one link for a statement.
  useEffect(create, [studentId])
  if (isError) return <ErrorNotice onRetry={create}>The pay link could not be created.</ErrorNotice>
  return (
    <section aria-label="Pay online" className={styles.payLink}>
      {payLink ? (
        <img className={styles.qr} src={payLink.qr} alt="QR code for paying online" />
      ) : (
        <Skeleton className={styles.qr} />
      )}
      <div>
        <p className={kit.strong}>Pay online</p>
        <p>
          Scan the code with your phone’s camera, or open this address. It shows what you owe then.
        </p>
        <p className={styles.address}>{payLink?.link.replace(/^https?:\/\//, '') ?? '\u00a0'}</p>
      </div>
    </section>
  )
}
