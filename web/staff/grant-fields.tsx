import type { FormErrors } from '@mantine/form'
import { Checkbox, Radio, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { classesApi } from '@tatami/contract/classes/classes'
import {
  ALL_RIGHTS,
  PRESET_NAMES,
  PRESETS,
  type Preset,
  type Right,
  RIGHT_GROUPS,
  RIGHTS,
} from '@tatami/contract/rights'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { endpointQuery } from '../lib/query.ts'
import { capitalize } from '../lib/text.ts'
import { Disclosure } from '../ui/disclosure.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { SwitchRow } from '../ui/switch-row.tsx'
import { valuesOfPreset, type StaffGrantValues, switchRight } from './grant-form.ts'
import '@mantine/core/styles/Radio.layer.css'
import styles from './grant-fields.module.css'
import kit from '../ui/kit.module.css'

const isPreset = (name: string): name is Preset => name in PRESETS

type StaffGrantProps = {
  values: StaffGrantValues
  errors: FormErrors
  /** "Kim", or "this person" while the form has no name. */
  nameInSentence: string
  onChange: (change: Partial<StaffGrantValues>) => void
}

/** Edits the rights, classes, title and dates of one member of staff. */
export function StaffGrantFields({ values, errors, nameInSentence, onChange }: StaffGrantProps) {
  return (
    <Stack gap="lg">
      <PresetChoice values={values} onChange={onChange} />
      <Disclosure summary={`Choose each permission (${values.rights.length})`}>
        <RightSwitches values={values} onChange={onChange} />
      </Disclosure>
      <ErrorNotice>{errors.rights}</ErrorNotice>
      <ClassChoice
        values={values}
        error={errors.class_ids}
        nameInSentence={nameInSentence}
        onChange={onChange}
      />
      <TextInput
        label="Title"
        placeholder="Head coach"
        value={values.title}
        error={errors.title}
        onChange={({ currentTarget }) => onChange({ title: currentTarget.value })}
      />
      <SimpleGrid cols={2} spacing="md">
        <TextInput
          type="date"
          label="First day"
          value={values.starts_on}
          error={errors.starts_on}
          onChange={({ currentTarget }) => onChange({ starts_on: currentTarget.value })}
        />
        <TextInput
          type="date"
          label="Last day"
          min={values.starts_on}
          value={values.ends_on}
          error={errors.ends_on}
          onChange={({ currentTarget }) => onChange({ ends_on: currentTarget.value })}
        />
      </SimpleGrid>
    </Stack>
  )
}

type FieldProps = Pick<StaffGrantProps, 'values' | 'onChange'>

const PresetChoice = ({ values, onChange }: FieldProps) => (
  <Radio.Group
    label="What they do"
    size="md"
    value={values.preset ?? 'custom'}
    onChange={(preset) => isPreset(preset) && onChange(valuesOfPreset(preset))}
  >
    <Stack gap="sm" mt="xs">
      {PRESET_NAMES.map((preset) => (
        <Radio
          key={preset}
          size="md"
          value={preset}
          label={PRESETS[preset].name}
          description={PRESETS[preset].about}
        />
      ))}
      {values.preset === null && (
        <Radio size="md" value="custom" label="Custom" description="Choose each permission below" />
      )}
    </Stack>
  </Radio.Group>
)

const RightSwitches = ({ values, onChange }: FieldProps) => (
  <div className={styles.groups}>
    {RIGHT_GROUPS.map((group) => (
      <section key={group} className={kit.stackTight} aria-label={group}>
        <h3 className={kit.titleSmall}>{group}</h3>
        {ALL_RIGHTS.filter((right) => RIGHTS[right].group === group).map((right) => (
          <RightSwitch key={right} right={right} values={values} onChange={onChange} />
        ))}
      </section>
    ))}
  </div>
)

function RightSwitch({ right, values, onChange }: FieldProps & { right: Right }) {
  const isUnavailable = values.isLimitedToClasses && !RIGHTS[right].canLimitToClasses
  return (
    <SwitchRow
      label={`Can ${RIGHTS[right].allows}`}
      description={isUnavailable ? 'Only for the whole school' : ''}
      disabled={isUnavailable}
      checked={values.rights.includes(right)}
      onChange={(isOn) =>
        onChange({ preset: null, rights: switchRight(values.rights, right, isOn) })
      }
    />
  )
}

type ClassChoiceProps = FieldProps & { error: ReactNode; nameInSentence: string }

function ClassChoice({ values, error, nameInSentence, onChange }: ClassChoiceProps) {
  const { data: classes = [] } = useQuery(endpointQuery(classesApi.list))
  const { isLimitedToClasses, class_ids: classIds, rights } = values
  function limitToClasses(isLimited: boolean) {
    if (!isLimited) return onChange({ isLimitedToClasses: false })
    const allowedRights = rights.filter((right) => RIGHTS[right].canLimitToClasses)
    onChange({ isLimitedToClasses: true, rights: allowedRights })
  }
  return (
    <div className={kit.stackSmall}>
      <SwitchRow
        label="Own classes only"
        description={`${capitalize(nameInSentence)} can’t see any other classes or students`}
        checked={isLimitedToClasses}
        onChange={limitToClasses}
      />
      {isLimitedToClasses && (
        <Checkbox.Group
          aria-label="Classes"
          value={classIds}
          error={error}
          onChange={(ids) => onChange({ class_ids: ids })}
        >
          <Stack gap="sm" mb="xs">
            {classes.map(({ id, class_name }) => (
              <Checkbox key={id} size="md" value={id} label={class_name} />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
    </div>
  )
}
