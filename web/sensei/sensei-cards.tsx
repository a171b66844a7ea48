import { VisuallyHidden } from '@mantine/core'
import { IconCalendarPlus, IconMail, IconMapPin, IconPhone, IconUsers, type Icon } from '@tabler/icons-react'
import type { Sensei } from '@tatami/contract/sensei'
import { memo } from 'react'
import { counted } from '../lib/counted.ts'
import { showMomentsDay } from '../lib/dates.ts'
import { showPhone } from '../lib/show-phone.ts'
import { type Choose, SenseiActs } from './sensei-acts.tsx'
import classes from './sensei-cards.module.css'
import { dojoShown } from './shown.ts'
import { StatusBadge } from './status-badge.tsx'

type Props = { sensei: Sensei[]; onChoose: Choose }

export const SenseiCards = ({ sensei, onChoose }: Props) => (
  <ul className={classes.cards}>
    {sensei.map((one) => (
      <li key={one.sensei_id} className={classes.card}>
        <Card sensei={one} onChoose={onChoose} />
      </li>
    ))}
  </ul>
)

const Card = memo(({ sensei, onChoose }: { sensei: Sensei; onChoose: Props['onChoose'] }) => {
  const dojo = dojoShown(sensei.dojo_name)
  return (
    <>
      <div className={classes.head}>
        <h3>{sensei.full_name}</h3>
        <StatusBadge isActive={sensei.is_active} />
      </div>
      <p className={classes.dojo}>
        {dojo.name}
        <small>{dojo.branding}</small>
      </p>
      <dl className={classes.facts}>
        <Fact word="Email" icon={IconMail}>
          {sensei.email}
        </Fact>
        <Fact word="Contact number" icon={IconPhone}>
          {showPhone(sensei.contact_number ?? '')}
        </Fact>
        <Fact word="City and state" icon={IconMapPin}>
          {[sensei.city, sensei.state].filter(Boolean).join(', ')}
        </Fact>
        <Fact word="Total students" icon={IconUsers}>
          {counted(sensei.total_students, 'student')}
        </Fact>
        <Fact word="Created" icon={IconCalendarPlus}>
          {showMomentsDay(sensei.created_at)}
        </Fact>
      </dl>
      <SenseiActs sensei={sensei} onChoose={onChoose} />
    </>
  )
})

const Fact = ({ word, icon: Sign, children }: { word: string; icon: Icon; children: string }) => (
  <div>
    <dt>
      <Sign size={16} stroke={1.5} aria-hidden />
      <VisuallyHidden>{word}</VisuallyHidden>
    </dt>
    <dd>{children}</dd>
  </div>
)
