import type { z } from 'zod'
import { multiLineText, singleLineText } from '../lib/fields.ts'
import { type Substitutions, findPlaceholderProblem } from './placeholders.ts'

export const refusePlaceholders =
  (substitutions: Substitutions, path: string[] = []) =>
  (text: string, context: z.RefinementCtx) => {
    const problem = findPlaceholderProblem(text, substitutions)
    if (problem) context.addIssue({ code: 'custom', path, message: problem.message })
  }

/** A message of several lines that we send to people. */
export const outgoingText = (label: string, max: number, substitutions: Substitutions = 'name') =>
  multiLineText(label, max).superRefine(refusePlaceholders(substitutions))

/** A title that we send to people. Titles have no placeholders. */
export const outgoingLine = (label: string, max: number) =>
  singleLineText(label, max).superRefine(refusePlaceholders('nothing'))
