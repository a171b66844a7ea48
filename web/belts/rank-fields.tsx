import { sanitizeMoneyInput } from '@tatami/contract/money'
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
import { MAX_SKILLS } from '@tatami/contract/ladder-form'
import {
  BELTS,
  RANK_COLOURS,
  RANK_PATTERNS,
  type RankColour,
  type RankPattern,
} from '@tatami/contract/ranks'
import { type ReactNode, useId } from 'react'
import { sanitizeInput } from '../lib/form.ts'
import { capitalize } from '../lib/text.ts'
import { RankBelt } from '../ui/rank-belt.tsx'
import { drawnOf, hasSecondColour, newSkill } from './ladder-form.ts'
import styles from './rank-fields.module.css'
import { digitProps, type LadderFormState } from './use-ladder-form.ts'

const PATTERN_WORDS: Record<RankPattern, string> = {
  solid: 'One colour',
  split: 'Two halves',
  'centre-stripe': 'Stripe along the middle',
  tip: 'Tip at the end',
  bar: 'Black bar, for stripes',
  'red-bar': 'Red bar, for degrees',
  panels: 'Panels of two colours',
  patch: 'A patch, no belt',
}
const upTo = (most: number) =>
  Array.from({ length: most + 1 }, (_, count) => ({
    value: count === 0 ? '' : String(count),
    label: count === 0 ? 'None' : String(count),
  }))
const MOST_MARKS = 12

type Props = { form: LadderFormState; at: number; onRemove: (() => void) | undefined }

/** All of one rank: how it is drawn, what it counts as and what it asks for. */
export function RankFields({ form, at, onRemove }: Props) {
  const rank = form.values.ranks[at]!
  const path = (field: string) => `ranks.${at}.${field}`
  const props = (field: string) => form.getInputProps(path(field))
  const hasTags = rank.tags_count !== ''
  return (
    <Stack gap="md">
      <div className={styles.drawn}>
        <RankBelt rank={drawnOf(rank)} level={rank.belt_level} size={144} />
      </div>
      <div className={styles.pair}>
        <TextInput
          label="Name"
          required
          autoComplete="off"
          placeholder="8th kyu"
          {...props('name')}
        />
        <NativeSelect
          label="Pattern"
          data={RANK_PATTERNS.map((value) => ({ value, label: PATTERN_WORDS[value] }))}
          {...props('pattern')}
        />
      </div>
      <Swatches
        label="Colour"
        value={rank.colour}
        mayBeNone={rank.pattern === 'patch'}
        error={form.errors[path('colour')]}
        path={path('colour')}
        onChange={(colour) => form.setFieldValue(path('colour'), colour)}
      />
      {hasSecondColour(rank.pattern) && (
        <Swatches
          label="Second colour"
          value={rank.second}
          mayBeNone={rank.pattern === 'patch'}
          error={form.errors[path('second')]}
          path={path('second')}
          onChange={(colour) => form.setFieldValue(path('second'), colour)}
        />
      )}
      <SimpleGrid cols={2} spacing="md">
        <NativeSelect label="Tags" data={upTo(MOST_MARKS)} {...props('tags_count')} />
        <NativeSelect label="Stripes to give" data={upTo(MOST_MARKS)} {...props('stripes')} />
      </SimpleGrid>
      {hasTags && (
        <Swatches
          label="Colour of the tags"
          value={rank.tags_colour}
          error={form.errors[path('tags_colour')]}
          path={path('tags_colour')}
          onChange={(colour) => form.setFieldValue(path('tags_colour'), colour)}
        />
      )}
      <NativeSelect
        label="Counts as"
        description="In lists and figures that know seven belts"
        data={BELTS.map((value) => ({ value, label: `${capitalize(value)} belt` }))}
        {...props('belt_level')}
      />
      <fieldset className={styles.part}>
        <legend className={styles.legend}>Asks for, since the rank before</legend>
        <Stack gap="md">
          <div className={styles.numbers}>
            <TextInput
              label="Months"
              placeholder="None"
              {...digitProps(form, path('min_months'))}
            />
            <TextInput
              label="Classes"
              placeholder="None"
              {...digitProps(form, path('min_classes'))}
            />
            <TextInput
              label="Count a day, at most"
              placeholder="All"
              {...digitProps(form, path('max_classes_a_day'))}
            />
            <TextInput label="From age" placeholder="Any" {...digitProps(form, path('min_age'))} />
            <TextInput label="Up to age" placeholder="Any" {...digitProps(form, path('max_age'))} />
            <TextInput
              label="Stripes"
              placeholder="None"
              {...digitProps(form, path('min_stripes'))}
            />
            <TextInput
              label="Fee ($)"
              placeholder="None"
              {...props('fee')}
              inputMode="decimal"
              autoComplete="off"
              onChange={(event) =>
                form.setFieldValue(path('fee'), sanitizeInput(event, sanitizeMoneyInput))
              }
            />
          </div>
          <Switch
            label="Your approval"
            {...form.getInputProps(path('needs_approval'), { type: 'checkbox' })}
          />
          <Switch
            label="The fee paid"
            {...form.getInputProps(path('needs_fee'), { type: 'checkbox' })}
          />
        </Stack>
      </fieldset>
      <Skills form={form} at={at} />
      {onRemove && (
        <Button variant="subtle" color="red" onClick={onRemove}>
          {`Remove ${rank.name || 'this rank'}`}
        </Button>
      )}
    </Stack>
  )
}

type SwatchesProps = {
  label: string
  value: RankColour | ''
  mayBeNone?: boolean
  error: ReactNode
  /** The form's field, which gets the focus when it is wrong. */
  path: string
  onChange: (colour: RankColour | '') => void
}

/** The colours that a belt can have, each drawn; the chosen one is named in words. */
function Swatches({ label, value, mayBeNone = false, error, path, onChange }: SwatchesProps) {
  const name = useId()
  const choices: (RankColour | '')[] = mayBeNone ? ['', ...RANK_COLOURS] : [...RANK_COLOURS]
  return (
    <fieldset className={styles.part}>
      <legend className={styles.legend}>
        {label}: <span className={styles.chosen}>{value || 'none'}</span>
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

function Skills({ form, at }: Omit<Props, 'onRemove'>) {
  const { skills } = form.values.ranks[at]!
  const path = `ranks.${at}.skills`
  const set = (next: typeof skills) => form.setFieldValue(path, next)
  return (
    <fieldset className={styles.part}>
      <legend className={styles.legend}>Skills</legend>
      {skills.length > 0 && (
        <ul className={styles.skills}>
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
                onClick={() => set(skills.toSpliced(index, 1))}
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
          onClick={() => set([...skills, newSkill()])}
        >
          Add a skill
        </Button>
      )}
    </fieldset>
  )
}
