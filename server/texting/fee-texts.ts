import {
  BATCH_KINDS,
  type BatchKind,
  isFeeMessage,
  isReminder,
} from '@tatami/contract/texting/message-types'
import { MONEY_RIGHTS } from '@tatami/contract/rights'
import type { Caller } from '../http/serve.ts'

export type TextReader = Pick<Caller, 'staff'>

const HIDDEN_TEXT = 'A text about fees'

const isAboutFees = (kind: BatchKind): boolean => isFeeMessage(kind) || isReminder(kind)
export const FEE_KINDS = BATCH_KINDS.filter(isAboutFees)

/** True for staff who may see neither who owes nor what is paid. */
export const seesNoMoney = ({ staff }: TextReader): boolean =>
  !MONEY_RIGHTS.some((right) => staff?.rights.has(right))

export const isHiddenFrom = (reader: TextReader, kind: BatchKind | null): boolean =>
  kind !== null && isAboutFees(kind) && seesNoMoney(reader)

/** A stored text as the reader may see it. `kind` is null for texts from people. */
export const shownText = <T extends string | null>(
  reader: TextReader,
  kind: BatchKind | null,
  text: T,
): T | string => (isHiddenFrom(reader, kind) ? HIDDEN_TEXT : text)
