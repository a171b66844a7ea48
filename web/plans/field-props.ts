import { cleanMoneyInput } from '@tatami/contract/lib/money'
import type { ChangeEvent } from 'react'
import { cleanTypedText } from '../lib/form.ts'

/** A form whose field at `path` has a text. */
type TextForm = {
  getInputProps: (path: string) => object
  setFieldValue: (path: string, value: string) => void
}

const sanitizedProps = (form: TextForm, path: string, sanitize: (text: string) => string) => ({
  ...form.getInputProps(path),
  autoComplete: 'off',
  onChange: (event: ChangeEvent<HTMLInputElement>) =>
    form.setFieldValue(path, cleanTypedText(event, sanitize)),
})

/** A minus stays, so that the form can say that the number is not possible. */
const withMinus = (sanitize: (text: string) => string) => (text: string) =>
  (text.trimStart().startsWith('-') ? '-' : '') + sanitize(text)

/** The props of a field for dollars. */
export const moneyProps = (form: TextForm, path: string) => ({
  ...sanitizedProps(form, path, cleanMoneyInput),
  inputMode: 'decimal' as const,
  leftSection: '$',
})

/** The props of a field for a whole number. */
export const digitProps = (form: TextForm, path: string) => ({
  ...sanitizedProps(
    form,
    path,
    withMinus((text) => text.replace(/\D/g, '')),
  ),
  inputMode: 'numeric' as const,
})
