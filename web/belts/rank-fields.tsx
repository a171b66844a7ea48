import { cleanMoneyInput } from '@tatami/contract/lib/money'
import {
  ActionIcon,
  Button,
  Checkbox,
  NativeSelect,
  SimpleGrid,
  Stack,
  Switch,
  TextInput,
} from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { MAX_SKILLS } from '@tatami/contract/belts/ladder-form'
import {
  BELTS,
  RANK_COLOURS,
  RANK_PATTERNS,
  type RankColour,
  type RankPattern,
} from '@tatami/contract/lib/ranks'
import { type ReactNode, useId } from 'react'
import { cleanTypedText } from '../lib/form.ts'
import { capitalize } from '../lib/text.ts'
import { RankBelt } from '../ui/rank-belt.tsx'
import { toPreviewRank, hasSecondColour, createSkill, type RankValues } from './ladder-form.ts'
import styles from './rank-fields.module.css'
import { getDigitProps, type LadderFormState } from './use-ladder-form.ts'
import kit from '../ui/kit.module.css'

const PATTERN_LABELS: Record<RankPattern, string> = {
  solid: 'One color',
  split: 'Two halves',
  'centre-stripe': 'Stripe down the middle',
  tip: 'Tip at the end',
  bar: 'Black bar for stripes',
  'red-bar': 'Red bar for degrees',
  panels: 'Panels in two colors',
  patch: 'Patch instead of a belt',
}
/** Tags are part of the belt's design. Stripes are given to students who have the rank. */
const MAX_TAGS_OR_STRIPES = 12
const COUNT_OPTIONS = Array.from({ length: MAX_TAGS_OR_STRIPES + 1 }, (_, count) => ({
  value: count === 0 ? '' : String(count),
  label: count === 0 ? 'None' : String(count),
}))

const NUMBER_REQUIREMENTS = [
  { field: 'min_months', label: 'Months', placeholder: 'None' },
  { field: 'min_classes', label: 'Classes', placeholder: 'None' },
  { field: 'max_classes_a_day', label: 'Max per day', placeholder: 'All' },
  { field: 'min_age', label: 'From age', placeholder: 'Any' },
  { field: 'max_age', label: 'Up to age', placeholder: 'Any' },
  { field: 'min_stripes', label: 'Stripes', placeholder: 'None' },
]

type RankProps = { form: LadderFormState; rank: RankValues; index: number }
type Props = RankProps & { onRemove: (() => void) | undefined }

export const RankFields = ({ onRemove, ...rankProps }: Props) => (
  <Stack gap="md">
    <BeltFields {...rankProps} />
    <Requirements {...rankProps} />
    <Skills {...rankProps} />
    {onRemove && (
      <Button variant="subtle" color="red" onClick={onRemove}>
        {`Remove ${rankProps.rank.name || 'this rank'}`}
      </Button>
    )}
  </Stack>
)

function BeltFields({ form, rank, index }: RankProps) {
  const path = (field: string) => `ranks.${index}.${field}`
  const inputProps = (field: string) => form.getInputProps(path(field))
  const renderSwatches = (field: 'colour' | 'second_colour' | 'tags_colour', label: string) => (
    <Swatches
      label={label}
      value={rank[field]}
      isOptional={field !== 'tags_colour' && rank.pattern === 'patch'}
      error={form.errors[path(field)]}
      path={path(field)}
      onChange={(colour) => form.setFieldValue(path(field), colour)}
    />
  )
  return (
    <>
      <div className={styles.preview}>
        <RankBelt rank={toPreviewRank(rank)} level={rank.belt_level} size={144} />
      </div>
      <div className={styles.pair}>
        <TextInput
          label="Name"
          required
          autoComplete="off"
          placeholder="8th kyu"
          {...inputProps('name')}
        />
        <NativeSelect
          label="Pattern"
          data={RANK_PATTERNS.map((value) => ({ value, label: PATTERN_LABELS[value] }))}
          {...inputProps('pattern')}
        />
      </div>
      {renderSwatches('colour', 'Color')}
      {hasSecondColour(rank.pattern) && renderSwatches('second_colour', 'Second color')}
      <SimpleGrid cols={2} spacing="md">
        <NativeSelect label="Tags" data={COUNT_OPTIONS} {...inputProps('tags_count')} />
        <NativeSelect label="Stripes" data={COUNT_OPTIONS} {...inputProps('stripes')} />
      </SimpleGrid>
      {rank.tags_count !== '' && renderSwatches('tags_colour', 'Tag color')}
      <NativeSelect
        label="Counts as"
        description="In lists and charts of the seven belts"
        data={BELTS.map((value) => ({ value, label: `${capitalize(value)} belt` }))}
        {...inputProps('belt_level')}
      />
    </>
  )
}

function Requirements({ form, index }: RankProps) {
  const path = (field: string) => `ranks.${index}.${field}`
  return (
    <fieldset className={kit.fieldset}>
      <legend className={`${kit.legend} ${styles.legend}`}>
        Requirements since the previous rank
      </legend>
      <Stack gap="md">
        <div className={styles.numbers}>
          {NUMBER_REQUIREMENTS.map(({ field, label, placeholder }) => (
            <TextInput
              key={field}
              label={label}
              placeholder={placeholder}
              {...getDigitProps(form, path(field))}
            />
          ))}
          <TextInput
            label="Fee ($)"
            placeholder="None"
            {...form.getInputProps(path('fee'))}
            inputMode="decimal"
            autoComplete="off"
            onChange={(event) =>
              form.setFieldValue(path('fee'), cleanTypedText(event, cleanMoneyInput))
            }
          />
        </div>
        <Switch
          label="Instructor approval"
          {...form.getInputProps(path('needs_approval'), { type: 'checkbox' })}
        />
        <Switch label="Fee paid" {...form.getInputProps(path('needs_fee'), { type: 'checkbox' })} />
      </Stack>
    </fieldset>
  )
}

type SwatchesProps = {
  label: string
  value: RankColour | ''
  isOptional: boolean
  error: ReactNode
  /** The form uses this path to focus the input if the color has an error. */
  path: string
  onChange: (colour: RankColour | '') => void
}

function Swatches({ label, value, isOptional, error, path, onChange }: SwatchesProps) {
  const name = useId()
  const choices: (RankColour | '')[] = isOptional ? ['', ...RANK_COLOURS] : [...RANK_COLOURS]
  return (
    <fieldset className={kit.fieldset}>
      <legend className={`${kit.legend} ${styles.legend}`}>
        {label}: <span className={styles.selectedName}>{value || 'none'}</span>
      </legend>
      <div className={styles.swatches}>
        {choices.map((colour, index) => (
          <label key={colour} className={styles.swatch} title={colour || 'none'}>
            <input
              type="radio"
              name={name}
              className={styles.radio}
              aria-label={colour || 'none'}
              checked={colour === value}
              onChange={() => onChange(colour)}
              data-path={index === 0 ? path : undefined}
            />
            <span
              className={styles.colour}
              data-colour={colour}
              style={colour ? { background: `var(--belt-${colour})` } : undefined}
            />
          </label>
        ))}
      </div>
      {error && (
        <p role="alert" className={styles.error}>
          {error}
        </p>
      )}
    </fieldset>
  )
}

function Skills({ form, rank: { skills }, index: rankIndex }: RankProps) {
  const path = `ranks.${rankIndex}.skills`
  const setSkills = (newSkills: typeof skills) => form.setFieldValue(path, newSkills)
  return (
    <fieldset className={kit.fieldset}>
      <legend className={`${kit.legend} ${styles.legend}`}>Skills</legend>
      {skills.length > 0 && (
        <ul className={`${kit.stackTight} ${styles.skills}`}>
          {skills.map((skill, index) => (
            <li key={skill.key} className={styles.skill}>
              <TextInput
                aria-label={`Skill ${index + 1}`}
                placeholder="Front kick"
                autoComplete="off"
                {...form.getInputProps(`${path}.${index}.name`)}
              />
              <Checkbox
                size="md"
                className={styles.required}
                label="Required"
                aria-label={`Required: ${skill.name || `skill ${index + 1}`}`}
                {...form.getInputProps(`${path}.${index}.required`, { type: 'checkbox' })}
              />
              <ActionIcon
                className={styles.remove}
                variant="subtle"
                color="gray"
                size="lg"
                aria-label={`Remove ${skill.name || `skill ${index + 1}`}`}
                onClick={() => setSkills(skills.toSpliced(index, 1))}
              >
                <IconX size={20} aria-hidden />
              </ActionIcon>
            </li>
          ))}
        </ul>
      )}
      {skills.length < MAX_SKILLS && (
        <Button
          variant="default"
          size="sm"
          leftSection={<IconPlus size={18} aria-hidden />}
          onClick={() => setSkills([...skills, createSkill()])}
        >
          Add a skill
        </Button>
      )}
    </fieldset>
  )
}
