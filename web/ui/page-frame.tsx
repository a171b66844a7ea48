import type { ReactNode } from 'react'
import { useTitle } from '../lib/use-title.ts'
import { Footer } from './footer.tsx'
import { Mark } from './mark.tsx'
import styles from './page-frame.module.css'

type Props = {
  title: string
  /** What the way home shows, where it is not our name. */
  home?: ReactNode
  /** How wide the page and how its middle is laid out. */
  classes: Readonly<Record<string, string>>
  children: ReactNode
}

/** A page in neither layout: the way home, `children` in the middle, the footer. */
export function PageFrame({ title, home, classes, children }: Props) {
  useTitle(title)
  return (
    <div className={`${styles.page} ${classes.page}`}>
      <header>
        <a href="/" className={`${styles.home} ${home ? styles.words : styles.name}`}>
          {home ?? (
            <>
              <Mark />
              Tatami
            </>
          )}
        </a>
      </header>
      <main className={`${styles.main} ${classes.main}`}>{children}</main>
      <Footer />
    </div>
  )
}
