import { cleanText } from '@tatami/contract/lib/clean-text'
import { type FormErrors, useForm } from '@mantine/form'
import { ApiError } from './api.ts'

type Issue = { path: PropertyKey[]; message: string }
type ParseResult = { success: true; data: unknown } | { success: false; error: { issues: Issue[] } }
type Schema = { safeParse: (values: unknown) => ParseResult }

/** Returns the first message of each field by its path. The list is reversed, because `fromEntries`
 *  keeps the last message of a path. */
export const fieldErrors = (schema: Schema, values: unknown): Record<string, string> => {
  const result = schema.safeParse(values)
  const issues = result.success ? [] : result.error.issues
  return Object.fromEntries(
    issues.map(({ path, message }) => [path.join('.'), message] as const).toReversed(),
  )
}

/** Returns the first message of each field in a 422 response by its path. */
export const serverErrors = (error: unknown): Record<string, string> =>
  Object.fromEntries(
    error instanceof ApiError
      ? error.errors.map(({ field, message }) => [field, message] as const).toReversed()
      : [],
  )

/** A form that is checked with the schema of the request. `findFormField` returns the form's field
 *  for a path of the request body. */
export function useSchemaForm<Values extends Record<string, unknown>, Body = Values>(
  schema: Schema,
  initialValues: Values,
  toBody: (values: Values) => Body = (values) => values as unknown as Body,
  findFormField: (path: string) => string = (path) => path,
) {
  const errorsByField = (errors: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(errors).map(([path, message]) => [findFormField(path), message] as const),
    )
  const form = useForm({
    initialValues,
    validate: (values: Values) => errorsByField(fieldErrors(schema, toBody(values))),
  })
  const showErrors = (errors: FormErrors) => {
    form.setErrors(errors)
    const invalidPaths = Object.keys(errors).toReversed()
    const [firstInvalidPath] = Object.keys(initialValues).flatMap((field) =>
      invalidPaths.filter((path) => path === field || path.startsWith(`${field}.`)),
    )
    if (firstInvalidPath) form.getInputNode(firstInvalidPath)?.focus()
  }
  return {
    ...form,
    send: (save: (body: Body) => void) =>
      form.onSubmit((values) => save(toBody(values)), showErrors),
    showRefusal: (error: unknown) => showErrors(errorsByField(serverErrors(error))),
  }
}

/** Cleans the text in a field as it is typed, without moving the caret, and returns the clean
 *  text. */
export function cleanTypedText(
  event: { currentTarget: HTMLInputElement },
  removeInvalid: (text: string) => string,
): string {
  const input = event.currentTarget
  const clean = (text: string) => removeInvalid(cleanText(text))
  const cleanedText = clean(input.value)
  if (cleanedText !== input.value) {
    const textBeforeCaret = input.value.slice(0, input.selectionStart ?? undefined)
    const caret = clean(textBeforeCaret).length
    input.value = cleanedText
    input.setSelectionRange(caret, caret)
  }
  return cleanedText
}
