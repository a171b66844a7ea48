import type { ReactNode } from 'react'
import type { PagedQuery } from '../lib/use-paged-query.ts'
import { BusyButton } from './busy-button.tsx'
import { RetryNotice } from './notices.tsx'

type Props = { query: PagedQuery; error: string; children?: ReactNode }

export const MoreRows = ({
  query: { rows, isError, isFetching, ...pages },
  error,
  children,
}: Props) => (
  <>
    {isError && !isFetching && (
      <RetryNotice onRetry={() => void (rows ? pages.fetchNextPage() : pages.refetch())}>
        {error}
      </RetryNotice>
    )}
    {children}
    {!children && pages.hasNextPage && (
      <BusyButton
        variant="default"
        busy={pages.isFetchingNextPage}
        busyLabel="Loading..."
        onClick={() => void pages.fetchNextPage()}
      >
        Show more
      </BusyButton>
    )}
  </>
)
