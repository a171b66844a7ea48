import { Paper, Title } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { Footer } from '../ui/footer.tsx'
import { ConsentForm } from './consent-form.tsx'
import { ConsentGiven } from './consent-given.tsx'
import classes from './consent-page.module.css'

const TITLE = 'Text Message Consent'

/** Where anybody agrees to receive texts (specification, section 2). */
export function ConsentPage() {
  const [isGiven, setGiven] = useState(false)
  useEffect(() => {
    document.title = `${TITLE} · Tatami`
  }, [])
  return (
    <div className={classes.page}>
      <header>
        <a href="/" className={classes.home}>
          <IconArrowLeft size={20} aria-hidden />
          Back to Home
        </a>
      </header>
      <main className={classes.main}>
        <Paper p="lg" className={classes.card}>
          {isGiven ? (
            <ConsentGiven />
          ) : (
            <>
              <Title order={1} mb="md">
                {TITLE}
              </Title>
              <ConsentForm onDone={() => setGiven(true)} />
            </>
          )}
        </Paper>
      </main>
      <Footer />
    </div>
  )
}
