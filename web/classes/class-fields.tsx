import { NativeSelect, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core'
import { CLASS_NAME_HINT, END_TIMES, lettersOnly, START_TIMES } from '@tatami/contract/classes'
import { stripTyped } from '../lib/form.ts'
import { DayToggles } from './day-toggles.tsx'
import type { ClassFormState } from './use-class-form.ts'

const withNone = (label: string, times: string[]) => [{ value: '', label }, ...times]

export const ClassFields = ({ form }: { form: ClassFormState }) => (
  <Stack gap="md">
    <TextInput
      label="Class name"
      description={CLASS_NAME_HINT}
      required
      autoComplete="off"
      {...form.getInputProps('class_name')}
      onChange={(event) => form.setFieldValue('class_name', stripTyped(event, lettersOnly))}
    />
    <Textarea label="Description" required rows={3} {...form.getInputProps('description')} />
    <DayToggles {...form.getInputProps('class_days')} />
    <SimpleGrid cols={2} spacing="md">
      <NativeSelect label="Start time" required data={withNone('Choose', START_TIMES)} {...form.getInputProps('class_start_time')} />
      <NativeSelect label="End time" required data={withNone('Choose', END_TIMES)} {...form.getInputProps('class_end_time')} />
    </SimpleGrid>
  </Stack>
)
