import { Button, Checkbox, Stack, TextInput, Title } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { daysText, timeRange } from '@tatami/contract/classes/classes'
import type { InvitationDetails } from '@tatami/contract/profile/join'
import type { ReactNode } from 'react'
import { today } from '../lib/dates.ts'
import { focusOnMount } from '../lib/modal.ts'
import styles from './join-page.module.css'

type Props = {
  title: string
  getInputProps: (name: string) => object
  isChild: boolean
  needsPhone: boolean
  hasFocus: boolean
  classes: InvitationDetails['classes']
  onRemove?: (() => void) | undefined
}

function phoneLabel({ isChild, needsPhone }: Pick<Props, 'isChild' | 'needsPhone'>) {
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
      label={phoneLabel({ isChild, needsPhone })}
      type="tel"
      autoComplete={isChild ? 'off' : 'tel'}
    />
    {classes.length > 0 && (
      <ClassChoices classes={classes} {...getInputProps('class_preferences')} />
    )}
  </Section>
)

const ClassChoices = ({ classes, ...field }: Pick<Props, 'classes'>) => (
  <Checkbox.Group
    {...field}
    label="Classes"
    size="md"
    inputWrapperOrder={['label', 'error', 'input']}
    tabIndex={-1}
  >
    <div className={styles.classes}>
      {classes.map((dojoClass) => (
        <Checkbox
          key={dojoClass.id}
          value={dojoClass.id}
          label={dojoClass.class_name}
          description={`${daysText(dojoClass)}, ${timeRange(dojoClass)}`}
        />
      ))}
    </div>
  </Checkbox.Group>
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
