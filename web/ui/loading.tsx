import type { ReactNode } from 'react'
import { ErrorNotice, RetryNotice } from './notices.tsx'
import { Sheet } from './sheet.tsx'
import { Skeletons } from './skeletons.tsx'

type LoadingState = { data: unknown; isUnavailable: boolean; retry: () => void }
type LoadingProps = { query: LoadingState; error: string; children: ReactNode }

/** Shows its children while the query loads, and an error if it fails. */
export function Loading({ query: { data, isUnavailable, retry }, error, children }: LoadingProps) {
  if (isUnavailable) return <RetryNotice onRetry={retry}>{error}</RetryNotice>
  return data === undefined && children
}

type SheetProps = {
  title: string
  query: LoadingState
  error: string
  label: string
  onClose: () => void
}

export const LoadingSheet = ({ title, query, error, label, onClose }: SheetProps) => (
  <Sheet opened onClose={onClose} title={title}>
    {query.isUnavailable ? (
      <ErrorNotice onRetry={query.retry}>{error}</ErrorNotice>
    ) : (
      <Skeletons label={label} />
    )}
  </Sheet>
)
