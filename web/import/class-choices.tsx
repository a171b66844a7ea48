import { NativeSelect, TextInput } from '@mantine/core'
import { classesApi, lettersOnly } from '@tatami/contract/classes/classes'
import type { ImportPlan } from '@tatami/contract/import/import-plan'
import { useQuery } from '@tanstack/react-query'
import { classOptions } from '../lib/class-options.ts'
import { endpointQuery } from '../lib/query.ts'
import { pluralize } from '../lib/text.ts'
import { Panel } from '../ui/panel.tsx'
import { SwitchRow } from '../ui/switch-row.tsx'
import styles from './import-students.module.css'
import type { ReviewProps } from './review.ts'
import type { ImportState } from './import-state.ts'
import type { ImportSheet } from './use-import-sheet.ts'
import kit from '../ui/kit.module.css'

const NEW_CLASS = 'new'
const NO_CLASS = 'none'
const MAX_NAME_LENGTH = 100
const TOO_LONG = `Names can have up to ${MAX_NAME_LENGTH} characters. The rest will be cut off`

type ClassInSheet = ImportPlan['classes_in_sheet'][number]
type Options = ReturnType<typeof classOptions>

export function ClassChoices({ sheet, state, plan }: ReviewProps) {
  const { data: classes = [] } = useQuery(endpointQuery(classesApi.list))
  const options = classOptions(classes)
  const listedClasses = plan.classes_in_sheet.filter((classInSheet) =>
    needsChoice(classInSheet, state),
  )
  const hasClasses = options.length > 0
  if (listedClasses.length === 0 && !hasClasses && !plan.can_invite) return null
  return (
    <Panel title="Classes and invitations">
      {listedClasses.length > 0 && (
        <p className={kit.muted}>
          Class names can only have letters and spaces. These are the new names.
        </p>
      )}
      {listedClasses.length > 0 && (
        <ul className={styles.fields}>
          {listedClasses.map((classInSheet) => (
            <ClassChoice key={classInSheet.name} {...{ sheet, state, options, classInSheet }} />
          ))}
        </ul>
      )}
      {hasClasses && (
        <div className={styles.fields}>
          <NativeSelect
            label="Students without a class"
            value={state.defaultClass}
            onChange={({ currentTarget: { value } }) => sheet.setDefaultClass(value)}
            data={[{ value: '', label: 'No class yet' }, ...options]}
          />
        </div>
      )}
      {plan.can_invite && (
        <SwitchRow
          label="Invite by email to log in"
          description="Guardians and students 13 or older get a link that works for 7 days."
          checked={state.invites}
          onChange={sheet.setInvites}
        />
      )}
    </Panel>
  )
}

/** False if the dojo has a class with this name and the instructor did not choose another one. */
const needsChoice = (
  { name, class_id, class_name }: ClassInSheet,
  { classes, newClassNames }: ImportState,
) =>
  class_id === null ||
  name in classes ||
  name in newClassNames ||
  name.toLowerCase() !== class_name?.toLowerCase()

type ChoiceProps = {
  sheet: ImportSheet
  state: ImportState
  options: Options
  classInSheet: ClassInSheet
}

function ClassChoice({ sheet, state, options, classInSheet }: ChoiceProps) {
  const { name, class_id, class_name, students } = classInSheet
  const suggestedValue = class_id ?? NEW_CLASS
  const value = name in state.classes ? (state.classes[name] ?? NO_CLASS) : suggestedValue
  const choose = (choice: string) => {
    if (choice === NEW_CLASS) sheet.setClassName(name, class_id === null ? '' : `${class_name} New`)
    else sheet.setClass(name, choice === NO_CLASS ? null : choice)
  }
  return (
    <li className={`${kit.stack} ${styles.classChoice}`}>
      <NativeSelect
        label={`“${name}” (${pluralize(students, 'student')})`}
        value={value}
        description={class_id === null ? undefined : 'You already have this class'}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
        data={[
          { value: NEW_CLASS, label: 'A new class' },
          ...options,
          { value: NO_CLASS, label: 'No class' },
        ]}
      />
      {value === NEW_CLASS && class_name !== null && (
        <TextInput
          key={class_name}
          aria-label={`What “${name}” will be called`}
          description={name.length > MAX_NAME_LENGTH ? TOO_LONG : undefined}
          defaultValue={class_name}
          maxLength={MAX_NAME_LENGTH}
          onChange={(event) => {
            event.currentTarget.value = lettersOnly(event.currentTarget.value)
          }}
          onBlur={({ currentTarget }) => {
            const newName = currentTarget.value.trim()
            if (newName !== class_name) sheet.setClassName(name, newName)
          }}
          onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
        />
      )}
    </li>
  )
}
