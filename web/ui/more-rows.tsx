import type { ReactNode } from 'react'
import type { Pages } from '../lib/use-paged-query.ts'
import { BusyButton } from './busy-button.tsx'
import { ErrorNotice } from './notices.tsx'

type Props = { of: Pages; failed: string; children?: ReactNode }

/** Below a list: the error, and the button for older rows. `children` replaces the button. */
export const MoreRows = ({
  of: { rows, isError, isFetching, ...pages },
  failed,
  children,
}: Props) => (
  <>
    {isError && !isFetching && (
      <ErrorNotice onRetry={() => void (rows ? pages.fetchNextPage() : pages.refetch())}>
        {failed}
      </ErrorNotice>
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
