import { Button } from '@mantine/core'
import { useState } from 'react'
import { ShellLink } from '../lib/shell.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { MoreRows } from '../ui/more-rows.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { conversationsOf, type Told } from './conversations.ts'
import { SimulatedPhone } from './simulated-phone.tsx'
import classes from './simulated-phones.module.css'
import { useSimulated } from './use-simulated.ts'

export function SimulatedPhones() {
  const simulated = useSimulated()
  const { texts, answers } = simulated
  const [told, setTold] = useState<readonly Told[]>([])
  return (
    <>
      <div className={classes.statement}>
        <p>
          <strong>No real texts leave this machine.</strong> This is what each phone would show.
        </p>
        <p>
          Reply as the phone would: the words arrive in the inbox, and STOP and START count until a real text service is set up. The
          simulator delivers every text; to see one fail, reply STOP from a phone while its next text is still in the queue.
        </p>
      </div>
      {!texts && !simulated.isError && <Skeletons count={2} height={160} label="Loading the phones..." />}
      {texts?.length === 0 && (
        <EmptyState
          action={
            <Button component={ShellLink} to="/message-center">
              Go to the Message Center
            </Button>
          }
        >
          No phone has received a text yet.
        </EmptyState>
      )}
      {texts && texts.length > 0 && (
        <ul className={classes.phones} aria-label="Phones">
          {conversationsOf(texts, answers, told).map((conversation) => (
            <li key={conversation.phone}>
              <SimulatedPhone conversation={conversation} onTold={(one) => setTold([...told, one])} />
            </li>
          ))}
        </ul>
      )}
      <MoreRows of={simulated} failed="The simulated texts could not be loaded." />
    </>
  )
}
