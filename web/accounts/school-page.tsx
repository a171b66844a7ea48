import { Paper, Title } from '@mantine/core'
import type { DojoCard } from '@tatami/contract/pictures/pictures'
import { PRIVACY_PATH } from '@tatami/contract/privacy/privacy'
import type { ReactNode } from 'react'
import { joinNonEmpty } from '../lib/text.ts'
import { Footer } from '../ui/brand.tsx'
import { useTitle } from '../ui/page-frame.tsx'
import kit from '../ui/kit.module.css'
import styles from './school-page.module.css'

type Props = { title: string; school: DojoCard | undefined; children: ReactNode }

/** The page that opens from a school's invitation. It looks like the school's own page: only the
 *  footer mentions Tatami. */
export function SchoolPage({ title, school, children }: Props) {
  useTitle(title)
  const cityAndState = joinNonEmpty([school?.dojo_city, school?.dojo_state])
  return (
    <div className={styles.page}>
      <main className={styles.main}>
        <Paper className={styles.card}>
          <header
            className={styles.school}
            style={school?.dojo_color ? { '--school': school.dojo_color } : undefined}
          >
            {school?.dojo_logo && <img src={school.dojo_logo} alt="" className={styles.logo} />}
            <Title order={1}>{title}</Title>
            {cityAndState && <p className={kit.muted}>{cityAndState}</p>}
          </header>
          {children}
        </Paper>
        <p className={styles.privacy}>
          <a href={PRIVACY_PATH}>What we keep, for how long, and who gets it</a>
        </p>
      </main>
      <Footer />
    </div>
  )
}
