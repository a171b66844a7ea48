import { Stack } from '@mantine/core'
import { staffCertificatesApi } from '@tatami/contract/staff/staff-certificates'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { Loading } from '../ui/loading.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { CertificateList } from './certificate-list.tsx'
import kit from '../ui/kit.module.css'

/** The user’s own certificates. Only people who manage the staff can change them. */
export function MyCertificates() {
  const query = useRetryingQuery(endpointQuery(staffCertificatesApi.listOwn))
  const certificates = query.data?.certificates ?? []
  return (
    <Stack gap="lg">
      <PageHeader title="My certificates" />
      <Loading query={query} error="Your certificates could not be loaded.">
        <Skeletons count={3} height={76} label="Loading..." />
      </Loading>
      {query.data && certificates.length === 0 && (
        <EmptyState>
          No certificates yet. Show the owner your first-aid card or course certificate, and you’ll
          get a reminder before it expires.
        </EmptyState>
      )}
      {certificates.length > 0 && (
        <>
          <CertificateList label="My certificates" certificates={certificates} />
          <p className={kit.muted}>
            Tatami reminds you 60, 30 and 7 days before a certificate expires. Show the owner the
            new certificate.
          </p>
        </>
      )}
    </Stack>
  )
}
