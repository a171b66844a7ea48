import { Title } from '@mantine/core'
import { useId, type ReactNode } from 'react'
import { useCurrentUser } from '../lib/current-user.ts'
import { useLayout } from '../lib/layout-link.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { SkeletonBlock } from '../ui/skeletons.tsx'
import styles from './layout.module.css'

type Props = { role?: 'status'; children: ReactNode }

/** The dashboard's column of rows. */
export const Page = ({ role, children }: Props) => (
  <div role={role} className={styles.page} data-layout={useLayout()}>
    {children}
  </div>
)

/** A wide and a narrow panel, side by side on a desktop. */
export const Row = ({ children }: { children: ReactNode }) => <div className={styles.row}>{children}</div>

/** A framed part of the dashboard under its heading; `aside` stands at the heading's right. */
export function Panel({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  const heading = useId()
  return (
    <section className={styles.panel} data-layout={useLayout()} aria-labelledby={heading}>
      <div className={styles.head}>
        <Title order={2} id={heading}>
          {title}
        </Title>
        {aside && <div className={styles.aside}>{aside}</div>}
      </div>
      {children}
    </section>
  )
}

/** The dashboard's heading. */
export function Greeting() {
  const { name, is_instructor, dojo_name } = useCurrentUser()
  const subtitle = !is_instructor ? 'Student Dashboard' : dojo_name ? `${dojo_name} Dashboard` : 'Instructor Dashboard'
  return <PageHeader title={`Welcome back, ${name}!`} subtitle={subtitle} ownTitle />
}

/** The first of what comes, with the words for the wait. */
export const DashboardLoading = ({ height }: { height: string }) => <SkeletonBlock height={height}>Loading dashboard...</SkeletonBlock>
