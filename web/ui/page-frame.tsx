import { useEffect, type ReactNode } from 'react'
import { Footer, Logo } from './brand.tsx'
import styles from './page-frame.module.css'
import kit from './kit.module.css'

export function useTitle(title: string) {
  useEffect(() => {
    document.title = `${title} · Tatami`
  }, [title])
}

type Props = {
  title: string
  homeLabel?: ReactNode
  classNames: Readonly<Record<string, string>>
  children: ReactNode
}

export function PageFrame({ title, homeLabel, classNames, children }: Props) {
  useTitle(title)
  return (
    <div className={`${styles.page} ${classNames.page}`}>
      <header>
        <a href="/" className={`${styles.home} ${homeLabel ? kit.strong : styles.name}`}>
          {homeLabel ?? (
            <>
              <Logo />
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
