import { ladderForm } from '@tatami/contract/belts/ladder-form'
import type { ChangeEvent } from 'react'
import { cleanTypedText, useSchemaForm } from '../lib/form.ts'
import { findFormField, type LadderValues, toLadder } from './ladder-form.ts'

export const useLadderForm = (initialValues: LadderValues) =>
  useSchemaForm(ladderForm, initialValues, toLadder, findFormField)
export type LadderFormState = ReturnType<typeof useLadderForm>

/** Returns the props of a field that accepts only digits. An example of a `path` is
 *  "ranks.2.min_months". */
export const getDigitProps = (form: LadderFormState, path: string) => ({
  ...form.getInputProps(path),
  inputMode: 'numeric' as const,
  autoComplete: 'off',
  onChange: (event: ChangeEvent<HTMLInputElement>) =>
    form.setFieldValue(
      path,
      cleanTypedText(event, (text) => text.replace(/\D/g, '')),
    ),
})
