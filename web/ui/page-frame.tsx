import { useEffect, type ReactNode } from 'react'
import { Footer, Mark } from './brand.tsx'
import styles from './page-frame.module.css'
import kit from './kit.module.css'

/** What the browser's tab is called. */
export function useTitle(title: string) {
  useEffect(() => {
    document.title = `${title} · Tatami`
  }, [title])
}

type Props = {
  title: string
  /** What the way home shows, where it is not our name. */
  home?: ReactNode
  /** How wide the page and how its middle is laid out. */
  classNames: Readonly<Record<string, string>>
  children: ReactNode
}

/** A page in neither layout: the way home, `children` in the middle, the footer. */
export function PageFrame({ title, home, classNames, children }: Props) {
  useTitle(title)
  return (
    <div className={`${styles.page} ${classNames.page}`}>
      <header>
        <a href="/" className={`${styles.home} ${home ? kit.strong : styles.name}`}>
          {home ?? (
            <>
              <Mark />
              Tatami
            </>
          )}
        </a>
      </header>
      <main className={`${styles.main} ${classNames.main}`}>{children}</main>
      <Footer />
    </div>
  )
}
