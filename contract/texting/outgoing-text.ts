import type { z } from 'zod'
import { multiLineText, singleLineText } from '../lib/fields.ts'
import { type Substitutions, placeholderProblem } from './placeholders.ts'

/** Refuses a placeholder that would go out as it stands. */
export const refuseIn =
  (substitutions: Substitutions, path: string[] = []) =>
  (text: string, context: z.RefinementCtx) => {
    const problem = placeholderProblem(text, substitutions)
    if (problem) context.addIssue({ code: 'custom', path, message: problem.message })
  }

/** Words that go out as a text or a notice, with the name filled in, and in messages about fees the amount. */
export const outgoingText = (label: string, max: number, substitutions: Substitutions = 'name') =>
  multiLineText(label, max).superRefine(refuseIn(substitutions))

/** A line that goes out as it stands. */
export const outgoingLine = (label: string, max: number) =>
  singleLineText(label, max).superRefine(refuseIn('nothing'))
