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

/** Shows a QR code with which the family can pay online. Shows nothing if online payment is off or
 *  in test mode. */
export function StatementPayLink({ studentId }: Props) {
  const canCreateLinks = useCan()('money.take')
  const { data: status } = useQuery({
    ...endpointQuery(onlinePaymentApi.status),
    enabled: canCreateLinks,
  })
  const isOn = status?.is_on && !status.is_test
  return canCreateLinks && isOn && <PayLink studentId={studentId} />
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
          Scan the code with your phone’s camera, or open this address. You’ll see what you owe on
          that day.
        </p>
        <p className={styles.address}>{payLink?.link.replace(/^https?:\/\//, '') ?? '\u00a0'}</p>
      </div>
    </section>
  )
}
