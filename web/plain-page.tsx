import { Title } from '@mantine/core'
import { useEffect, type ReactNode } from 'react'
import { Footer } from './ui/footer.tsx'
import classes from './plain-page.module.css'
import { Mark } from './ui/mark.tsx'

/** A page with nothing but its words: the way home, and what there is to say. */
export function PlainPage({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Tatami`
  }, [title])
  return (
    <div className={classes.page}>
      <header>
        <a href="/" className={classes.home}>
          <Mark />
          Tatami
        </a>
      </header>
      <main className={classes.main}>
        <Title order={1}>{title}</Title>
        {children}
      </main>
      <Footer />
    </div>
  )
}
