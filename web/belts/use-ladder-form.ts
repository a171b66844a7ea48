import { ladderForm } from '@tatami/contract/belts/ladder-form'
import type { ChangeEvent } from 'react'
import { sanitizeInput, useSchemaForm } from '../lib/form.ts'
import { findFormField, type LadderValues, toLadder } from './ladder-form.ts'

export const useLadderForm = (initial: LadderValues) =>
  useSchemaForm(ladderForm, initial, toLadder, findFormField)
export type LadderFormState = ReturnType<typeof useLadderForm>

/** The props of a field that accepts only digits. `path` is, for example, "ranks.2.min_months". */
export const getDigitProps = (form: LadderFormState, path: string) => ({
  ...form.getInputProps(path),
  inputMode: 'numeric' as const,
  autoComplete: 'off',
  onChange: (event: ChangeEvent<HTMLInputElement>) =>
    form.setFieldValue(
      path,
      sanitizeInput(event, (text) => text.replace(/\D/g, '')),
    ),
})
