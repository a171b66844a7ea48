import type { ReactNode } from 'react'
import { roleOf, useCurrentUser } from '../lib/current-user.ts'
import { useLayout } from '../lib/layout-link.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { SkeletonBlock } from '../ui/skeletons.tsx'
import styles from './layout.module.css'

type Props = { role?: 'status'; children: ReactNode }

export const Page = ({ role, children }: Props) => (
  <div role={role} className={styles.page} data-layout={useLayout()}>
    {children}
  </div>
)

export const Row = ({ children }: { children: ReactNode }) => (
  <div className={styles.row}>{children}</div>
)

/** On a wide screen, the second column is to the right of the other two. On a narrow screen, the
 *  columns are stacked in order. */
export const Columns = ({ children }: { children: ReactNode }) => (
  <div className={styles.columns}>{children}</div>
)

export const Column = ({ children }: { children: ReactNode }) => (
  <div className={styles.column}>{children}</div>
)

export function Greeting() {
  const user = useCurrentUser()
  const { name, dojo_name } = user
  const subtitles = {
    student: 'Student Dashboard',
    guardian: dojo_name,
    instructor: dojo_name ? `${dojo_name} Dashboard` : 'Instructor Dashboard',
    'super-admin': null,
  }
  return (
    <PageHeader
      title={`Welcome back, ${name}!`}
      subtitle={subtitles[roleOf(user)]}
      showsTitleOnPhone
    />
  )
}

export const DashboardLoading = ({ height }: { height: string }) => (
  <SkeletonBlock height={height}>Loading dashboard...</SkeletonBlock>
)
