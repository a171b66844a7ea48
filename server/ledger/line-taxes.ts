import { firstDayOf } from '@tatami/contract/lib/calendar-day'
import { shareOfCents, sumCents } from '@tatami/contract/lib/money'
import {
  describeTax,
  findSalesTax,
  type SalesTax,
  taxInTotal,
} from '@tatami/contract/ledger/sales-tax'
import type { LineKind } from '@tatami/contract/ledger/ledger'
import type { Tx } from '../db/database.ts'
import { type Charge, chargesById } from './charges.ts'
import type { NewLine } from './ledger.ts'
import { readTaxSettings } from './sales-taxes.ts'

/** A line of a charge, stored or new. */
type ChargeLine = Pick<NewLine, 'kind' | 'cents' | 'taxCents' | 'tax_percent'> & { id?: string }
type TaxedCharge = Pick<Charge, 'kind' | 'year' | 'month' | 'charged_on'> & {
  lines: readonly ChargeLine[]
}

/** Returns the lines with the sales tax that each contains. Lines of untaxed charges stay as is. */
export async function withSalesTax(tx: Tx, lines: NewLine[]): Promise<NewLine[]> {
  const { taxes, hasTaxedLines } = await readTaxSettings(tx)
  if (taxes.length === 0 && !hasTaxedLines) return lines
  const chargeIds = new Set(lines.flatMap(({ charge_id }) => charge_id ?? []))
  const storedCharges = await chargesById(tx, [...chargeIds])
  const chargeById = new Map<string, TaxedCharge>(
    storedCharges.map((charge) => [charge.id, charge]),
  )
  return lines.map((line) => {
    const charge = chargeById.get(line.charge_id ?? '')
    if (!charge || !line.charge_id) return line
    const taxedLine = addTax(charge, line, taxes)
    chargeById.set(line.charge_id, { ...charge, lines: [...charge.lines, taxedLine] })
    return taxedLine
  })
}

function addTax(charge: TaxedCharge, line: NewLine, taxes: readonly SalesTax[]): NewLine {
  const isAmount = line.kind === 'charge'
  const tax_percent = isAmount ? percentOfAmount(charge, line, taxes) : percentOf(charge)
  if (tax_percent === null) return line
  const group = groupOf(line.kind)
  const lines = [...charge.lines, line]
  // Undoing a payment takes back the tax that its receipt shows, even if a cent was rounded.
  const undoneTax = isAmount ? null : taxOfUndoneLine(charge, line)
  if (undoneTax !== null) return { ...line, taxCents: 0 - undoneTax, tax_percent }
  if (!isAmount && isSettled(lines))
    return { ...line, taxCents: 0 - sumTax(charge.lines, ALL_KINDS), tax_percent }
  const taxBefore = sumTax(charge.lines, group)
  return { ...line, taxCents: taxOfGroup(group, lines, tax_percent) - taxBefore, tax_percent }
}

/** Null if the line undoes none. */
function taxOfUndoneLine({ lines }: TaxedCharge, { reverses }: NewLine): number | null {
  if (!reverses) return null
  return lines.find(({ id }) => id === reverses)?.taxCents ?? null
}

const AMOUNT_KINDS: readonly LineKind[] = ['charge']
const FORGIVEN_KINDS: readonly LineKind[] = ['write_off']
const RECEIVED_KINDS: readonly LineKind[] = ['payment', 'credit', 'refund']
const ALL_KINDS: readonly LineKind[] = [...AMOUNT_KINDS, ...FORGIVEN_KINDS, ...RECEIVED_KINDS]

function groupOf(kind: LineKind): readonly LineKind[] {
  if (kind === 'charge') return AMOUNT_KINDS
  return kind === 'write_off' ? FORGIVEN_KINDS : RECEIVED_KINDS
}

/** True if nothing is owed of the price anymore. The last part contains the rest of the tax. */
const isSettled = (lines: readonly ChargeLine[]): boolean =>
  sumAmounts(lines, AMOUNT_KINDS) > 0 && sumAmounts(lines, ALL_KINDS) === 0

/**
 * The tax of all lines of some kinds. Money that was received contains its share of the charge's
 * tax. What was forgiven contains the tax of the money that it replaced.
 */
function taxOfGroup(
  group: readonly LineKind[],
  lines: readonly ChargeLine[],
  percent: number,
): number {
  const amount = sumAmounts(lines, AMOUNT_KINDS)
  if (group === AMOUNT_KINDS) return taxInTotal(amount, percent)
  const chargedTax = sumTax(lines, AMOUNT_KINDS)
  const taxOfReceived = (cents: number) => shareOfCents(chargedTax, cents, amount)
  if (group === RECEIVED_KINDS) return 0 - taxOfReceived(0 - sumAmounts(lines, RECEIVED_KINDS))
  return taxOfReceived(amount + sumAmounts(lines, FORGIVEN_KINDS)) - chargedTax
}

const ofKinds = (lines: readonly ChargeLine[], kinds: readonly LineKind[]) =>
  lines.filter(({ kind }) => kinds.includes(kind))
const sumAmounts = (lines: readonly ChargeLine[], kinds: readonly LineKind[]): number =>
  sumCents(ofKinds(lines, kinds).map(({ cents }) => cents))
const sumTax = (lines: readonly ChargeLine[], kinds: readonly LineKind[]): number =>
  sumCents(ofKinds(lines, kinds).map(({ taxCents }) => taxCents ?? 0))

const percentOf = ({ lines }: Pick<TaxedCharge, 'lines'>): number | null =>
  lines.findLast(({ kind }) => kind === 'charge')?.tax_percent ?? null

/** The tax that a charge was charged with, in dollars. */
export const taxOfCharge = (charge: Pick<TaxedCharge, 'lines'>) =>
  describeTax(sumAmounts(charge.lines, AMOUNT_KINDS), percentOf(charge))

/** A correction keeps the tax of the charge, and undoing an undo brings back the earlier one. */
function percentOfAmount(
  charge: TaxedCharge,
  { reverses }: NewLine,
  taxes: readonly SalesTax[],
): number | null {
  if (sumAmounts(charge.lines, AMOUNT_KINDS) !== 0) return percentOf(charge)
  if (reverses) return charge.lines.find(({ id }) => id === reverses)?.tax_percent ?? null
  return findSalesTax(taxes, charge.kind, taxDay(charge))?.percent ?? null
}

/** As for a month without a charge, in `monthTaxOf`. */
const taxDay = ({ kind, year, month, charged_on }: TaxedCharge): string =>
  kind === 'month' && year !== null && month !== null ? firstDayOf({ year, month }) : charged_on
