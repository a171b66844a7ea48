import { Paper, Title } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useState } from 'react'
import { PageFrame } from '../ui/page-frame.tsx'
import { ConsentForm } from './consent-form.tsx'
import { ConsentGiven } from './consent-given.tsx'
import classes from './consent-page.module.css'

const TITLE = 'Text Message Consent'
const HOME = (
  <>
    <IconArrowLeft size={20} aria-hidden />
    Back to Home
  </>
)

/** Where anybody agrees to receive texts (specification, section 2). */
export function ConsentPage() {
  const [isGiven, setGiven] = useState(false)
  return (
    <PageFrame title={TITLE} home={HOME} classes={classes}>
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
    </PageFrame>
  )
}
