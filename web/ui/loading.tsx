import type { ReactNode } from 'react'
import { ErrorNotice, RetryNotice } from './notices.tsx'
import { Sheet } from './sheet.tsx'
import { Skeletons } from './skeletons.tsx'

type Wait = { data: unknown; isUnavailable: boolean; retry: () => void }
type LoadingProps = { of: Wait; failed: string; children: ReactNode }

/** `children` while loading, then the error if it failed, then nothing. */
export function Loading({ of: { data, isUnavailable, retry }, failed, children }: LoadingProps) {
  if (isUnavailable) return <RetryNotice onRetry={retry}>{failed}</RetryNotice>
  return data === undefined && children
}

type SheetProps = { title: string; of: Wait; failed: string; label: string; onClose: () => void }

export const LoadingSheet = ({ title, of, failed, label, onClose }: SheetProps) => (
  <Sheet opened onClose={onClose} title={title}>
    {of.isUnavailable ? (
      <ErrorNotice onRetry={of.retry}>{failed}</ErrorNotice>
    ) : (
      <Skeletons label={label} />
    )}
  </Sheet>
)
