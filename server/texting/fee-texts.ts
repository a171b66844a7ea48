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

/** True for staff who may neither take payments nor see who owes money. */
const lacksMoneyRights = ({ staff }: TextReader): boolean =>
  !MONEY_RIGHTS.some((right) => staff?.rights.has(right))

export const isHiddenFrom = (reader: TextReader, kind: BatchKind | null): boolean =>
  kind !== null && isAboutFees(kind) && lacksMoneyRights(reader)

/** The text, or a note in its place if the reader may not see fees. `kind` is null for texts from
 *  people. */
export const hideFeeText = <Text extends string | null>(
  reader: TextReader,
  kind: BatchKind | null,
  text: Text,
): Text | string => (isHiddenFrom(reader, kind) ? HIDDEN_TEXT : text)
