import { Stack } from '@mantine/core'
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react'
import { certificatesApi } from '@tatami/contract/gradings/certificates'
import { useParams } from 'react-router'
import { ApiError } from '../lib/api.ts'
import { formatDate } from '../lib/dates.ts'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { VisitorPage } from '../accounts/visitor-page.tsx'
import { RetryNotice } from '../ui/notices.tsx'
import { RankBelt } from '../ui/rank-belt.tsx'
import { SkeletonBlock } from '../ui/skeletons.tsx'
import styles from './certificate-page.module.css'

/** The server's statuses for an unknown certificate and for an invalid code. */
const UNKNOWN_STATUSES = [404, 422]

export function CertificatePage() {
  const { code = '' } = useParams()
  const { data, error, isUnavailable, retry } = useRetryingQuery(
    endpointQuery(certificatesApi.check, { params: { code } }),
  )
  const isUnknown = error instanceof ApiError && UNKNOWN_STATUSES.includes(error.status)
  return (
    <VisitorPage title="Certificate">
      {isUnknown && <p>We couldn’t find this certificate.</p>}
      {isUnavailable && !isUnknown && (
        <RetryNotice onRetry={retry}>The certificate could not be loaded.</RetryNotice>
      )}
      {!data && !isUnavailable && <SkeletonBlock height="9.5rem">Loading...</SkeletonBlock>}
      {data && (
        <Stack gap="md">
          <p className={styles.state} data-state={data.state}>
            {data.state === 'valid' ? (
              <IconCircleCheck size={28} aria-hidden />
            ) : (
              <IconCircleX size={28} aria-hidden />
            )}
            {data.state === 'valid' ? 'Valid' : 'Revoked'}
          </p>
          <p className={styles.rank}>
            <RankBelt rank={data.rank} level="white" size={64} decorative />
            {data.rank.name}
          </p>
          <dl className={styles.facts}>
            <dt>Given on</dt>
            <dd>{formatDate(data.given_on)}</dd>
            <dt>Number</dt>
            <dd>{data.number}</dd>
          </dl>
        </Stack>
      )}
    </VisitorPage>
  )
}
