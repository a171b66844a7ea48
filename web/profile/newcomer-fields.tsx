import { Box, Button, Stack, TextInput, Title } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import type { InvitationDetails } from '@tatami/contract/profile/join'
import type { ReactNode } from 'react'
import { today } from '../lib/dates.ts'
import { focusOnMount } from '../lib/modal.ts'
import { lazyComponentFrom } from '../ui/lazy-component.tsx'
import styles from './join-page.module.css'

const NewcomerChoices = lazyComponentFrom(() =>
  import('./newcomer-choices.tsx').then((module) => module.NewcomerChoices),
)
/** Reserves space for the choices, so that nothing moves when they appear. */
const CLASSES_LABEL_REM = 1.25
const CLASS_REM = 3.6

type Props = {
  title: string
  getInputProps: (name: string) => object
  isChild: boolean
  needsPhone: boolean
  hasFocus: boolean
  classes: InvitationDetails['classes']
  plans: InvitationDetails['plans']
  /** Null until the date of birth is entered. */
  age: number | null
  onRemove?: (() => void) | undefined
}

function getPhoneLabel({ isChild, needsPhone }: Pick<Props, 'isChild' | 'needsPhone'>) {
  if (isChild) return 'Child’s phone number (if they have one)'
  return needsPhone ? 'Phone number' : 'Phone number (if they have one)'
}

export const NewcomerFields = ({
  title,
  getInputProps,
  isChild,
  needsPhone,
  hasFocus,
  classes,
  plans,
  age,
  onRemove,
}: Props) => (
  <Section
    title={title}
    action={
      onRemove && (
        <Button
          variant="subtle"
          color="gray"
          size="sm"
          leftSection={<IconX size={18} aria-hidden />}
          aria-label={`Remove ${title}`}
          onClick={onRemove}
        >
          Remove
        </Button>
      )
    }
  >
    <TextInput
      {...getInputProps('name')}
      label={isChild ? 'Child’s name' : 'Name'}
      autoComplete={isChild ? 'off' : 'name'}
      autoCapitalize="words"
      ref={hasFocus ? focusOnMount : undefined}
    />
    <TextInput
      {...getInputProps('date_of_birth')}
      label="Date of birth"
      type="date"
      max={today()}
      autoComplete={isChild ? 'off' : 'bday'}
    />
    <TextInput
      {...getInputProps('phone_number')}
      label={getPhoneLabel({ isChild, needsPhone })}
      type="tel"
      autoComplete={isChild ? 'off' : 'tel'}
    />
    {classes.length + plans.length > 0 && (
      <Box mih={`${CLASSES_LABEL_REM + classes.length * CLASS_REM}rem`}>
        <NewcomerChoices classes={classes} plans={plans} age={age} getInputProps={getInputProps} />
      </Box>
    )}
  </Section>
)

type SectionProps = { title: string; note?: ReactNode; action?: ReactNode; children: ReactNode }

export const Section = ({ title, note, action, children }: SectionProps) => (
  <fieldset className={styles.section}>
    <legend className={styles.legend}>
      <Title order={2} size="h4">
        {title}
      </Title>
    </legend>
    {action && <div className={styles.action}>{action}</div>}
    {note && <p className={styles.note}>{note}</p>}
    <Stack gap="md">{children}</Stack>
  </fieldset>
)
