import type { ReactNode } from 'react'
import type { PagedQuery } from '../lib/use-paged-query.ts'
import { BusyButton } from './busy-button.tsx'
import { RetryNotice } from './notices.tsx'

type Props = { query: PagedQuery; error: string; children?: ReactNode }

/** The button that loads the next page of a list. Children are shown instead of the button. */
export const MoreRows = ({ query, error, children }: Props) => (
  <>
    {query.isError && !query.isFetching && (
      <RetryNotice onRetry={() => void (query.rows ? query.fetchNextPage() : query.refetch())}>
        {error}
      </RetryNotice>
    )}
    {children}
    {!children && query.hasNextPage && (
      <BusyButton
        variant="default"
        busy={query.isFetchingNextPage}
        busyLabel="Loading..."
        onClick={() => void query.fetchNextPage()}
      >
        Show more
      </BusyButton>
    )}
  </>
)
