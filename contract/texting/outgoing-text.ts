import type { z } from 'zod'
import { multiLineText, singleLineText } from '../lib/fields.ts'
import { type Substitutions, placeholderProblem } from './placeholders.ts'

export const refuseIn =
  (substitutions: Substitutions, path: string[] = []) =>
  (text: string, context: z.RefinementCtx) => {
    const problem = placeholderProblem(text, substitutions)
    if (problem) context.addIssue({ code: 'custom', path, message: problem.message })
  }

export const outgoingText = (label: string, max: number, substitutions: Substitutions = 'name') =>
  multiLineText(label, max).superRefine(refuseIn(substitutions))

export const outgoingLine = (label: string, max: number) =>
  singleLineText(label, max).superRefine(refuseIn('nothing'))
